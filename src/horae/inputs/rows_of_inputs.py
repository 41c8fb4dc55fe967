"""Rows of CQL streams and relations as typed columns: c0, c1, …, and for a stream `time` and `order`.

The same for files, facts and the batches of a DataFrame: all refuse the same values with the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor, isfinite

import pyarrow as pa

from horae.inputs import catalogue_rows as catalogue
from horae.inputs.columns import Array
from horae.inputs.fact_values import exact_time
from horae.inputs.layout import Place
from horae.inputs.numbers import parse_bool
from horae.kernels.datalogmtl.facts import GroundFact
from horae.kernels.lars.codes import LARGEST
from horae.languages.cql.program import Input
from horae.languages.cql.tree import Type
from horae.languages.datalogmtl.intervals import ALWAYS

TIME, ORDER = "time", "order"
ARROW: dict[Type, pa.DataType] = {
    Type.INT: pa.int64(),
    Type.DOUBLE: pa.float64(),
    Type.STRING: pa.string(),
    Type.BOOL: pa.bool_(),
}
_WHOLE = 2**63


def schema_of(item: Input) -> pa.Schema:
    """`order` is text that sorts as it should among equal times; null without an order column."""
    fields = {f"c{place}": ARROW[column.type] for place, column in enumerate(item.columns)}
    if item.is_stream:
        fields |= {TIME: pa.int64(), ORDER: pa.string()}
    return pa.schema(fields)


@dataclass(frozen=True, slots=True)
class InputLayout:
    """Which columns of a table are what. `typed` is false where values are text without types."""

    item: Input
    columns: tuple[str, ...]
    time: str | None
    order: str | None
    typed: bool

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.columns, *(n for n in (self.time, self.order) if n is not None))


def lay_out(
    item: Input,
    names: Sequence[str],
    *,
    time: str = TIME,
    order: str | None = None,
    typed: bool = True,
    place: str = "",
) -> InputLayout:
    """A stream has a time column; all columns but time and order are attributes, in order."""
    if item.is_stream and time not in names:
        raise catalogue.no_time_column(item, time, names, place)
    clock = time if item.is_stream else None
    ranked = order if item.is_stream and order in names else None
    columns = tuple(name for name in names if name not in (clock, ranked))
    if len(columns) != len(item.columns):
        raise catalogue.wrong_width(item, columns, place)
    return InputLayout(item, columns, clock, ranked, typed)


def find_input(name: str, inputs: Mapping[str, Input], place: str) -> Input:
    """Names are the same in any case; `inputs` has them in lower case."""
    item = inputs.get(name.lower())
    if item is None:
        raise catalogue.unknown_input(name, place, [i.name for i in inputs.values()])
    return item


Columns = Mapping[str, Sequence[object]]


def read_rows(layout: InputLayout, columns: Columns, rows: int, place: Place) -> pa.Table:
    """Typed columns; the first wrong value is an error with its row and column."""
    item = layout.item
    arrays: list[Array] = [
        _values(columns[name], column.type, column.name, layout.typed, place)
        for name, column in zip(layout.columns, item.columns, strict=True)
    ]
    if layout.time is not None:
        arrays.append(_times(columns[layout.time], place))
        ordered = None if layout.order is None else columns[layout.order]
        arrays.append(
            pa.array([None] * rows if ordered is None else map(order_text, ordered), pa.string())
        )
    return pa.table(arrays, schema=schema_of(item))


def _values(found: Sequence[object], type: Type, name: str, typed: bool, place: Place) -> Array:
    """Values repeat: each is understood once."""
    known: dict[tuple[object, object], object] = {}
    values: list[object] = []
    for index, value in enumerate(found):
        if value is None:
            raise catalogue.no_value(place, index, name)
        key = (value.__class__, value)
        if key not in known:
            known[key] = convert(value, type, typed)
        if known[key] is None:
            raise catalogue.wrong_value(place, index, name, type, value)
        values.append(known[key])
    return pa.array(values, ARROW[type])


def convert(value: object, type: Type, typed: bool = True) -> object:
    """The value in the type of its column; None if it is none of that type."""
    match type:
        case Type.STRING:
            return value if isinstance(value, str) else None
        case Type.BOOL:
            return value if isinstance(value, bool) else parse_bool(str(value))
        case Type.INT:
            number = _number(value, typed)
            whole = number is not None and number.denominator == 1 and -_WHOLE <= number < _WHOLE
            return int(number) if number is not None and whole else None
        case Type.DOUBLE:
            return _double(value, typed)


def _number(value: object, typed: bool) -> Fraction | None:
    if isinstance(value, bool) or (isinstance(value, str) and typed):
        return None
    if isinstance(value, float) and not isfinite(value):
        return None
    if not isinstance(value, int | float | Fraction | Decimal | str):
        return None
    try:
        return Fraction(value)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def _double(value: object, typed: bool) -> float | None:
    number = _number(value, typed)
    try:
        return None if number is None else float(number)
    except OverflowError:
        return None


def _times(found: Sequence[object], place: Place) -> Array:
    points: list[int] = []
    for index, value in enumerate(found):
        time = exact_time(value)
        if time is None or time.denominator != 1 or not 0 <= time < LARGEST:
            raise catalogue.not_a_time_point(place, index, value)
        points.append(time.numerator)
    return pa.array(points, pa.int64())


def order_text(value: object) -> str | None:
    """Text with the order of the values: numbers before text, by value (to 18 decimals)."""
    if value is None:
        return None
    number = _number(value, False)
    if number is None:
        return f"t{value}"
    return f"n{floor(number * 10**18) + 10**60:062d}"


# --- facts


def read_facts(facts: Iterable[GroundFact], inputs: Mapping[str, Input]) -> dict[str, pa.Table]:
    """A table per registered name; facts about other names are not needed."""
    rows: dict[str, list[GroundFact]] = {item.name: [] for item in inputs.values()}
    place = Place("", None)
    for fact in facts:
        item = inputs.get(fact.predicate.lower())
        if item is None:
            continue
        if item.is_stream == (fact.interval == ALWAYS):
            wrong = catalogue.needs_time if item.is_stream else catalogue.takes_no_time
            raise wrong(item, place, 0)
        rows[item.name].append(fact)
    return {item.name: _facts(item, rows[item.name], place) for item in inputs.values()}


def _facts(item: Input, facts: list[GroundFact], place: Place) -> pa.Table:
    names = [f"c{i}" for i in range(len(item.columns))]
    layout = lay_out(item, [*names, *([TIME, ORDER] if item.is_stream else [])], order=ORDER)
    columns: dict[str, list[object]] = {
        name: [fact.arguments[i] for fact in facts] for i, name in enumerate(names)
    }
    columns[TIME] = [
        fact.interval.low if fact.interval.is_punctual else str(fact.interval) for fact in facts
    ]
    columns[ORDER] = [fact.order for fact in facts]
    return read_rows(layout, columns, len(facts), place)
