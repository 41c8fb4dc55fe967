"""Facts as Arrow columns: the form in which they travel through Spark.

Constants are text that is equal iff they are; ends of intervals are exact quotients, null where
there is no end. `order` is null for facts without one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data import catalogue_facts as catalogue
from horae.data.columns import Array, DataType
from horae.data.constant_texts import read_constants, short_numbers, write_constants
from horae.data.constants import json_value
from horae.data.cuts import Rows
from horae.data.fact_values import read_constant
from horae.data.ground_facts import GroundFact
from horae.data.intervals import Interval
from horae.data.layout import Place
from horae.data.predicate_facts import (
    MISSING,
    Coded,
    Constants,
    Ends,
    Integers,
    PredicateFacts,
    columns_of_facts,
)

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
    same, where = _Same(), place or Place()
    tables = [
        _rows(part, where, same, _numbers_or_coded).cast(SCHEMA) for part in parts if len(part)
    ]
    if not tables:
        return pa.RecordBatch.from_pylist([], SCHEMA)
    rows = pa.concat_tables(tables)
    if len(tables) > 1:
        numbers = np.concatenate([part.numbers for part in parts if len(part)])
        rows = rows.take(np.argsort(numbers, kind="stable"))
    return rows.combine_chunks().to_batches()[0]


def coded_rows(parts: Iterable[PredicateFacts]) -> pa.Table:
    """A row per fact, predicate by predicate; texts are dictionaries: for rows that stay in process."""
    same = _Same()
    tables = [_rows(part, Place(), same, _arguments) for part in parts if len(part)]
    return pa.concat_tables(tables) if tables else SCHEMA.empty_table()


def to_columns(facts: Sequence[GroundFact], place: Place | None = None) -> pa.RecordBatch:
    """The same for facts that are here one by one."""
    return rows_of_facts(columns_of_facts(facts), place)


class _Same:
    """Columns that are alike in all parts of one size, so that these share them, and their memory."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], Array] = {}

    def column(self, value: object, type: DataType, count: int) -> Array:
        """One value in all rows."""
        scalar: Any = pa.scalar(value, type)
        return self._kept((value, str(type), count), lambda: pa.repeat(scalar, count))

    def offsets(self, width: int, count: int) -> Array:
        """Of lists that have so many entries each."""
        starts = np.arange(count + 1, dtype=np.int32) * np.int32(width)
        return self._kept((width, count), lambda: pa.array(starts))

    def _kept(self, key: tuple[object, ...], make: Callable[[], Array]) -> Array:
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def texts(self, text: str | None, count: int) -> Array:
        """As a dictionary."""
        indices: Any = self.column(None if text is None else 0, pa.int32(), count)
        known: Any = pa.array([] if text is None else [text], pa.string())
        return pa.DictionaryArray.from_arrays(indices, known)


Lists = Callable[[PredicateFacts, _Same], Array]


def _rows(part: PredicateFacts, place: Place, same: _Same, arguments: Lists) -> pa.Table:
    """The columns of `SCHEMA`; those of text as dictionaries."""
    _check_sizes(part, place)
    low = _quotients(part.low, same)
    columns: list[Array] = [
        same.texts(part.predicate, len(part)),
        arguments(part, same),
        *low,
        *(low if part.high is part.low else _quotients(part.high, same)),
        same.texts(None, len(part)) if part.order is None else _dictionary(*_texts(part.order)),
    ]
    return pa.table(columns, SCHEMA.names)


def _dictionary(places: Rows, texts: Array) -> Array:
    indices: Any = pa.array(places.astype(np.int32, copy=False), mask=places == MISSING)
    return pa.DictionaryArray.from_arrays(indices, texts)


def _texts(column: Constants) -> tuple[Rows, Array]:
    """Places of each row's text among texts, and these; each is made once."""
    match column:
        case Integers(numbers):
            encoded: Any = pa.array(numbers).dictionary_encode()
            return encoded.indices.to_numpy(), encoded.dictionary.cast(pa.string())
        case Coded(codes, values):
            return codes, write_constants(values)


def _arguments(part: PredicateFacts, same: _Same) -> Array:
    """A list per fact: the texts of all arguments, the first ones of each row before the second ones."""
    texts, places = list[Array]([pa.array([], pa.string())]), list[Rows]()
    for codes, known in map(_texts, part.arguments):
        places.append(codes + sum(map(len, texts)))
        texts.append(known)
    flat = np.stack(places, axis=1).reshape(-1) if places else np.empty(0, np.int64)
    offsets: Any = same.offsets(part.width, len(part))
    return pa.ListArray.from_arrays(offsets, _dictionary(flat, pa.concat_arrays(texts)))


def _numbers_or_coded(part: PredicateFacts, same: _Same) -> Array:
    """The same; numbers are written one by one, which takes less time than to find equal ones."""
    columns = [column.numbers for column in part.arguments if isinstance(column, Integers)]
    if not columns or len(columns) < part.width:
        return _arguments(part, same)
    flat: Any = pa.array(np.stack(columns, axis=1).reshape(-1))
    offsets: Any = same.offsets(part.width, len(part))
    return pa.ListArray.from_arrays(offsets, flat.cast(pa.string()))


