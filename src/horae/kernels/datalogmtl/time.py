"""Exact rational time as integer ticks, and intervals as cuts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
import numpy.typing as npt

from horae.kernels.intervals.cuts import FUTURE, PAST
from horae.languages.datalogmtl.intervals import Interval
from horae.source.errors import InputError

# Sums of a few ends must stay clear of the infinite cuts.
LARGEST = 2**58


@dataclass(frozen=True, slots=True)
class Timeline:
    """`resolution` ticks make one unit of time; every rational in play is a whole number of ticks."""

    resolution: int

    def ticks(self, time: Fraction) -> int:
        exact = time * self.resolution
        assert exact.denominator == 1, "the resolution holds every time"
        if abs(exact) > LARGEST:
            step = Fraction(1, self.resolution)
            raise InputError(
                "RUN010",
                f"the time {time} is too large to be counted exactly in steps of {step}",
                help="count time from a later moment, or use coarser rationals",
            )
        return int(exact)

    def all_ticks(self, times: Sequence[Fraction | None], infinite: int) -> npt.NDArray[np.int64]:
        """Many at once; None becomes `infinite`."""
        whole = self.resolution
        parts = {time.denominator for time in times if time is not None}
        assert not any(whole % part for part in parts), "the resolution holds every time"
        shares = {part: whole // part for part in parts}
        ticks = [
            infinite if time is None else time.numerator * shares[time.denominator]
            for time in times
        ]
        if max(ticks, default=0) > LARGEST or min(ticks, default=0) < -LARGEST:
            ticks = [infinite if time is None else self.ticks(time) for time in times]
        return np.array(ticks, np.int64)

    def cuts(self, interval: Interval) -> tuple[int, int]:
        lo = PAST if interval.low is None else 2 * self.ticks(interval.low) + interval.low_open
        closed = not interval.high_open
        hi = FUTURE if interval.high is None else 2 * self.ticks(interval.high) + closed
        return lo, hi

    def time(self, ticks: int) -> Fraction:
        return Fraction(ticks, self.resolution)

    def interval(self, lo: int, hi: int) -> Interval:
        low = None if lo == PAST else self.time(lo >> 1)
        high = None if hi == FUTURE else self.time(hi >> 1)
        return Interval(low, high, bool(lo & 1), not hi & 1)


def common_resolution(times: Iterable[Fraction]) -> int:
    return lcm(1, *{time.denominator for time in times})
