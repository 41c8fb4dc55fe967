"""The timeline as finitely many regions on which no truth value can change.

Every number of the program and the data is a multiple of one *step*. So truth changes at most at
multiples of the step, and it is constant on the points of that grid, on the open gaps between them,
and, if the grid is wide enough, on the two unbounded ends. These are the regions:

    index     0         1      2        3           …   last-1    last
    region  (−∞,low)  [low]  (gap)  [low+step]      …   [high]  (high,∞)

A set of times is a bit mask over the indices. An odd index is a point, an even one is open.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import repeat

from horae.data.intervals import Interval


class Timeline:
    """The regions from `low` to `high` steps. No operator of the program looks further than `reach`.

    Arithmetic is on *positions*: half steps, where 2n is the point n and 2n+1 stands for the gap
    behind it. The position of an end lies so far outside that from there only the end is in sight.
    """

    def __init__(self, step: Fraction, low: int, high: int, reach: int) -> None:
        self.step, self.low, self.high, self.reach = step, low, high, reach
        self.last = 2 * (high - low) + 2
        self.everything = (1 << (self.last + 1)) - 1
        self._views: dict[tuple[Interval, int], tuple[int, ...]] = {}

    def steps(self, time: Fraction) -> int:
        count = time / self.step
        if count.denominator != 1:
            raise ValueError(f"{time} is no multiple of {self.step}")
        return int(count)

    def past(self, interval: Interval) -> tuple[int, ...]:
        """For each region, the regions that hold some s with t − s in the interval."""
        return self._view(interval, -1)

    def future(self, interval: Interval) -> tuple[int, ...]:
        """For each region, the regions that hold some s with s − t in the interval."""
        return self._view(interval, 1)

    def between(self, one: int, other: int) -> int:
        """The regions that meet the open interval between different times in two regions.

        Next to a time in an open region there are others of that region, on both sides.
        """
        first, last = sorted((one, other))
        return _as_mask(range(first + _is_point(first), last + 1 - _is_point(last)))

    def mask(self, interval: Interval) -> int:
        """The regions inside an interval, whose ends lie on the grid and within the range."""
        if interval.is_empty:
            return 0
        first, last = 0, self.last
        if interval.low is not None:
            first = self._index(2 * self.steps(interval.low)) + interval.low_open
        if interval.high is not None:
            last = self._index(2 * self.steps(interval.high)) - interval.high_open
        return _as_mask(range(first, last + 1))

    def region_of(self, time: Fraction) -> int:
        """The index of the region that holds a time, which need not lie on the grid."""
        count = time / self.step
        return self._index(2 * (count.numerator // count.denominator) + (count.denominator != 1))

    def intervals(self, mask: int) -> Iterator[Interval]:
        """The maximal intervals of a set of regions, in order."""
        index = 0
        while index <= self.last:
            first = index
            while mask >> index & 1:
                index += 1
            if index > first:
                yield self._interval(first, index - 1)
            index += 1

    def _interval(self, first: int, last: int) -> Interval:
        low = None if first == 0 else self._time(first // 2 if first % 2 else first // 2 - 1)
        high = None if last == self.last else self._time(last // 2)
        return Interval(low, high, not _is_point(first), not _is_point(last))

    def _time(self, number: int) -> Fraction:
        return (self.low + number) * self.step

    def _view(self, interval: Interval, direction: int) -> tuple[int, ...]:
        key = (interval, direction)
        if key not in self._views:
            self._views[key] = tuple(map(_as_mask, self._looks(interval, direction)))
        return self._views[key]

    def _looks(self, interval: Interval, direction: int) -> Iterator[range]:
        """From each region, the regions between the near and the far end of the interval.

        From a gap, the interval also ends inside a gap, so there its ends may be open or closed.
        """
        if interval.is_empty:
            yield from repeat(range(0), self.last + 1)
            return
        near = 2 * self.steps(interval.low or Fraction(0))
        far = None if interval.high is None else 2 * self.steps(interval.high)
        for index in range(self.last + 1):
            position, point = self._position(index), _is_point(index)
            one = self._index(position + direction * (near + (point and interval.low_open)))
            if far is None:
                other = 0 if direction < 0 else self.last
            else:
                other = self._index(position + direction * (far - (point and interval.high_open)))
            yield range(min(one, other), max(one, other) + 1)

    def _position(self, index: int) -> int:
        if index == 0:
            return 2 * (self.low - self.reach) - 1
        if index == self.last:
            return 2 * (self.high + self.reach) + 1
        return 2 * self.low + index - 1

    def _index(self, position: int) -> int:
        return min(max(position - 2 * self.low + 1, 0), self.last)


def _as_mask(regions: range) -> int:
    return ((1 << len(regions)) - 1) << regions.start if regions else 0


def _is_point(index: int) -> bool:
    return index % 2 == 1
