"""Arguments of answers as typed columns: each distinct constant is converted once."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from horae.data import catalogue
from horae.data.columns import Array, DataType
from horae.data.constant_texts import read_constants, short_numbers
from horae.data.constants import Value, fits, json_value
from horae.data.numbers import show_exact

ARGUMENT = "arg"
"""Columns of arguments are called `arg1`, `arg2`, …"""

_AS_THEY_ARE: dict[DataType, type] = {pa.string(): str, pa.int64(): int}


def argument_names(arity: int) -> list[str]:
    return [f"{ARGUMENT}{place + 1}" for place in range(arity)]


def columns_of_lists(lists: Any, types: Sequence[DataType]) -> list[Array]:
    """Of lists of constants, a column per place; the type null is that of the values.

    The lists are JSON, or Arrow's with the constants' texts.
    """
    whole = _plain(lists)
    if pa.types.is_list(whole.type):
        return [_column(pc.list_element(whole, place), type) for place, type in enumerate(types)]
    if len(types) == 1:
        return [_column(pc.utf8_slice_codeunits(whole, 1, -1), types[0])]
    encoded: Any = whole.dictionary_encode()
    values = json.loads(f"[{','.join(encoded.dictionary.to_pylist())}]")
    columns = ([each[place] for each in values] for place in range(len(types)))
    return [
        _typed(column, type).take(encoded.indices)
        for column, type in zip(columns, types, strict=True)
    ]


def _plain(lists: Any) -> Any:
    whole = lists.combine_chunks() if isinstance(lists, pa.ChunkedArray) else lists
    return whole.cast(pa.string()) if pa.types.is_dictionary(whole.type) else whole


def _column(texts: Any, type: DataType) -> Array:
    encoded: Any = texts.dictionary_encode()
    found = short_numbers(encoded.dictionary) if type == pa.int64() else None
    if found is None:
        found = _typed(read_constants(encoded.dictionary), type)
    return found.take(encoded.indices)


def _typed(values: Sequence[Value], type: DataType) -> Array:
    return typed_constants(values, type_of_values(values) if type == pa.null() else type)


def typed_constants(values: Sequence[Value], type: DataType) -> Array:
    """Constants in a type that holds them; rationals may be text such as `5/2`."""
    made: Array
    if type in _AS_THEY_ARE and {value.__class__ for value in values} == {_AS_THEY_ARE[type]}:
        with suppress(OverflowError):  # which one is too large, is told below
            made = pa.array(values, type)
            return made
    convert = _converter(type)
    made = pa.array([convert(value) for value in values], type)
    return made


def _converter(type: DataType) -> Callable[[Value], object]:
    if pa.types.is_string(type):
        return lambda value: str(json_value(value))
    if pa.types.is_boolean(type):
        return lambda value: value == "true"
    if pa.types.is_floating(type):
        return _double
    if pa.types.is_decimal(type):
        return lambda value: _decimal(Fraction(value), type.scale)
    if pa.types.is_date(type):
        return lambda value: date.fromisoformat(str(value))
    return _whole


def _whole(value: Value) -> int:
    number = int(value)
    if not fits(number):
        raise catalogue.VALUE_TOO_LARGE(found=show_exact(number))
    return number


def _double(value: Value) -> float:
    try:
        return float(Fraction(value))
    except OverflowError:
        raise catalogue.VALUE_TOO_LARGE(found=show_exact(Fraction(value))) from None


def _decimal(number: Fraction, scale: int) -> Decimal:
    with localcontext() as context:
        context.prec = 76
        return (Decimal(number.numerator) / number.denominator).quantize(Decimal(1).scaleb(-scale))


def type_of_values(values: Sequence[Value]) -> DataType:
    """The least type that has all of these, where no type is known before."""
    if not values or any(isinstance(value, str) for value in values):
        return pa.string()
    is_whole = all(isinstance(value, int) and fits(value) for value in values)
    return pa.int64() if is_whole else pa.float64()
