"""How long after its position a value is decided: the look-ahead horizon of each stream.

A discrete offset into the future waits for values that a variable rate never promises, so it is
not bounded in time. Into a steady stream (see `steady.py`) it waits for ticks. Where that is steady
from its first value on, so is the bound: until then a kernel waits for the value itself.
"""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from horae.engine.report.bounds import Bound, Bounded, Unbounded, largest
from horae.engine.report.units import counted
from horae.languages.rtlola.analysis.graph import DependencyGraph, Discrete, Edge, RealTime, Sliding
from horae.languages.rtlola.analysis.steady import find_steady
from horae.languages.rtlola.program import Program

_AT_ONCE = Bounded(Fraction(0))


def find_delays(program: Program, graph: DependencyGraph) -> dict[str, Bound]:
    """Seconds per vertex: the largest of (delay of what is read + how far ahead it is read).

    Streams may read each other's past in cycles. No cycle leads into the future (the checker
    refuses it), so as many rounds as there are vertices reach the fixed point.
    """
    steps = [(edge, _look_ahead(program, edge)) for edge in graph.edges]
    delays: dict[str, Bound] = {v.name: _AT_ONCE for v in graph.vertices}
    for _ in graph.vertices:
        for edge, ahead in steps:
            through = delays[edge.target] + ahead
            delays[edge.reader] = largest((_AT_ONCE, delays[edge.reader], through))
    return delays


def _look_ahead(program: Program, edge: Edge) -> Bound:
    match edge.label:
        case Discrete(offset=offset):
            return _AT_ONCE if offset <= 0 else _wait_for_values(program, edge, offset)
        case RealTime(seconds=seconds):
            return Bounded(max(seconds, Fraction(0)))
        case Sliding():
            return _AT_ONCE
        case _:
            assert_never(edge.label)


def _wait_for_values(program: Program, edge: Edge, count: int) -> Bound:
    steady = find_steady(program, edge.target)
    if steady is not None:
        return Bounded(count * steady.period)
    return Unbounded(
        f"`{edge.reader}` waits for {counted(count, 'more value')} of `{edge.target}`, "
        f"and nothing says when that is extended next",
        edge.span,
    )
