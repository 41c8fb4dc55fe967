"""Facts as interval relations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from horae.kernels.datalogmtl.symbols import Symbols
from horae.kernels.datalogmtl.time import Timeline
from horae.kernels.intervals.cuts import FUTURE, PAST
from horae.kernels.intervals.relation import Relation, relation
from horae.languages.datalogmtl.intervals import Interval
from horae.languages.rules.terms import Value


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


def encode_facts(
    facts: Iterable[GroundFact], symbols: Symbols, timeline: Timeline
) -> dict[str, Relation]:
    """A relation per predicate."""
    by_predicate: dict[str, list[GroundFact]] = {}
    for fact in facts:
        by_predicate.setdefault(fact.predicate, []).append(fact)
    return {name: _relation(of_one, symbols, timeline) for name, of_one in by_predicate.items()}


def _relation(facts: list[GroundFact], symbols: Symbols, timeline: Timeline) -> Relation:
    width = len(facts[0].arguments)
    arguments = np.empty((len(facts), width), np.int64)
    for place in range(width):
        arguments[:, place] = symbols.encode([fact.arguments[place] for fact in facts])
    intervals = [fact.interval for fact in facts]
    lows = timeline.all_ticks([i.low for i in intervals], PAST)
    highs = timeline.all_ticks([i.high for i in intervals], FUTURE)
    opened = np.fromiter((i.low_open for i in intervals), bool, len(facts))
    closed = ~np.fromiter((i.high_open for i in intervals), bool, len(facts))
    lo = np.where(lows == PAST, PAST, 2 * lows + opened)
    hi = np.where(highs == FUTURE, FUTURE, 2 * highs + closed)
    return relation(arguments, lo, hi)
