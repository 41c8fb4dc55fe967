"""Stratification: predicates in layers such that negation looks down only.

p :- q, not r.   r :- s.       {r}, {p}
p :- not p.                    a cycle through negation: there are no strata
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from horae.frontend.graph import components, shortest_path
from horae.source.text import Span


@dataclass(frozen=True, slots=True)
class PredicateDependency:
    """A rule for `head` reads the predicate `on`; `span` is the place where it does."""

    head: str
    on: str
    negated: bool
    span: Span


def find_negative_cycles(
    derived: Sequence[str], dependencies: Sequence[PredicateDependency]
) -> list[tuple[PredicateDependency, ...]]:
    """One shortest cycle per strongly connected knot with a negation, from the negation on."""
    graph = _graph(derived, dependencies)
    cycles = []
    for members in components(graph):
        inside = [d for d in dependencies if d.head in members and d.on in members]
        negation = next((d for d in inside if d.negated), None)
        if negation is not None:
            way = shortest_path(graph, negation.on, negation.head)
            cycles.append((negation, *_steps(way, inside)))
    return sorted(cycles, key=lambda cycle: cycle[0].span.start)


def _steps(way: Sequence[str], inside: Sequence[PredicateDependency]) -> list[PredicateDependency]:
    return [next(d for d in inside if (d.head, d.on) == pair) for pair in pairwise(way)]


def find_strata(
    derived: Sequence[str], dependencies: Sequence[PredicateDependency]
) -> tuple[frozenset[str], ...]:
    """The strata, lowest first. There must be no cycle through negation."""
    level: dict[str, int] = {}
    for members in components(_graph(derived, dependencies)):
        below = [
            level[d.on] + d.negated for d in dependencies if d.head in members and d.on in level
        ]
        level |= {name: max(below, default=0) for name in members}
    return tuple(
        frozenset(name for name in derived if level[name] == number)
        for number in sorted(set(level.values()))
    )


def _graph(
    derived: Iterable[str], dependencies: Iterable[PredicateDependency]
) -> dict[str, list[str]]:
    """From each derived predicate to those derived ones that its rules read."""
    graph: dict[str, list[str]] = {name: [] for name in derived}
    for dependency in dependencies:
        if dependency.on in graph and dependency.on not in graph[dependency.head]:
            graph[dependency.head].append(dependency.on)
    return graph
