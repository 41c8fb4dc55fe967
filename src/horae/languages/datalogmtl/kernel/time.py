"""Exact rational time as integer ticks, and intervals as cuts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from horae.data.cuts import FUTURE, PAST, Cuts, TooNarrowError
from horae.data.intervals import Interval
from horae.data.predicate_facts import Ends
from horae.rules.intervals.wide import WideCut, wide_cuts

# The cuts of int64 ticks lie between the infinite ones.
LARGEST = FUTURE // 2 - 1


@dataclass(frozen=True, slots=True)
class Timeline:
    """`resolution` ticks make one unit of time; every rational in play is a whole number of ticks.

    Ticks and cuts are int64, or `wide`: integers of any size.
    """

    resolution: int
    wide: bool = False

    def ticks(self, time: Fraction) -> int:
        share, rest = divmod(self.resolution, time.denominator)
        assert rest == 0, "the resolution holds every time"
        return self._fitting(time.numerator * share)

    def _fitting(self, ticks: int) -> int:
        if self.wide:
            return WideCut(ticks)
        if abs(ticks) > LARGEST:
            raise self._too_large(ticks)
        return ticks

    def _too_large(self, ticks: int) -> TooNarrowError:
        step = Fraction(1, self.resolution)
        return TooNarrowError(
            "RUN010",
            f"the time {Fraction(ticks, self.resolution)} is too large to be counted exactly in "
            f"64 bits, in steps of {step}",
            help="count time from a later moment or in coarser steps, or evaluate all facts at once",
        )

    def all_ticks(self, ends: Ends) -> Cuts:
        """Many at once; 0 where there is no end."""
        assert self.resolution % ends.denominator == 0, "the resolution holds every time"
        if not self.wide and ends.largest * (self.resolution // ends.denominator) > LARGEST:
            raise self._too_large(self._first_too_large(ends))
        ticks = ends.over(self.resolution)
        return wide_cuts(ticks) if self.wide else ticks.astype(np.int64, copy=False)

    def _first_too_large(self, ends: Ends) -> int:
        share = self.resolution // ends.denominator
        numerators: list[int] = ends.numerators.tolist()
        return next(n * share for n in numerators if abs(n * share) > LARGEST)

    def after(self, ticks: int) -> int:
        """The cut behind a point that may be a sum of ticks."""
        return 2 * self._fitting(ticks) + 1

    def cuts(self, interval: Interval) -> tuple[int, int]:
        lo = PAST if interval.low is None else 2 * self.ticks(interval.low) + interval.low_open
        closed = not interval.high_open
        hi = FUTURE if interval.high is None else 2 * self.ticks(interval.high) + closed
        return lo, hi

    def time(self, ticks: int) -> Fraction:
        return Fraction(int(ticks), self.resolution)

    def interval(self, lo: int, hi: int) -> Interval:
        low = None if lo == PAST else self.time(lo >> 1)
        high = None if hi == FUTURE else self.time(hi >> 1)
        return Interval(low, high, bool(lo & 1), not hi & 1)


def common_resolution(times: Iterable[Fraction]) -> int:
    return lcm(1, *{time.denominator for time in times})
