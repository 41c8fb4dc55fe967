"""Comparison of columns. An int and a double are compared as numbers, without rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array
from horae.languages.cql.kernel.columns import masked, numbers, validity
from horae.rules.arithmetic import Comparator

_COMPARE: dict[Comparator, Callable[[Any, Any], Array]] = {
    Comparator.EQUAL: pc.equal,
    Comparator.UNEQUAL: pc.not_equal,
    Comparator.LESS: pc.less,
    Comparator.AT_MOST: pc.less_equal,
    Comparator.GREATER: pc.greater,
    Comparator.AT_LEAST: pc.greater_equal,
}
_LARGEST = 2.0**63  # the ints end just below


def compare(comparator: Comparator, left: Array, right: Array) -> Array:
    """Null where a side is null."""
    if left.type == right.type:
        return _COMPARE[comparator](left, right)
    is_int = pa.types.is_int64(left.type)
    signs = _signs(left, right) if is_int else pc.negate(_signs(right, left))
    return _COMPARE[comparator](signs, pa.scalar(0, pa.int8()))


def _signs(ints: Array, doubles: Array) -> Array:
    """−1, 0, 1: the int is smaller, equal, greater."""
    whole, values = numbers(ints), numbers(doubles)
    floor = np.floor(np.clip(values, -_LARGEST, np.nextafter(_LARGEST, 0)))
    below = floor.astype(np.int64)
    signs = np.sign((whole > below).astype(np.int8) - (whole < below).astype(np.int8))
    signs = np.where((signs == 0) & (values > floor), -1, signs)
    signs = np.where(values >= _LARGEST, -1, np.where(values < -_LARGEST, 1, signs))
    return masked(signs.astype(np.int8), validity(ints) & validity(doubles))


def doubles_as_ints(doubles: Array) -> Array:
    """Doubles as the ints that they equal; null where there is none."""
    values = numbers(doubles)
    fits = (values >= -_LARGEST) & (values < _LARGEST) & (values == np.floor(values))
    return masked(np.where(fits, values, 0).astype(np.int64), fits & validity(doubles))


def comparable(left: Array, right: Array) -> tuple[Array, Array]:
    """Columns of one type, such that values are equal iff they were before."""
    if left.type == right.type:
        return left, right
    if pa.types.is_int64(left.type):
        return left, doubles_as_ints(right)
    return doubles_as_ints(left), right
