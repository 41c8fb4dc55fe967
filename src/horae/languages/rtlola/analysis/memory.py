"""How many values of its target an access needs: the table of §3.1, edge by edge.

`values` is the figure of the paper. The engine keeps a little more: a window is closed on both
sides, so besides the r·y complete panes there is the one in progress, and a real-time offset needs
the value at its far end besides those that come after it. `kept` is that figure.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import ceil
from typing import assert_never

from horae.engine.report.bounds import Bound, Bounded, Unbounded
from horae.engine.report.units import counted, duration
from horae.languages.rtlola.analysis.graph import DependencyGraph, Discrete, Edge, RealTime, Sliding
from horae.languages.rtlola.analysis.rates import ClockedRate, StreamRate, VariableRate
from horae.languages.rtlola.analysis.suggestions import Suggestion, suggest


class Keeping(StrEnum):
    """In which form the values are kept; it decides what accesses can share."""

    LAST = "last values"  # the target's own values, newest first
    SAMPLES = "samples"  # the value that each tick of the reader will look at
    PANES = "panes"  # one partial result per tick of the reader
    WINDOW = "window"  # every value of the window with its time


@dataclass(frozen=True, slots=True)
class Need:
    """What one edge demands of its target."""

    edge: Edge
    values: Bound
    kept: Bound
    keeping: Keeping
    pace: StreamRate  # of what is kept: the target's own values, or the reader's ticks
    suggestion: Suggestion | None  # what would bound it, where nothing does

    @property
    def panes(self) -> int | None:
        """The panes that the engine holds, where it holds panes."""
        if self.keeping is Keeping.PANES and isinstance(self.kept, Bounded):
            return int(self.kept.n)
        return None


def find_needs(graph: DependencyGraph) -> tuple[Need, ...]:
    """The table, applied to every edge in the order of the text."""
    return tuple(find_need(graph, edge) for edge in graph.edges)


def find_need(graph: DependencyGraph, edge: Edge) -> Need:
    reader, target = edge.rate, graph.vertex(edge.target).rate
    match edge.label:
        case Discrete(offset=offset):
            values = Bounded(abs(offset) + 1)
            return Need(edge, values, values, Keeping.LAST, target, None)
        case RealTime(seconds=0):
            return Need(edge, Bounded(1), Bounded(1), Keeping.LAST, target, None)
        case RealTime(seconds=seconds):
            if pace := _slower(reader, target):
                return _offset_need(edge, pace, abs(seconds), sampled=pace is not target)
            return _without_bound(graph, edge, _unbounded_offset(edge, seconds))
        case Sliding(seconds=seconds, homomorphic=True):
            if pace := _slower(reader, target):
                return _window_need(edge, pace, seconds, in_panes=isinstance(reader, ClockedRate))
            return _without_bound(graph, edge, _unbounded_window(edge, seconds))
        case Sliding(seconds=seconds) as window:
            if isinstance(target, ClockedRate):
                return _window_need(edge, target, seconds, in_panes=False)
            return _without_bound(graph, edge, _unbounded_values(edge, window))
        case _:
            assert_never(edge.label)


def _slower(reader: StreamRate, target: StreamRate) -> ClockedRate | None:
    """The smaller of two rates, where a variable one counts as infinite."""
    if isinstance(target, VariableRate):
        return reader if isinstance(reader, ClockedRate) else None
    if isinstance(reader, VariableRate) or target.hertz <= reader.hertz:
        return target
    return reader


def _offset_need(edge: Edge, pace: ClockedRate, seconds: Fraction, *, sampled: bool) -> Need:
    keeping = Keeping.SAMPLES if sampled else Keeping.LAST
    kept = Bounded(pace.ticks_after(seconds) + 1)
    return Need(edge, Bounded(ceil(seconds * pace.hertz)), kept, keeping, pace, None)


def _window_need(edge: Edge, pace: ClockedRate, seconds: Fraction, *, in_panes: bool) -> Need:
    keeping = Keeping.PANES if in_panes else Keeping.WINDOW
    kept = Bounded(pace.ticks_within(seconds))
    return Need(edge, Bounded(ceil(seconds * pace.hertz)), kept, keeping, pace, None)


def _without_bound(graph: DependencyGraph, edge: Edge, why: str) -> Need:
    bound = Unbounded(why, edge.span)
    pace = graph.vertex(edge.target).rate
    return Need(edge, bound, bound, Keeping.WINDOW, pace, suggest(graph, edge))


def _unbounded_offset(edge: Edge, seconds: Fraction) -> str:
    return (
        f"any number of values of `{edge.target}` can arrive in {duration(abs(seconds))}, "
        f"and `{edge.reader}` may look at each of them"
    )


def _unbounded_window(edge: Edge, seconds: Fraction) -> str:
    return (
        f"any number of values of `{edge.target}` can arrive in {duration(seconds)}, "
        f"and `{edge.reader}` may look at any time"
    )


def _unbounded_values(edge: Edge, window: Sliding) -> str:
    arriving = f"any number of values of `{edge.target}` can arrive in {duration(window.seconds)}"
    if window.counts_values:
        return f"{arriving}, and `count(v)` keeps a number for each distinct one"
    return f"{arriving}, and `{window.aggregation}` needs each of them"


def describe_values(bound: Bound) -> str:
    """`10 values`, or `unbounded`."""
    return counted(bound.n, "value") if isinstance(bound, Bounded) else str(bound)
