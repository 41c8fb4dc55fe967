"""Sums and averages at each step, exact and rounded once, so that the order of rows has no say.

Rows that come are added and rows that go are taken away again. That is exact, since all is done with
whole numbers: doubles are multiples of the least power of two among them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from horae.data.columns import Doubles, Ints, Mask
from horae.languages.cql.kernel.faults import FaultKind
from horae.languages.cql.kernel.spans import Spans
from horae.languages.cql.kernel.steps import Steps

Numbers = npt.NDArray[Any]

_HALF = 32
_SMALL = 2**53  # whole numbers up to this are doubles
_ROOM = 62  # bits of a sum of 64 bits that cannot overflow
_MANTISSA = 53


@dataclass(frozen=True)
class IntTotals:
    """The exact sums as high · 2³² + low, 0 ≤ low < 2³²."""

    high: Ints
    low: Ints
    kind = FaultKind.OVERFLOW

    def values(self) -> Numbers:
        high = np.where(self._fits(), self.high, 0)
        return (high << _HALF) + self.low

    def averages(self, counts: Ints) -> Numbers:
        small = np.abs(self.high) < _SMALL >> _HALF
        total = np.where(small, (np.where(small, self.high, 0) << _HALF) + self.low, 0)
        result: Doubles = total / np.maximum(counts, 1)
        for place in np.flatnonzero(~small):
            exact = (int(self.high[place]) << _HALF) + int(self.low[place])
            result[place] = exact / max(int(counts[place]), 1)
        return result

    def is_wrong(self, found: Numbers) -> Mask:
        """An average is never too large."""
        return ~self._fits() if found.dtype == np.int64 else np.zeros(len(found), bool)

    def _fits(self) -> Mask:
        return (self.high >= -(2**31)) & (self.high < 2**31)


def of_ints(values: Numbers, rows: Spans, steps: Steps, which: Ints) -> IntTotals:
    ints = values.astype(np.int64)
    low = steps.totals(rows, ints & (2**_HALF - 1))[which]
    high = steps.totals(rows, ints >> _HALF)[which]
    return IntTotals(high + (low >> _HALF), low & (2**_HALF - 1))


@dataclass(frozen=True)
class DoubleTotals:
    """The exact sums as whole multiples of 2^-`shift`."""

    units: npt.NDArray[Any]
    shift: int
    kind = FaultKind.NOT_FINITE

    def values(self) -> Numbers:
        return self.averages(np.ones(len(self.units), np.int64))

    def averages(self, counts: Ints) -> Numbers:
        """Where the sum is a double itself, division rounds once; else Python divides integers."""
        small = np.abs(self.units) < _SMALL
        easy = np.where(small, self.units, 0).astype(np.float64) / np.maximum(counts, 1)
        with np.errstate(all="ignore"):
            result: Doubles = np.ldexp(easy, -self.shift) + 0.0
        lost = (np.abs(result) < np.finfo(np.float64).tiny) & (self.units != 0)  # rounded twice
        for place in np.flatnonzero(~small | lost):
            exact, count = int(self.units[place]), max(int(counts[place]), 1)
            result[place] = quotient(exact, count, self.shift)
        return result

    def is_wrong(self, found: Numbers) -> Mask:
        return ~np.isfinite(found)


def of_doubles(values: Numbers, rows: Spans, steps: Steps, which: Ints) -> DoubleTotals:
    doubles = values.astype(np.float64)
    units, exponents = _whole(doubles)
    least = int(exponents.min(initial=0))
    bits = np.frexp(units.astype(np.float64))[1] + (exponents - least)
    if int(bits.max(initial=0)) + len(doubles).bit_length() <= _ROOM:
        return DoubleTotals(steps.totals(rows, units << (exponents - least))[which], -least)
    return DoubleTotals(_long_totals(units, exponents - least, rows, steps)[which], -least)


def _whole(doubles: Doubles) -> tuple[Ints, Ints]:
    """Each double as an odd number times a power of two; zero as 0 times 1."""
    fraction, exponent = np.frexp(doubles)
    units = np.ldexp(fraction, _MANTISSA).astype(np.int64)
    even = np.where(units == 0, 1, units & -units)  # the greatest power of two that divides it
    zeros = np.log2(even.astype(np.float64)).astype(np.int64)
    return units >> zeros, np.where(units == 0, 0, exponent.astype(np.int64) - _MANTISSA + zeros)


def _long_totals(units: Ints, shifts: Ints, rows: Spans, steps: Steps) -> npt.NDArray[Any]:
    """The totals, computed with Python's integers."""
    changes = [0] * (len(steps) + 1)
    exact = [unit << shift for unit, shift in zip(units.tolist(), shifts.tolist(), strict=True)]
    for value, first, after in zip(exact, rows.first.tolist(), rows.after.tolist(), strict=True):
        changes[first] += value
        changes[after] -= value
    result = np.empty(len(steps), object)
    result[:] = list(accumulate(changes))[: len(steps)]
    return result


def quotient(total: int, divisor: int, shift: int) -> float:
    """Total / divisor / 2^shift; Python divides integers with one rounding. Infinite if too large."""
    try:
        return (total << max(-shift, 0)) / (divisor << max(shift, 0))
    except OverflowError:
        return math.inf if total > 0 else -math.inf
