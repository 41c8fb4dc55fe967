"""Facts as Arrow columns: the form in which they travel through Spark.

Constants are text that is equal iff they are; ends of intervals are exact quotients, null where
there is no end. `order` is null for facts without one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import pyarrow as pa
import pyarrow.compute as pc

from horae.data import catalogue_facts as catalogue
from horae.data.constants import Value
from horae.data.fact_values import read_constant, write_constant
from horae.data.ground_facts import GroundFact
from horae.data.intervals import Interval
from horae.data.layout import Place

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


class _Ends:
    """Times repeat: each is taken apart once."""

    def __init__(self) -> None:
        self._parts: dict[Interval, tuple[object, ...]] = {}

    def parts(self, interval: Interval, index: int, place: Place) -> tuple[object, ...]:
        found = self._parts.get(interval)
        if found is None:
            low = _quotient(interval.low, index, place)
            high = _quotient(interval.high, index, place)
            found = (*low, interval.low_open, *high, interval.high_open)
            self._parts[interval] = found
        return found


def _quotient(end: Fraction | None, index: int, place: Place) -> tuple[int | None, int | None]:
    if end is None:
        return None, None
    if abs(end.numerator) > _LARGEST or end.denominator > _LARGEST:
        raise catalogue.time_too_large(place, index, "time", str(end))
    return end.numerator, end.denominator


def to_columns(facts: Sequence[GroundFact], place: Place | None = None) -> pa.RecordBatch:
    """A row per fact."""
    where, ends = place or Place(), _Ends()
    spelt: dict[tuple[bool, Value], str] = {}

    def written(value: Value) -> str:
        key = (isinstance(value, str), value)
        if key not in spelt:
            spelt[key] = write_constant(value)
        return spelt[key]

    parts = [ends.parts(fact.interval, i, where) for i, fact in enumerate(facts)]
    columns = [
        pa.array([fact.predicate for fact in facts], pa.string()),
        pa.array([list(map(written, f.arguments)) for f in facts], pa.list_(pa.string())),
        *(pa.array([part[i] for part in parts], kind) for i, (_, kind) in enumerate(ENDS)),
        pa.array([None if f.order is None else written(f.order) for f in facts], pa.string()),
    ]
    return pa.record_batch(columns, schema=SCHEMA)


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
