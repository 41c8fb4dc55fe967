"""A column of a table, as its type: values, times, and the order of rows that have the same time.

Columns that have the right type, or text of plain numbers, are taken as a whole. Of all others each
distinct value is read once, by the functions that decide what a value may be; the first row that has a
wrong one is an error with its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor, isfinite
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from horae.data import catalogue_rows as catalogue
from horae.data.clock import Clock, WrongTimeError
from horae.data.columns import Array, Column, DataType
from horae.data.layout import Place
from horae.data.numbers import parse_bool, show
from horae.data.rationals import is_readable
from horae.data.times import note_times, to_ticks
from horae.data.types import Type
from horae.data.values import ARROW_TYPES, decoded, is_text
from horae.source.errors import InputError
from horae.source.text import is_unicode

Given = Sequence[object] | Array | Column
"""A column as it is found: of Arrow, or a list of values of any types."""

GivenColumns = Mapping[str, Given]
"""Columns as they are found, by their names."""

_WHOLE = 2**63
_EXACT = 2**53  # whole numbers up to here are doubles
_BRIEF = 36  # characters; Arrow reads longer numbers in its own way


def typed_column(given: Given, type: Type, name: str, typed: bool, place: Place) -> Array:
    """`typed` is false where numbers are text."""

    def refused(index: int, value: object) -> InputError:
        if value is None:
            return catalogue.NO_VALUE(place, index, name)
        return catalogue.not_a_value(place, index, name, type, value)

    column = plain_column(given)
    fitting = fitting_values(column, type, typed) if isinstance(column, pa.Array) else None
    if fitting is not None:
        return fitting
    distinct = Distinct.of(column)
    return distinct.read(lambda value: convert(value, type, typed), refused, ARROW_TYPES[type])


def typed_times(given: Given, name: str, clock: Clock, place: Place) -> Array:
    """Ticks of the clock."""
    try:
        ticks = to_ticks(given, clock)
    except WrongTimeError as error:
        raise catalogue.wrong_time_point(place, name, clock, error) from None
    note_times(given, ticks, clock)
    return pa.array(ticks)


def typed_orders(given: Given) -> Array:
    """Texts that sort as the values do; null where there is none."""
    column = plain_column(given)
    fitting = fitting_orders(column) if isinstance(column, pa.Array) else None
    if fitting is not None:
        return fitting
    distinct = Distinct.of(column)
    return distinct.taken([order_text(value) for value in distinct.values], pa.string())


def plain_column(given: Given) -> Array | Sequence[object]:
    """A column of Arrow in one piece, without a dictionary: both are matters of storage."""
    if isinstance(given, pa.Array):
        given = pa.chunked_array([given])
    if not isinstance(given, pa.ChunkedArray):
        return given
    found: Any = decoded(given)
    whole: Array = found.chunk(0) if found.num_chunks == 1 else found.combine_chunks()
    return whole


# --- columns that are taken as a whole; None where a value might be wrong, or needs to be read


def fitting_values(found: Array, type: Type, typed: bool = True) -> Array | None:
    if found.null_count:
        return None
    match type:
        case Type.STRING:
            return found.cast(pa.string()) if is_text(found.type) else None
        case Type.BOOL:
            return found if pa.types.is_boolean(found.type) else None
        case Type.INT:
            number = found if typed else _number_of_text(found, pa.int64())
            return number.cast(pa.int64()) if number is not None and _is_int(number.type) else None
        case Type.DOUBLE:
            number = found if typed else _number_of_text(found, pa.float64())
            return None if number is None else _doubles(number)


def _is_int(type: DataType) -> bool:
    return bool(pa.types.is_integer(type)) and type != pa.uint64()


def _number_of_text(found: Array, type: DataType) -> Array | None:
    """Numbers in digits; a column that is no text stays as it is."""
    if not is_text(found.type):
        return found
    text: Any = found
    longest = pc.max(pc.utf8_length(text)).as_py()
    has_letter = pc.any(pc.match_substring_regex(text, "[a-zA-Z]")).as_py()
    if has_letter or (longest is not None and longest > _BRIEF):
        return None
    try:
        return found.cast(type)
    except pa.ArrowInvalid:
        return None


def _doubles(found: Array) -> Array | None:
    if _is_int(found.type):
        return found.cast(pa.float64()) if _are_between(found, -_EXACT, _EXACT) else None
    if found.type not in (pa.float32(), pa.float64()):
        return None
    return found.cast(pa.float64()) if _all(pc.is_finite(found)) else None


def _all(truths: Any) -> bool:
    """True also where there are no rows."""
    return pc.all(truths, min_count=0).as_py() is True


def _are_between(found: Array, least: int, most: int) -> bool:
    ends: Any = pc.min_max(found)
    low, high = ends["min"].as_py(), ends["max"].as_py()
    return low is None or (least <= low and high <= most)


def fitting_orders(found: Array) -> Array | None:
    """Natural numbers, as `order_text` writes them."""
    if found.null_count or not _is_int(found.type) or not _are_between(found, 0, 2**63 - 1):
        return None
    digits: Any = pc.utf8_lpad(found.cast(pa.int64()).cast(pa.string()), 42, "0")
    before: Any = pa.scalar("n01")
    after: Any = pa.scalar("0" * 18)
    return cast(Array, pc.binary_join_element_wise(before, digits, after, ""))


# --- columns of which each distinct value is read once


@dataclass(frozen=True)
class Distinct:
    """The distinct values of a column, and which of them each row has."""

    values: list[object]
    places: npt.NDArray[np.int64]

    @classmethod
    def of(cls, given: Sequence[object] | Array) -> Distinct:
        if isinstance(given, pa.Array) and not pa.types.is_nested(given.type):
            encoded: Any = given.dictionary_encode(null_encoding="encode")
            places = encoded.indices.cast(pa.int64()).to_numpy(zero_copy_only=False)
            return cls(encoded.dictionary.to_pylist(), places)
        return cls._of_objects(given.to_pylist() if isinstance(given, pa.Array) else given)

    @classmethod
    def _of_objects(cls, given: Sequence[object]) -> Distinct:
        """Numbers that are equal may differ in their types, which matter: `1`, `1.0` and `True`."""
        values: list[object] = []
        known: dict[object, int] = {}
        places = np.empty(len(given), np.int64)
        for index, value in enumerate(given):
            place = known.setdefault(_key(value), len(values))
            if place == len(values):
                values.append(value)
            places[index] = place
        return cls(values, places)

    def read(
        self,
        understand: Callable[[object], object],
        refused: Callable[[int, object], InputError],
        type: DataType,
    ) -> Array:
        """`understand` gives None for a value that is wrong."""
        understood = [None if value is None else understand(value) for value in self.values]
        wrong = [place for place, value in enumerate(understood) if value is None]
        if wrong:
            index = int(np.argmax(np.isin(self.places, wrong)))
            raise refused(index, self.values[self.places[index]])
        return self.taken(understood, type)

    def taken(self, understood: Sequence[object], type: DataType) -> Array:
        chosen: Any = pa.array(self.places)
        result: Array = pa.array(understood, type).take(chosen)
        return result


def _key(value: object) -> object:
    """Equal for values that are read alike. What has no hash, such as a list, is like nothing else."""
    try:
        return value.__class__, value, hash(value)
    except TypeError:
        return id(value)


# --- single values


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


def order_text(value: object) -> str | None:
    """Text with the order of the values: numbers before text, by value (to 18 decimals)."""
    if value is None:
        return None
    number = _number(value, False)
    if number is None:
        return f"t{show(value)}"
    return f"n{floor(number * 10**18) + 10**60:062d}"
