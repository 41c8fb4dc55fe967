"""Comparison of Spark columns. An int and a double are compared as numbers, without rounding."""

from __future__ import annotations

import operator
from collections.abc import Callable

from pyspark.sql import Column
from pyspark.sql import functions as f

from horae.data.types import Type
from horae.rules.arithmetic import Comparator

_COMPARE: dict[Comparator, Callable[[Column, Column], Column]] = {
    Comparator.EQUAL: operator.eq,
    Comparator.UNEQUAL: operator.ne,
    Comparator.LESS: operator.lt,
    Comparator.AT_MOST: operator.le,
    Comparator.GREATER: operator.gt,
    Comparator.AT_LEAST: operator.ge,
}
_LARGEST = 2.0**63  # the ints end just below

Typed = tuple[Column, Type]


def compare(comparator: Comparator, left: Typed, right: Typed) -> Column:
    """Null where a side is null."""
    if left[1] is right[1]:
        return _COMPARE[comparator](left[0], right[0])
    is_int = left[1] is Type.INT
    signs = _signs(left[0], right[0]) if is_int else -_signs(right[0], left[0])
    return _COMPARE[comparator](signs, f.lit(0))


def _signs(ints: Column, doubles: Column) -> Column:
    """−1, 0, 1: the int is smaller, equal, greater."""
    below = f.floor(doubles)
    known = (
        f.when(doubles >= _LARGEST, -1)
        .when(doubles < -_LARGEST, 1)
        .when(ints > below, 1)
        .when(ints < below, -1)
        .when(doubles > below.cast("double"), -1)
        .otherwise(0)
    )
    return f.when(ints.isNotNull() & doubles.isNotNull(), known)


def whole_numbers(doubles: Column) -> Column:
    """Doubles as the ints that they equal; null where there is none."""
    fits = (
        (doubles >= -_LARGEST) & (doubles < _LARGEST) & (f.floor(doubles).cast("double") == doubles)
    )
    return f.when(fits, f.floor(doubles))


def comparable(left: Typed, right: Typed) -> tuple[Column, Column]:
    """Columns of one type, such that values are equal iff they were before."""
    if left[1] is right[1]:
        return left[0], right[0]
    if left[1] is Type.INT:
        return left[0], whole_numbers(right[0])
    return whole_numbers(left[0]), right[0]
