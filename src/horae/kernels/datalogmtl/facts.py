"""Facts as interval relations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from horae.kernels.datalogmtl.symbols import Symbols
from horae.kernels.datalogmtl.time import Timeline
from horae.kernels.intervals.relation import Relation, relation
from horae.languages.datalogmtl.intervals import Interval
from horae.languages.rules.terms import Value


@dataclass(frozen=True, slots=True)
class GroundFact:
    predicate: str
    arguments: tuple[Value, ...]
    interval: Interval


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
    columns: dict[str, tuple[list[tuple[int, ...]], list[int], list[int]]] = {}
    ends: dict[Interval, tuple[int, int]] = {}
    for fact in facts:
        rows, lows, highs = columns.setdefault(fact.predicate, ([], [], []))
        cuts = ends.get(fact.interval)
        if cuts is None:
            cuts = ends[fact.interval] = timeline.cuts(fact.interval)
        rows.append(tuple(map(symbols.code, fact.arguments)))
        lows.append(cuts[0])
        highs.append(cuts[1])
    return {name: _relation(*parts) for name, parts in columns.items()}


def _relation(rows: list[tuple[int, ...]], lows: list[int], highs: list[int]) -> Relation:
    width = len(rows[0])
    arguments = np.array(rows, np.int64).reshape(len(rows), width)
    return relation(arguments, np.array(lows, np.int64), np.array(highs, np.int64))
