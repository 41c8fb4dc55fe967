"""Bounds as values with arithmetic, so that "there is no bound" carries its reason all the way.

An amount that has no static bound is not a missing number: it has a cause in the text of the
program. `Unbounded` keeps that cause through sums, products and maxima.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from horae.source.text import Span


@dataclass(frozen=True, slots=True)
class Bounded:
    """At most `n`: a number of values, of bytes or of instances, or a time in seconds."""

    n: int | Fraction

    def __add__(self, other: Bound) -> Bound:
        return Bounded(self.n + other.n) if isinstance(other, Bounded) else other

    def __mul__(self, other: Bound) -> Bound:
        if isinstance(other, Bounded):
            return Bounded(self.n * other.n)
        return self if self.n == 0 else other

    def __str__(self) -> str:
        return f"{self.n:,}" if isinstance(self.n, int) else str(self.n)


@dataclass(frozen=True, slots=True)
class Unbounded:
    """No bound follows from the program; `span` is the place that is the cause."""

    why: str
    span: Span

    def __add__(self, other: Bound) -> Bound:
        return self

    def __mul__(self, other: Bound) -> Bound:
        return other if isinstance(other, Bounded) and other.n == 0 else self

    def __str__(self) -> str:
        return "unbounded"


Bound = Bounded | Unbounded

ZERO = Bounded(0)


def total(bounds: Iterable[Bound]) -> Bound:
    """The sum; the first cause wins if several have no bound."""
    result: Bound = ZERO
    for bound in bounds:
        result = result + bound
    return result


def largest(bounds: Iterable[Bound]) -> Bound:
    """The maximum, 0 of none; the first cause wins if several have no bound."""
    result: Bound = ZERO
    for bound in bounds:
        result = _greater(result, bound)
    return result


def _greater(left: Bound, right: Bound) -> Bound:
    if isinstance(left, Unbounded):
        return left
    if isinstance(right, Unbounded):
        return right
    return right if right.n > left.n else left
