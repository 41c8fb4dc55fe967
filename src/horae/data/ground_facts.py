"""Facts without variables: what rules are evaluated over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from horae.data.constants import Value
from horae.data.intervals import Interval


@dataclass(frozen=True, slots=True)
class GroundFact:
    """`order` is the value of the order column, where there is one: it tells ties of tuple
    windows apart.
    """

    predicate: str
    arguments: tuple[Value, ...]
    interval: Interval
    order: Value | None = None


def times_of(facts: Iterable[GroundFact]) -> Iterable[Fraction]:
    """Every finite end."""
    for fact in facts:
        for end in (fact.interval.low, fact.interval.high):
            if end is not None:
                yield end
