"""Columns as numbers: codes that say which values are equal, and ranks that say which are smaller.

Joins, groups and sorting all work on these, so that nulls, texts and numbers have one treatment.
In codes null equals null; in ranks nulls come first, false before true, numbers by value, texts
by code point.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array, Ints, Mask

_ROOM = 2**62
_DIGIT = 16  # bits
_MOST_DIGITS = 3


def whole_column(table: pa.Table, name: str) -> Array:
    """A column in one piece."""
    whole: Array = table.column(name).combine_chunks()
    return whole


def numbers(array: Array) -> npt.NDArray[Any]:
    """Values as NumPy has them; any number where null."""
    filled = array.fill_null(False if pa.types.is_boolean(array.type) else 0)
    return filled.to_numpy(zero_copy_only=False)


def validity(array: Array) -> Mask:
    return array.is_valid().to_numpy(zero_copy_only=False)


def masked(values: npt.NDArray[Any], valid: Mask) -> Array:
    array: Array = pa.array(values, mask=None if valid.all() else ~valid)
    return array


def taken(array: Array, rows: Ints) -> Array:
    chosen: Any = pa.array(rows, pa.int64())
    return array.take(chosen)


def codes(columns: Sequence[Array], length: int) -> Ints:
    """Equal rows have equal codes."""
    result, bound = np.zeros(length, np.int64), 1
    for array in columns:
        encoded = _encoded(array)
        size = len(encoded.dictionary) + 1
        if bound * size > _ROOM:
            first, result = classes(result)
            bound = len(first)
        result = result * size + _indices(encoded)
        bound *= size
    return result


def array_ranks(array: Array) -> Ints:
    """Smaller values have smaller ranks, equal ones the same; null is 0."""
    encoded = _encoded(array)
    order = pc.array_sort_indices(encoded.dictionary).to_numpy(zero_copy_only=False)
    rank = np.zeros(len(order) + 1, np.int64)
    rank[order + 1] = np.arange(1, len(order) + 1)
    return rank[_indices(encoded)]


def sorting(numbers: Ints) -> Ints:
    """The places of natural numbers in increasing order; equal ones stay as they are.

    Digit by digit: NumPy sorts numbers of 16 bits by counting, a dozen times as fast as longer ones.
    """
    bits = int(numbers.max(initial=0)).bit_length()
    if bits > _MOST_DIGITS * _DIGIT:
        return np.argsort(numbers, kind="stable")
    order = np.argsort(numbers.astype(np.uint16), kind="stable")
    for shift in range(_DIGIT, bits, _DIGIT):
        digits = (numbers >> shift).astype(np.uint16)[order]
        order = order[np.argsort(digits, kind="stable")]
    return order


def begins(ordered: Ints) -> Mask:
    """The places of sorted numbers where another number begins."""
    result = np.ones(len(ordered), bool)
    result[1:] = ordered[1:] != ordered[:-1]
    return result


def classes(numbers: Ints) -> tuple[Ints, Ints]:
    """The first place of each different natural number, and for each place which of them it has."""
    order = sorting(numbers)
    is_new = begins(numbers[order])
    members = np.empty(len(numbers), np.int64)
    members[order] = np.cumsum(is_new) - 1
    return order[is_new], members


def _encoded(array: Array) -> Any:
    plain = array.cast(pa.int8()) if pa.types.is_boolean(array.type) else array
    return plain.dictionary_encode()


def _indices(encoded: Any) -> Ints:
    """Places in the dictionary from 1; null is 0."""
    found = encoded.indices.cast(pa.int64()).fill_null(-1)
    places: Ints = found.to_numpy(zero_copy_only=False) + 1
    return places


def one_zero(table: pa.Table) -> pa.Table:
    """−0.0 is 0.0 everywhere: equal values must look equal."""
    for place, field in enumerate(table.schema):
        if pa.types.is_float64(field.type):
            table = table.set_column(place, field, pc.add(table.column(place), 0.0))
    return table
