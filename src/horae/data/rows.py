"""Events given as Python dicts, one per event, as `evaluate` takes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral, Real

import numpy as np
import pyarrow as pa

from horae.data import catalogue, catalogue_python
from horae.data.clock import Clock, WrongTimeError
from horae.data.columns import Array
from horae.data.layout import Layout, Place
from horae.data.times import column_of
from horae.data.types import Type
from horae.data.validate import empty_events, in_order, validate
from horae.data.values import ARROW_TYPES
from horae.source.text import is_unicode

Row = Mapping[str, object]


def read_rows(rows: Iterable[Row], layout: Layout, place: Place | None = None) -> pa.Table:
    """The event table of a list of dicts: the time, and a key per input that has a value.

    A key that is neither is probably a misspelt input and is refused.
    """
    where = place or Place()
    listed = list(rows)
    for index, row in enumerate(listed):
        _check_keys(row, index, layout, where)
    if not listed:
        return empty_events(layout)
    return in_order(validate(table_of(listed, layout, where), layout, where))


def given_rows(inputs: object) -> Iterator[dict[str, object]]:
    """The dicts that a Python program gives; anything else is an error that says what is expected."""
    if isinstance(inputs, Mapping | bytes) or not isinstance(inputs, Iterable):
        raise catalogue_python.wrong_inputs(inputs, catalogue_python.EVENTS)
    for index, row in enumerate(inputs):
        _check_dict(row, index)
        yield dict(row)


def _check_dict(row: object, index: int) -> None:
    if not isinstance(row, Mapping):
        raise catalogue_python.not_an_event(index, row)


def clock_value(time: object, clock: Clock) -> object:
    """A time as the number of seconds that a `timeinput` reads."""
    is_seconds = isinstance(time, Real) and clock.numbers_are_measures
    seconds = None if is_seconds else clock.exact(time)
    if seconds is None:
        return time
    return seconds.numerator if seconds.denominator == 1 else float(seconds)


def table_of(rows: Sequence[Row], layout: Layout, place: Place) -> pa.Table:
    """The columns that the program reads, with the Python values checked; other keys are ignored."""
    columns = {layout.time: _times([row.get(layout.time) for row in rows], layout, place)}
    for name, type in layout.inputs:
        if name != layout.time:
            values = [_checked(row.get(name), i, name, type, place) for i, row in enumerate(rows)]
            columns[name] = pa.array(values, ARROW_TYPES[type])
    if layout.order is not None and layout.order not in columns:
        columns[layout.order] = _orders(
            [row.get(layout.order) for row in rows], layout.order, place
        )
    return pa.table(columns)


def _check_keys(row: Row, index: int, layout: Layout, place: Place) -> None:
    _check_dict(row, index)
    known = layout.columns
    for key in row:
        if key not in known:
            raise catalogue.unknown_key(place, index, key, known)


def _checked(value: object, index: int, name: str, type: Type, place: Place) -> object:
    """The value if it is of the type; a bool is not an int, and 3.0 is not one either."""
    if value is None or _is_of(value, type):
        return value
    if isinstance(value, Integral) and type is Type.DOUBLE and not _is_bool(value):
        return float(value) if abs(int(value)) < 2**1023 else float("inf")
    raise catalogue.wrong_value(place, index, name, value, type)


def _is_of(value: object, type: Type) -> bool:
    match type:
        case Type.BOOL:
            return _is_bool(value)
        case Type.STRING:
            return isinstance(value, str) and is_unicode(value)
        case Type.INT:
            is_int = isinstance(value, Integral) and not _is_bool(value)
            return is_int and -(2**63) <= int(value) < 2**63  # type: ignore[call-overload]
        case Type.DOUBLE:
            return isinstance(value, Real) and not isinstance(value, Integral)


def _is_bool(value: object) -> bool:
    return isinstance(value, bool | np.bool_)


def _times(values: list[object], layout: Layout, place: Place) -> Array:
    try:
        return column_of(values)
    except WrongTimeError as error:
        raise catalogue.wrong_time(place, layout.time, layout.clock, error) from None


def _orders(values: list[object], name: str, place: Place) -> Array:
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, UnicodeEncodeError):
        problem = f"the values of `{name}` are of several types and cannot be ordered"
        raise catalogue.malformed_row(Place(place.name, None), 0, problem) from None
