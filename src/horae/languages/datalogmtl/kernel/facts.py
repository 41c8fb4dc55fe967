"""Facts as interval relations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from horae.data.cuts import FUTURE, PAST, Cuts
from horae.data.predicate_facts import PredicateFacts
from horae.data.symbols import Symbols
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.rules.intervals.relation import Relation, relation


def encode_facts(
    facts: Iterable[PredicateFacts], symbols: Symbols, timeline: Timeline
) -> dict[str, Relation]:
    """Facts as interval relations, one per predicate."""
    parts: dict[str, list[Relation]] = {}
    for part in facts:
        parts.setdefault(part.predicate, []).append(encode_rows(part, symbols, timeline))
    return {name: _together(rows) for name, rows in parts.items()}


def encode_rows(facts: PredicateFacts, symbols: Symbols, timeline: Timeline) -> Relation:
    """Facts of one predicate as they come, in no order: not yet a relation."""
    return Relation(facts.codes(symbols.encode), *_cuts_of_facts(facts, timeline))


def _together(parts: Sequence[Relation]) -> Relation:
    if len(parts) == 1:
        return relation(parts[0].arguments, parts[0].lo, parts[0].hi)
    columns = zip(*((part.arguments, part.lo, part.hi) for part in parts), strict=True)
    return relation(*map(np.concatenate, columns))


def _cuts_of_facts(facts: PredicateFacts, timeline: Timeline) -> tuple[Cuts, Cuts]:
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
