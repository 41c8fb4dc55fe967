"""Stretches of the timeline: from a first to a last time point, both included, or without an end."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from horae.data.intervals import Interval

Span = tuple[int, int | None]
"""The last time point is None where there is none. A span whose first is behind its last is empty."""

WHOLE: Span = (0, None)
EMPTY: Span = (1, 0)


def meet(left: Span, right: Span) -> Span:
    """The time points of both."""
    ends = [end for end in (left[1], right[1]) if end is not None]
    span = (max(left[0], right[0]), min(ends, default=None))
    return EMPTY if is_empty(span) else span


def hull(left: Span, right: Span) -> Span:
    """The smallest span around both."""
    if is_empty(left) or is_empty(right):
        return right if is_empty(left) else left
    endless = left[1] is None or right[1] is None
    return min(left[0], right[0]), None if endless else max(left[1] or 0, right[1] or 0)


def is_empty(span: Span) -> bool:
    return span[1] is not None and span[0] > span[1]


def contains(span: Span, time: int) -> bool:
    return span[0] <= time and (span[1] is None or time <= span[1])


def time_points(interval: Interval) -> Span:
    """The natural numbers in an interval of rationals."""
    low = 0 if interval.low is None else _first(interval.low, interval.low_open)
    high = None if interval.high is None else -_first(-interval.high, interval.high_open)
    return meet(WHOLE, (low, high))


def _first(bound: Fraction, is_open: bool) -> int:
    return floor(bound) + 1 if is_open else ceil(bound)
