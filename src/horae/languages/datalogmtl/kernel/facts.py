"""Facts as interval relations."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from horae.data.cuts import FUTURE, PAST
from horae.data.ground_facts import GroundFact
from horae.data.symbols import Symbols
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.rules.intervals.relation import Relation, relation


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
