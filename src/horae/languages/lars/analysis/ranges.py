"""Time points relative to an evaluation time, and the formula that makes a range as wide as it is.

A bound that is missing has a place in the program: the formula stays with the end of the range through
unions and intersections.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from math import inf

from horae.languages.lars.syntax.tree import Formula


class Why(Enum):
    """What puts the end of a range where it is."""

    LENGTH = auto()  # a window with a number
    NO_WINDOW = auto()  # an operator over the whole stream
    ENDLESS = auto()  # `inf`
    VARIABLE = auto()  # a parameter that data decides
    COUNTED = auto()  # a tuple window: its atoms may be however far away
    ELSEWHERE = auto()  # a tuple window around another time than the evaluation time
    REGISTERED = auto()  # a window of the registry without a bound


@dataclass(frozen=True, slots=True)
class Cause:
    why: Why
    formula: Formula


def _cause() -> Cause | None:
    return field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Range:
    """±inf without a bound. `past` and `ahead` say what put the ends there; None: nothing did."""

    first: float
    last: float
    past: Cause | None = _cause()
    ahead: Cause | None = _cause()

    def __or__(self, other: Range) -> Range:
        first = self if self.first <= other.first else other
        last = self if self.last >= other.last else other
        return Range(first.first, last.last, first.past, last.ahead)

    def __and__(self, other: Range) -> Range:
        first = self if self.first >= other.first else other
        last = self if self.last <= other.last else other
        return Range(first.first, last.last, first.past, last.ahead)

    def because(self, cause: Cause) -> Range:
        """The cause of ends that are missing and have none yet."""
        past = cause if self.first == -inf and self.past is None else self.past
        ahead = cause if self.last == inf and self.ahead is None else self.ahead
        return Range(self.first, self.last, past, ahead)


NOW = Range(0, 0)
ANY = Range(-inf, inf)
