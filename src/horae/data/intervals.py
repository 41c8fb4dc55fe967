"""Intervals over exact rationals, with open and closed ends. Data and arithmetic only."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Interval:
    """`low` None is −∞ and `high` None is ∞; an infinite end is open."""

    low: Fraction | None
    high: Fraction | None
    low_open: bool = False
    high_open: bool = False

    def __post_init__(self) -> None:
        if self.low is None:
            object.__setattr__(self, "low_open", True)
        if self.high is None:
            object.__setattr__(self, "high_open", True)

    @property
    def is_empty(self) -> bool:
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    @property
    def is_punctual(self) -> bool:
        return self.low is not None and self.low == self.high and not self.is_empty

    @property
    def length(self) -> Fraction | None:
        """The distance of the ends; None if it is infinite."""
        if self.low is None or self.high is None:
            return None
        return self.high - self.low

    @property
    def mirrored(self) -> Interval:
        """The same distances on the other side of 0."""
        low, high = (None if end is None else -end for end in (self.high, self.low))
        return Interval(low, high, self.high_open, self.low_open)

    def __contains__(self, time: Fraction) -> bool:
        above = self.low is None or time > self.low or (time == self.low and not self.low_open)
        below = self.high is None or time < self.high or (time == self.high and not self.high_open)
        return above and below

    def __str__(self) -> str:
        low = "-inf" if self.low is None else str(self.low)
        high = "inf" if self.high is None else str(self.high)
        return f"{'(' if self.low_open else '['}{low},{high}{')' if self.high_open else ']'}"


ALWAYS = Interval(None, None)


def point(time: Fraction) -> Interval:
    return Interval(time, time)
