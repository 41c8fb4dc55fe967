"""What would bound the memory of an access that has no bound, with the figure it would give.

A rate for the reader is enough for real-time offsets and homomorphic windows: values between two
ticks melt into one pane, and nothing is lost. Other windows need every value, so that only a rate
for the target helps.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from horae.engine.report.units import counted, duration, extend_rate
from horae.languages.rtlola.analysis.graph import (
    DependencyGraph,
    Edge,
    EdgeKind,
    RealTime,
    Sliding,
    VertexKind,
)

# Periods that people would write, in seconds.
_PERIODS = tuple(
    Fraction(p) for p in ("86400", "3600", "600", "60", "10", "1", "0.1", "0.01", "0.001")
)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`values` is what the access needs once the advice is followed."""

    text: str
    values: int


def suggest(graph: DependencyGraph, edge: Edge) -> Suggestion:
    """The change to the program that bounds this edge."""
    assert isinstance(edge.label, RealTime | Sliding)  # discrete offsets always have a bound
    seconds = abs(edge.label.seconds)
    period = _handy_period(seconds)
    values = ceil(seconds / period)
    rate = f"`extend: {extend_rate(period)}`"
    return Suggestion(f"{_advice(graph, edge, rate)}: {counted(values, 'value')}", values)


def _advice(graph: DependencyGraph, edge: Edge, rate: str) -> str:
    match edge.label:
        case Sliding(counts_values=True, seconds=seconds):
            return (
                f"split `{edge.target}` by value, with a template that has `extend: "
                f"{edge.target} = v`, and take `[{duration(seconds)}, 0, count]` of its instances "
                f"in an output with {rate}"
            )
        case Sliding(homomorphic=False):
            return _rate_for_target(graph, edge, rate)
        case _:
            return _rate_for_reader(graph, edge, rate)


def _rate_for_reader(graph: DependencyGraph, edge: Edge, rate: str) -> str:
    if edge.kind.is_clause:
        return f"move this access into an output with {rate}, and let the condition read that"
    if graph.vertex(edge.reader).kind is VertexKind.TRIGGER:
        return f"move this access into an output with {rate}, and let the trigger read that"
    return _set_rate(graph, edge.reader, rate)


def _rate_for_target(graph: DependencyGraph, edge: Edge, rate: str) -> str:
    if graph.vertex(edge.target).kind is VertexKind.INPUT:
        return f"sample `{edge.target}` in an output with {rate}, and read that"
    return _set_rate(graph, edge.target, rate)


def _set_rate(graph: DependencyGraph, stream: str, rate: str) -> str:
    conditional = any(e.reader == stream and e.kind is EdgeKind.EXTEND for e in graph.edges)
    if conditional:
        return f"give `{stream}` {rate} instead of its condition"
    return f"add {rate} to `{stream}`"


def _handy_period(seconds: Fraction) -> Fraction:
    """The longest of the usual periods that still cuts the span of time into five or more."""
    return next((p for p in _PERIODS if p * 5 <= seconds), seconds)
