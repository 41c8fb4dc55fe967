"""Facts as interval relations."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from horae.data.cuts import FUTURE, PAST, Cuts
from horae.data.predicate_facts import PredicateFacts, facts_by_predicate
from horae.data.symbols import Symbols
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.rules.intervals.relation import Relation, relation


def encode_facts(
    facts: Iterable[PredicateFacts], symbols: Symbols, timeline: Timeline
) -> dict[str, Relation]:
    """A relation per predicate."""
    return {
        name: relation(part.codes(symbols.encode), *cuts_of_facts(part, timeline))
        for name, part in facts_by_predicate(facts).items()
    }


def cuts_of_facts(facts: PredicateFacts, timeline: Timeline) -> tuple[Cuts, Cuts]:
    """The ends of all facts."""
    low, high = facts.low, facts.high
    lo = 2 * timeline.all_ticks(low)
    hi = lo if low is high else 2 * timeline.all_ticks(high)
    lo = lo if low.is_open is None else lo + low.is_open
    hi = hi + 1 if high.is_open is None else hi + ~high.is_open
    if low.is_infinite is not None:
        lo = np.where(low.is_infinite, PAST, lo)
    if high.is_infinite is not None:
        hi = np.where(high.is_infinite, FUTURE, hi)
    return lo, hi
