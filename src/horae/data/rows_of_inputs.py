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

from horae.data import catalogue_rows as catalogue
from horae.data.bind_columns import bind_columns, find_column
from horae.data.clock import TIME_POINTS, Clock, WrongTimeError
from horae.data.columns import Array
from horae.data.fact_tables import check_names
from horae.data.fitting_columns import fitting_orders, fitting_values
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS, Interval
from horae.data.layout import Place
from horae.data.numbers import parse_bool, show
from horae.data.rationals import is_readable
from horae.data.roll import note
from horae.data.schema import Input
from horae.data.times import note_large_times, to_ticks
from horae.data.types import Type
from horae.source.errors import InputError
from horae.source.text import is_unicode

TIME, ORDER = "time", "order"
ARROW: dict[Type, pa.DataType] = {
    Type.INT: pa.int64(),
    Type.DOUBLE: pa.float64(),
    Type.STRING: pa.string(),
    Type.BOOL: pa.bool_(),
}
_WHOLE = 2**63
_NESTED = (list, dict)
_READ = Clock("s", "s", natural=True)  # times of facts are time points already
_AT = "@"  # no name of a column


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
    clock: Clock = TIME_POINTS

    @property
    def names(self) -> tuple[str, ...]:
        """Each once: the time may be read as a column too."""
        beside = (name for name in (self.time, self.order) if name is not None)
        return tuple(dict.fromkeys((*self.columns, *beside)))


def lay_out(
    item: Input,
    names: Sequence[str],
    *,
    time: str = TIME,
    order: str | None = None,
    typed: bool = True,
    place: str = "",
    picked: Sequence[str] | None = None,
) -> InputLayout:
    """Columns by their names, or those that are `picked`, in order; a stream has also a time column."""
    check_names(names, place)
    columns = bind_columns(item, names, picked, place)
    if not item.is_stream:
        return InputLayout(item, columns, None, None, typed)
    clock = find_column(time, names, place)
    if clock is None:
        raise catalogue.no_time_column(item, time, names, place)
    ranked = None if order is None else find_column(order, names, place)
    return InputLayout(item, columns, clock, ranked, typed)


def find_input(name: str, inputs: Mapping[str, Input], place: str) -> Input:
    """Names are the same in any case; `inputs` has them in lower case."""
    item = inputs.get(name.lower())
    if item is None:
        raise catalogue.unknown_input(name, place, [i.name for i in inputs.values()])
    note(item.name, place)
    return item


Columns = Mapping[str, Sequence[object] | Array]


def read_rows(layout: InputLayout, columns: Columns, rows: int, place: Place) -> pa.Table:
    """Typed columns; the first wrong value is an error with its row and column."""
    item = layout.item
    arrays: list[Array] = [
        _column(columns[name], column.type, name, layout.typed, place)
        for name, column in zip(layout.columns, item.columns, strict=True)
    ]
    if layout.time is not None:
        arrays.append(_times(columns[layout.time], layout.time, layout.clock, place))
        ordered = None if layout.order is None else columns[layout.order]
        arrays.append(pa.nulls(rows, pa.string()) if ordered is None else _orders(ordered))
    return pa.table(arrays, schema=schema_of(item))


def _column(
    found: Sequence[object] | Array, type: Type, name: str, typed: bool, place: Place
) -> Array:
    if not isinstance(found, pa.Array):
        return _values(found, type, name, typed, place)
    fitting = fitting_values(found, type)
    return _values(found.to_pylist(), type, name, typed, place) if fitting is None else fitting


def _values(found: Sequence[object], type: Type, name: str, typed: bool, place: Place) -> Array:
    """Values repeat: each is understood once."""
    known: dict[tuple[object, object] | None, object] = {}
    values: list[object] = []
    for index, value in enumerate(found):
        if value is None:
            raise catalogue.no_value(place, index, name)
        key = None if isinstance(value, _NESTED) else (value.__class__, value)
        read = known.get(key)
        if read is None:
            read = convert(value, type, typed)
            if read is None:
                raise catalogue.wrong_value(place, index, name, type, value)
            known[key] = read
        values.append(read)
    return pa.array(values, ARROW[type])


def convert(value: object, type: Type, typed: bool = True) -> object:
    """The value in the type of its column; None if it is none of that type."""
    match type:
        case Type.STRING:
            return value if isinstance(value, str) and is_unicode(value) else None
        case Type.BOOL:
            return value if isinstance(value, bool) else parse_bool(show(value))
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
    if isinstance(value, str | Decimal) and not is_readable(str(value)):
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


# --- times and order


def _times(found: Sequence[object] | Array, name: str, clock: Clock, place: Place) -> Array:
    try:
        points = to_ticks(found, clock)
    except WrongTimeError as error:
        raise catalogue.wrong_time(place, name, clock, error) from None
    note_large_times(found, points, clock)
    return pa.array(points)


def _orders(found: Sequence[object] | Array) -> Array:
    if isinstance(found, pa.Array):
        fitting = fitting_orders(found)
        return _orders(found.to_pylist()) if fitting is None else fitting
    return pa.array([order_text(value) for value in found], pa.string())


def order_text(value: object) -> str | None:
    """Text with the order of the values: numbers before text, by value (to 18 decimals)."""
    if value is None:
        return None
    number = _number(value, False)
    if number is None:
        return f"t{show(value)}"
    return f"n{floor(number * 10**18) + 10**60:062d}"


# --- facts


def read_facts(facts: Iterable[GroundFact], inputs: Mapping[str, Input]) -> dict[str, pa.Table]:
    """A table per registered name; facts about other names are not needed.

    The row of an error is the number of the fact, counted from 1.
    """
    rows: dict[str, dict[int, GroundFact]] = {item.name: {} for item in inputs.values()}
    for number, fact in enumerate(facts, 1):
        item = inputs.get(fact.predicate.lower())
        if item is not None:
            _check(item, fact, number)
            rows[item.name][number] = fact
    return {item.name: _facts(item, rows[item.name]) for item in inputs.values()}


def _check(item: Input, fact: GroundFact, number: int) -> None:
    if len(fact.arguments) != len(item.columns):
        raise catalogue.wrong_arity(item, len(fact.arguments), number)
    if item.is_stream and fact.interval == ALWAYS:
        raise catalogue.needs_time(item, number)
    if not item.is_stream and fact.interval != ALWAYS:
        raise catalogue.takes_no_time(item, number)


def _facts(item: Input, rows: dict[int, GroundFact]) -> pa.Table:
    """`rows` are facts by their numbers."""
    names = tuple(column.name for column in item.columns)
    facts = list(rows.values())
    columns: dict[str, list[object]] = {
        name: [fact.arguments[i] for fact in facts] for i, name in enumerate(names)
    }
    columns[_AT] = [_written(fact.interval) for fact in facts]
    layout = InputLayout(item, names, _AT if item.is_stream else None, None, True, _READ)
    try:
        return read_rows(layout, columns, len(facts), Place())
    except InputError as error:
        number = None if error.row is None else list(rows)[error.row - 1]
        raise error.at("", number) from None


def _written(interval: Interval) -> object:
    return interval.low if interval.is_punctual else interval
