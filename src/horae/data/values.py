"""One column of an event table, cast to the declared type of its input, or refused with the row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data import catalogue
from horae.data.columns import Column, DataType
from horae.data.layout import Place
from horae.data.numbers import parse_bool, parse_double, parse_int
from horae.data.types import Type

ARROW_TYPES: dict[Type, DataType] = {
    Type.INT: pa.int64(),
    Type.DOUBLE: pa.float64(),
    Type.BOOL: pa.bool_(),
    Type.STRING: pa.string(),
}

_PARSERS: dict[Type, Callable[[str], Any]] = {
    Type.INT: parse_int,
    Type.DOUBLE: parse_double,
    Type.BOOL: parse_bool,
}


def cast(column: Column, name: str, type: Type, place: Place) -> Column:
    """The values as the program sees them; nulls stay."""
    column = decoded(column)
    if pa.types.is_null(column.type):
        return column.cast(ARROW_TYPES[type])
    if is_text(column.type) and type is not Type.STRING:
        converted = _from_text(column, name, type, place)
    elif _fits(column.type, type):
        converted = _convert(column, name, type, place)
    else:
        raise catalogue.wrong_column(place.name, name, describe_type(column.type), type)
    if type is Type.DOUBLE:
        _check_finite(column, converted, name, place)
    return converted


def decoded(column: Column) -> Column:
    """Dictionary encoding is a matter of storage."""
    if pa.types.is_dictionary(column.type):
        return column.cast(column.type.value_type)
    return column


def is_text(type: DataType) -> bool:
    return bool(
        pa.types.is_string(type) or pa.types.is_large_string(type) or pa.types.is_string_view(type)
    )


def describe_type(type: DataType) -> str:
    """An Arrow type in the words of the language where there is one."""
    if pa.types.is_integer(type):
        return "int"
    if pa.types.is_floating(type):
        return "double"
    return "string" if is_text(type) else str(type)


def _fits(found: DataType, type: Type) -> bool:
    match type:
        case Type.INT:
            return pa.types.is_integer(found) or (pa.types.is_decimal(found) and found.scale == 0)
        case Type.DOUBLE:
            return (
                pa.types.is_integer(found)
                or pa.types.is_floating(found)
                or pa.types.is_decimal(found)
            )
        case Type.BOOL:
            return bool(pa.types.is_boolean(found))
        case Type.STRING:
            return is_text(found)


def _convert(column: Column, name: str, type: Type, place: Place) -> Column:
    """Only `int` can fail here, on what needs more than 64 bits; a `double` takes the nearest one."""
    try:
        return column.cast(ARROW_TYPES[type], safe=type is Type.INT)
    except pa.ArrowInvalid:
        for index, value in enumerate(column.to_pylist()):
            if value is not None and not -(2**63) <= int(value) < 2**63:
                raise catalogue.wrong_value(place, index, name, value, type) from None
        raise


def _from_text(column: Column, name: str, type: Type, place: Place) -> Column:
    """Arrow's own parser where it does what we want, else value by value."""
    if not _has_prefix(column):
        try:
            return column.cast(ARROW_TYPES[type])
        except pa.ArrowInvalid:
            pass
    parse = _PARSERS[type]
    values = []
    for index, text in enumerate(column.to_pylist()):
        value = None if text is None else parse(text)
        if value is None and text is not None:
            raise _refused(place, index, name, text, type)
        values.append(value)
    return pa.chunked_array([pa.array(values, ARROW_TYPES[type])])


def _has_prefix(column: Column) -> bool:
    """Arrow reads `0x1F` as a number."""
    return bool(pc.any(pc.match_substring(column, "x", ignore_case=True)).as_py())


def _refused(place: Place, index: int, name: str, text: str, type: Type) -> Exception:
    spelt = text.strip().lstrip("+-").lower()
    if type is Type.DOUBLE and spelt in ("nan", "inf", "infinity"):
        return catalogue.NOT_FINITE(place, index, name, text)
    return catalogue.wrong_value(place, index, name, text, type)


def _check_finite(column: Column, converted: Column, name: str, place: Place) -> None:
    with np.errstate(all="ignore"):
        if not converted.null_count and np.isfinite(converted.to_numpy().sum()):
            return  # so is each of them
    finite = np.isfinite(converted.to_numpy()) | converted.is_null().to_numpy()
    if not finite.all():
        index = int(np.argmin(finite))
        raise catalogue.NOT_FINITE(place, index, name, column[index].as_py())
