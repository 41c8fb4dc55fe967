"""Facts as Arrow columns: the form in which they travel through Spark.

Constants are text that is equal iff they are; ends of intervals are exact quotients, null where
there is no end. `order` is null for facts without one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data import catalogue_facts as catalogue
from horae.data.columns import Array
from horae.data.cuts import Rows
from horae.data.fact_values import read_constant, write_constant
from horae.data.ground_facts import GroundFact
from horae.data.intervals import Interval
from horae.data.layout import Place
from horae.data.predicate_facts import MISSING, Coded, Ends, PredicateFacts, columns_of_facts

PREDICATE = "predicate"
ARGS = "args"
ORDER = "order"
_END = (("", pa.int64()), ("_unit", pa.int64()), ("_open", pa.bool_()))
ENDS = tuple((end + part, kind) for end in ("low", "high") for part, kind in _END)
SCHEMA = pa.schema(
    [(PREDICATE, pa.string()), (ARGS, pa.list_(pa.string())), *ENDS, (ORDER, pa.string())]
)

_LARGEST = 2**63 - 1
_IS_BACKGROUND = pc.is_null(pc.field("low")) & pc.is_null(pc.field("high"))


def rows_of_facts(parts: Sequence[PredicateFacts], place: Place | None = None) -> pa.RecordBatch:
    """A row per fact, in the order of their numbers."""
    tables = [_rows(part, place or Place()) for part in parts if len(part)]
    if not tables:
        return pa.RecordBatch.from_pylist([], SCHEMA)
    rows = pa.concat_tables([pa.Table.from_batches([table]) for table in tables])
    if len(tables) > 1:
        numbers = np.concatenate([part.numbers for part in parts if len(part)])
        rows = rows.take(np.argsort(numbers, kind="stable"))
    return rows.combine_chunks().to_batches()[0]


def to_columns(facts: Sequence[GroundFact], place: Place | None = None) -> pa.RecordBatch:
    """The same for facts that are here one by one."""
    return rows_of_facts(columns_of_facts(facts), place)


def _rows(part: PredicateFacts, place: Place) -> pa.RecordBatch:
    _check_sizes(part, place)
    columns: list[Array] = [
        pa.repeat(pa.scalar(part.predicate, pa.string()), len(part)),
        _arguments(part),
        *_quotients(part.low),
        *_quotients(part.high),
        pa.nulls(len(part), pa.string()) if part.order is None else _texts(part.order),
    ]
    return pa.record_batch(columns, schema=SCHEMA)


def _texts(column: Coded) -> Array:
    written = pa.array([*map(write_constant, column.values), None], pa.string())
    places = np.where(column.codes == MISSING, len(column.values), column.codes)
    return written.take(places)


def _arguments(part: PredicateFacts) -> Array:
    """A list per fact: the texts of all arguments, the first ones of each row before the second ones."""
    columns = [column.coded() for column in part.arguments]
    written = pa.array(
        [write_constant(v) for column in columns for v in column.values], pa.string()
    )
    starts = np.cumsum([0, *(len(column.values) for column in columns)])
    places = [column.codes + start for column, start in zip(columns, starts, strict=False)]
    flat = np.stack(places, axis=1).reshape(-1) if places else np.empty(0, np.int64)
    offsets: Any = pa.array(np.arange(len(part) + 1, dtype=np.int32) * np.int32(part.width))
    return pa.ListArray.from_arrays(offsets, written.take(flat))


def _quotients(ends: Ends) -> list[Array]:
    """Numerators and denominators without a common factor, and which ends are open."""
    above, below = _reduced(ends)
    nulls = np.zeros(len(ends), bool) if ends.is_infinite is None else ends.is_infinite
    opened = nulls if ends.is_open is None else ends.is_open | nulls
    return [pa.array(above, mask=nulls), pa.array(below, mask=nulls), pa.array(opened)]


def _reduced(ends: Ends) -> tuple[Rows, Rows]:
    if not _may_be_large(ends):
        shares = np.gcd(ends.numerators, ends.denominator)
        return ends.numerators // shares, ends.denominator // shares
    known = [time or Fraction(0) for time in ends.fractions()]
    above, below = ([getattr(t, part) for t in known] for part in ("numerator", "denominator"))
    return np.array(above, np.int64), np.array(below, np.int64)


def _may_be_large(ends: Ends) -> bool:
    return max(ends.largest, ends.denominator) > _LARGEST


def _check_sizes(part: PredicateFacts, place: Place) -> None:
    """Every end is a quotient of two int64."""
    if not _may_be_large(part.low) and not _may_be_large(part.high):
        return
    ends = zip(part.low.fractions(), part.high.fractions(), strict=True)
    for number, pair in zip(part.numbers.tolist(), ends, strict=True):
        for time in pair:
            if time is not None and max(abs(time.numerator), time.denominator) > _LARGEST:
                raise catalogue.time_too_large(place, number, "time", str(time))


def to_facts(columns: pa.RecordBatch) -> Iterator[GroundFact]:
    """The facts again."""
    for row in columns.to_pylist():
        low = None if row["low"] is None else Fraction(row["low"], row["low_unit"])
        high = None if row["high"] is None else Fraction(row["high"], row["high_unit"])
        interval = Interval(low, high, row["low_open"], row["high_open"])
        order = None if row[ORDER] is None else read_constant(row[ORDER])
        yield GroundFact(row[PREDICATE], tuple(map(read_constant, row[ARGS])), interval, order)


# --- parts of them


def by_predicate(rows: pa.Table) -> Iterator[tuple[str, pa.Table]]:
    for name in map(str, rows.column(PREDICATE).unique().to_pylist()):
        yield name, rows.filter(pc.field(PREDICATE) == name)


def background_rows(rows: pa.Table) -> pa.Table:
    return rows.filter(_IS_BACKGROUND)


def timed_rows(rows: pa.Table) -> pa.Table:
    return rows.filter(~_IS_BACKGROUND)


def width_of(name: str, rows: pa.Table) -> int:
    first, *others = pc.list_value_length(rows.column(ARGS)).unique().to_pylist()
    if others:
        raise catalogue.wrong_arity(name, int(others[0] or 0), int(first or 0))
    return int(first or 0)
