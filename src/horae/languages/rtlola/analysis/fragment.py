"""The efficiently monitorable fragment: bounded memory per instance, and a bounded future.

The number of instances is left out on purpose, as in the paper: templates over identifiers are
what people use, and their memory is stated per instance.
"""

from __future__ import annotations

from dataclasses import dataclass

from horae.engine.report.bounds import Bound, Unbounded
from horae.languages.rtlola.analysis.graph import DependencyGraph
from horae.languages.rtlola.analysis.memory import Need
from horae.languages.rtlola.analysis.written import written
from horae.source.text import Span


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A construct that leaves the fragment; `remedy` is empty where none is known."""

    construct: str
    reason: str
    remedy: str
    span: Span


@dataclass(frozen=True, slots=True)
class Fragment:
    name: str
    exclusions: tuple[Exclusion, ...]

    @property
    def contains_program(self) -> bool:
        return not self.exclusions


def find_fragment(
    graph: DependencyGraph, needs: tuple[Need, ...], delays: dict[str, Bound]
) -> Fragment:
    """Every access without a memory bound, then every wait without an end."""
    memory = [
        Exclusion(
            written(graph.source, n.values.span), n.values.why, n.suggestion.text, n.values.span
        )
        for n in needs
        if isinstance(n.values, Unbounded) and n.suggestion is not None
    ]
    waits = dict.fromkeys(d for d in delays.values() if isinstance(d, Unbounded))
    future = [
        Exclusion(written(graph.source, d.span), d.why, "look ahead by a time: `[10s, …]`", d.span)
        for d in waits
    ]
    return Fragment("efficiently monitorable", (*memory, *future))
