"""Sums and averages of doubles, exact and rounded once, so that the order of values has no say."""

from __future__ import annotations

import math
from collections.abc import Sequence


def sum_of(values: Sequence[float]) -> float:
    """Infinite where the sum is too large."""
    try:
        return math.fsum(values)
    except OverflowError:  # also where only a partial sum is too large
        return _exact_quotient(values, 1)


def average_of(values: Sequence[float]) -> float:
    return values[0] if len(values) == 1 else _exact_quotient(values, len(values))


def _exact_quotient(values: Sequence[float], divisor: int) -> float:
    """The sum as an integer over a power of two."""
    ratios = [value.as_integer_ratio() for value in values]
    bits = max(below.bit_length() for _, below in ratios)
    total = sum(above << (bits - below.bit_length()) for above, below in ratios)
    return quotient(total, divisor, bits - 1)


def quotient(total: int, divisor: int, shift: int) -> float:
    """Total / divisor / 2^shift; Python divides integers with one rounding. Infinite if too large."""
    try:
        return (total << max(-shift, 0)) / (divisor << max(shift, 0))
    except OverflowError:
        return math.inf if total > 0 else -math.inf