def _quotients(ends: Ends, same: _Same) -> list[Array]:
    """Numerators and denominators without a common factor, and which ends are open."""
    is_plain = ends.is_infinite is None and ends.is_open is None and ends.denominator == 1
    if is_plain and not _may_be_large(ends):
        units = same.column(1, pa.int64(), len(ends))
        return [pa.array(ends.numerators), units, same.column(False, pa.bool_(), len(ends))]
    above, below = _reduced(ends)
    nulls = np.zeros(len(ends), bool) if ends.is_infinite is None else ends.is_infinite
    opened = nulls if ends.is_open is None else ends.is_open | nulls
    return [pa.array(above, mask=nulls), pa.array(below, mask=nulls), pa.array(opened)]


def _reduced(ends: Ends) -> tuple[Rows, Rows]:
    if ends.denominator == 1 and not _may_be_large(ends):
        return ends.numerators, np.ones(len(ends), np.int64)
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
                raise catalogue.TIME_TOO_LARGE(place, number, "time", str(time))


def to_facts(columns: pa.RecordBatch) -> Iterator[GroundFact]:
    """The facts again."""
    for row in columns.to_pylist():
        low = None if row["low"] is None else Fraction(row["low"], row["low_unit"])
        high = None if row["high"] is None else Fraction(row["high"], row["high_unit"])
        interval = Interval(low, high, row["low_open"], row["high_open"])
        order = None if row[ORDER] is None else read_constant(row[ORDER])
        yield GroundFact(row[PREDICATE], tuple(map(read_constant, row[ARGS])), interval, order)


def shown_fact(row: dict[str, Any]) -> dict[str, Any] | None:
    """A row of facts, readable; None for one that only marks a time.

    Copies of a fact for one stage carry a suffix in their names.
    """
    if not row[PREDICATE]:
        return None
    (fact,) = to_facts(pa.RecordBatch.from_pylist([row], SCHEMA))
    args = [json_value(value) for value in fact.arguments]
    name = fact.predicate.partition("#")[0].removesuffix("?")
    return {"predicate": name, "args": args, "interval": str(fact.interval)}


def facts_of_rows(rows: pa.Table) -> list[PredicateFacts]:
    """The facts again, as columns per predicate; rows of one have the same number of arguments."""
    return [_facts(name, own) for name, own in rows_by_predicate(rows)]


def _facts(name: str, rows: pa.Table) -> PredicateFacts:
    width = arity_of(name, rows)
    lists: Any = rows.column(ARGS).combine_chunks()
    places, texts = _encoded(lists.flatten())
    table = places.reshape(len(rows), width)
    ties: Any = rows.column(ORDER)
    return PredicateFacts(
        name,
        tuple(_constants(table[:, place], texts) for place in range(width)),
        ends_of_rows(rows, "low"),
        ends_of_rows(rows, "high"),
        np.arange(len(rows)),
        None if ties.null_count == len(ties) else _coded(*_encoded(ties.combine_chunks())),
    )


def _encoded(texts: Any) -> tuple[Rows, Any]:
    """Places among distinct texts, and these; `MISSING` where there is none."""
    found = texts if pa.types.is_dictionary(texts.type) else texts.dictionary_encode()
    places = pc.fill_null(found.indices, MISSING) if found.null_count else found.indices
    return places.to_numpy(zero_copy_only=False), found.dictionary


def _constants(places: Rows, texts: Any) -> Constants:
    """Of those of a column; the texts are those of all columns."""
    used = np.zeros(len(texts), bool)
    used[places] = True
    if not used.all():
        places, texts = np.cumsum(used)[places] - 1, texts.filter(pa.array(used))
    numbers: Any = short_numbers(texts)
    return _coded(places, texts) if numbers is None else Integers(numbers.to_numpy()[places])


def _coded(places: Rows, texts: Any) -> Coded:
    return Coded(places, read_constants(texts))


def ends_of_rows(rows: pa.Table, end: str) -> Ends:
    """The columns `low` or `high` of rows as ends."""
    found: Any = rows.column(end)
    units: Any = rows.column(f"{end}_unit")
    opened = rows.column(f"{end}_open").to_numpy()
    missing = found.is_null().to_numpy() if found.null_count else None
    if missing is not None:
        found, units = pc.fill_null(found, 0), pc.fill_null(units, 1)
    above, below = found.to_numpy(), units.to_numpy()
    is_open = opened if opened.any() else None
    if (below == 1).all():
        return Ends(above, 1, missing, is_open)
    common = lcm(*map(int, np.unique(below)))
    is_large = common * int(np.abs(above.astype(object)).max()) > _LARGEST
    kind = object if is_large or common > _LARGEST else np.int64
    return Ends(above.astype(kind) * (common // below.astype(kind)), common, missing, is_open)


# --- parts of them


def rows_by_predicate(rows: pa.Table) -> Iterator[tuple[str, pa.Table]]:
    names = [*map(str, rows.column(PREDICATE).unique().to_pylist())]
    for name in names:
        yield name, rows if len(names) == 1 else rows.filter(pc.field(PREDICATE) == name)


def background_rows(rows: pa.Table) -> pa.Table:
    return rows.filter(_IS_BACKGROUND) if rows.column("low").null_count else rows.slice(0, 0)


def timed_rows(rows: pa.Table) -> pa.Table:
    return rows.filter(~_IS_BACKGROUND) if rows.column("low").null_count else rows


def arity_of(name: str, rows: pa.Table) -> int:
    first, *others = pc.list_value_length(rows.column(ARGS)).unique().to_pylist()
    if others:
        raise catalogue.wrong_arity(name, int(others[0] or 0), int(first or 0))
    return int(first or 0)
