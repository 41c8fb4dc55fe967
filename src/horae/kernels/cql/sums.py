"""Sums and averages of groups, exact and rounded once, so that the order of rows has no say.

Values come sorted by group; `starts` are the places where groups begin, and no group is empty.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from horae.kernels.cql.columns import Bools, Ints

Doubles = npt.NDArray[np.float64]

_EXACT = 2**53  # ints up to this are doubles
_HALF = 32


def sum_ints(values: Ints, starts: Ints) -> tuple[Ints, Bools]:
    """The sums, and where they do not fit into 64 bits."""
    high, low = _halves(values, starts)
    wrong = (high < -(2**31)) | (high >= 2**31)
    return (np.where(wrong, 0, high) << _HALF) + low, wrong


def _halves(values: Ints, starts: Ints) -> tuple[Ints, Ints]:
    """The exact sums as high · 2³² + low, 0 ≤ low < 2³²."""
    if not len(starts):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    low = np.add.reduceat(values & (2**_HALF - 1), starts)
    high = np.add.reduceat(values >> _HALF, starts) + (low >> _HALF)
    return high, low & (2**_HALF - 1)


def average_ints(values: Ints, starts: Ints) -> Doubles:
    sizes = np.diff(starts, append=len(values))
    high, low = _halves(values, starts)
    small = (high >= -(2**20)) & (high < 2**20)
    total = np.where(small, (np.where(small, high, 0) << _HALF) + low, 0)
    result: Doubles = total / np.maximum(sizes, 1)
    for group in np.flatnonzero(~small):
        exact = (int(high[group]) << _HALF) + int(low[group])
        result[group] = exact / int(sizes[group])
    return result


def sum_doubles(values: Doubles, starts: Ints) -> Doubles:
    return _per_group(values, starts, sum_of)


def average_doubles(values: Doubles, starts: Ints) -> Doubles:
    return _per_group(values, starts, average_of)


def _per_group(
    values: Doubles, starts: Ints, function: Callable[[Sequence[float]], float]
) -> Doubles:
    found = [function(group) for group in _groups(values, starts)]
    return np.array(found, np.float64) + 0.0


def _groups(values: Doubles, starts: Ints) -> Iterator[list[float]]:
    items = values.tolist()
    for start, end in pairwise([*starts.tolist(), len(items)]):
        yield items[start:end]


def sum_of(values: Sequence[float]) -> float:
    """Infinite where the sum is too large."""
    try:
        return math.fsum(values)
    except OverflowError:  # also where only a partial sum is too large
        return _exact_quotient(values, 1)


def average_of(values: Sequence[float]) -> float:
    return values[0] if len(values) == 1 else _exact_quotient(values, len(values))


def _exact_quotient(values: Sequence[float], divisor: int) -> float:
    """The sum as an integer over a power of two; Python divides integers with one rounding."""
    ratios = [value.as_integer_ratio() for value in values]
    bits = max(below.bit_length() for _, below in ratios)
    total = sum(above << (bits - below.bit_length()) for above, below in ratios)
    try:
        return total / (divisor << (bits - 1))
    except OverflowError:
        return math.inf if total > 0 else -math.inf
