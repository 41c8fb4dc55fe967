"""The annotated dependency graph (V, E, π, λ) of a specification.

One edge per access rather than one per pair of streams: two windows over the same stream need
memory of their own, and a finding has to point at the access that causes it. Edges that come from
`invoke`, `extend` and `terminate` are marked, so that those of the value expressions stand out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import assert_never

from horae.engine.report.units import duration
from horae.languages.rtlola.analysis.rates import StreamRate, find_rates, known_rate
from horae.languages.rtlola.program import (
    Access,
    Aggregation,
    BuiltinAggregation,
    Expression,
    Hold,
    Offset,
    Output,
    Program,
    Quantified,
    TimeOffset,
    UserAggregation,
    When,
    Window,
    children,
)
from horae.languages.rtlola.syntax.aggregations import AGGREGATIONS
from horae.source.text import Source, Span


class VertexKind(StrEnum):
    INPUT = "input"
    OUTPUT = "output"
    TRIGGER = "trigger"  # a sink: nothing reads it


@dataclass(frozen=True, slots=True)
class Vertex:
    name: str
    kind: VertexKind
    rate: StreamRate
    parameters: tuple[str, ...]
    span: Span

    @property
    def title(self) -> str:
        """The name with its parameters, as in the declaration."""
        return f"{self.name}<{', '.join(self.parameters)}>" if self.parameters else self.name


class EdgeKind(StrEnum):
    VALUE = "value"
    OVER = "over"  # inside `any`, `all` or `count` over instances
    INVOKE = "invoke"
    EXTEND = "extend"
    TERMINATE = "terminate"

    @property
    def is_clause(self) -> bool:
        return self in (EdgeKind.INVOKE, EdgeKind.EXTEND, EdgeKind.TERMINATE)


@dataclass(frozen=True, slots=True)
class Discrete:
    """`offset` extensions away; 0 is the latest value."""

    offset: int

    def __str__(self) -> str:
        return f"{self.offset:+d}" if self.offset else "0"


@dataclass(frozen=True, slots=True)
class RealTime:
    """`seconds` away, negative into the past."""

    seconds: Fraction

    def __str__(self) -> str:
        sign = "-" if self.seconds < 0 else "+"
        return sign + duration(abs(self.seconds))


@dataclass(frozen=True, slots=True)
class Sliding:
    """γ over the last `seconds`; `homomorphic` is the star of γ*, from the view of memory.

    `count(v)` has none: what it keeps grows with the number of distinct values.
    """

    aggregation: str
    seconds: Fraction
    homomorphic: bool
    words: int  # of a partial result
    counts_values: bool = False  # count(v)

    def __str__(self) -> str:
        return f"{self.aggregation}, {duration(self.seconds)}"


EdgeLabel = Discrete | RealTime | Sliding


@dataclass(frozen=True, slots=True)
class Edge:
    """An access. `rate` is that of its evaluation: a `terminate` does not tick with its stream."""

    reader: str
    target: str
    label: EdgeLabel
    kind: EdgeKind
    rate: StreamRate
    span: Span


@dataclass(frozen=True, slots=True)
class DependencyGraph:
    """π is `Vertex.rate`, λ is `Edge.label`."""

    source: Source
    vertices: tuple[Vertex, ...]
    edges: tuple[Edge, ...]

    def vertex(self, name: str) -> Vertex:
        return next(v for v in self.vertices if v.name == name)

    def place(self, span: Span) -> str:
        """`line:column` of the start of a span."""
        position = self.source.position(span.start)
        return f"{position.line}:{position.column}"


def build_graph(program: Program) -> DependencyGraph:
    """The graph of a checked program, in the order of its text."""
    rates = find_rates(program)
    rates |= {trigger_name(t.number): known_rate(program, t.pace, rates) for t in program.triggers}
    edges = tuple(_edges(program, rates))
    return DependencyGraph(program.source, tuple(_vertices(program, rates)), edges)


def trigger_name(number: int) -> str:
    """Triggers have no name; a space keeps this one apart from all streams."""
    return f"trigger {number}"


def _vertices(program: Program, rates: dict[str, StreamRate]) -> Iterator[Vertex]:
    for i in program.inputs:
        yield Vertex(i.name, VertexKind.INPUT, rates[i.name], (), i.span)
    for o in program.outputs:
        parameters = tuple(f"{p.name}: {p.type}" for p in o.parameters)
        yield Vertex(o.name, VertexKind.OUTPUT, rates[o.name], parameters, o.span)
    for t in program.triggers:
        name = trigger_name(t.number)
        yield Vertex(name, VertexKind.TRIGGER, rates[name], (), t.span)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the edges of one expression have in common."""

    reader: str
    kind: EdgeKind
    rate: StreamRate

    def edge(self, target: str, label: EdgeLabel, span: Span) -> Edge:
        return Edge(self.reader, target, label, self.kind, self.rate, span)


def _edges(program: Program, rates: dict[str, StreamRate]) -> Iterator[Edge]:
    for o in program.outputs:
        yield from _clauses(program, o, rates)
        yield from _reads(_Reading(o.name, EdgeKind.VALUE, rates[o.name]), o.expression)
    for t in program.triggers:
        name = trigger_name(t.number)
        yield from _reads(_Reading(name, EdgeKind.VALUE, rates[name]), t.condition)


def _clauses(program: Program, output: Output, rates: dict[str, StreamRate]) -> Iterator[Edge]:
    for stream in output.template.invoke:
        invoking = _Reading(output.name, EdgeKind.INVOKE, rates[stream])
        yield invoking.edge(stream, Discrete(0), output.span)
    for clause, kind in (
        (output.pace, EdgeKind.EXTEND),
        (output.template.terminate, EdgeKind.TERMINATE),
    ):
        if isinstance(clause, When):
            rate = known_rate(program, clause, rates)
            yield from _reads(_Reading(output.name, kind, rate), clause.condition)


def _reads(reading: _Reading, expression: Expression) -> Iterator[Edge]:
    """One edge per access; a template that is only counted has an edge for its instances."""
    match expression:
        case Quantified():
            yield from _reads_over(reading, expression)
        case Hold() | Offset() | TimeOffset() | Window():
            yield reading.edge(expression.target.stream, label(expression), expression.span)
            for child in children(expression):
                yield from _reads(reading, child)
        case _:
            for child in children(expression):
                yield from _reads(reading, child)


def _reads_over(reading: _Reading, over: Quantified) -> Iterator[Edge]:
    if reading.kind is EdgeKind.VALUE:
        reading = replace(reading, kind=EdgeKind.OVER)
    found = [edge for child in children(over) for edge in _reads(reading, child)]
    yield from found
    for name in over.templates:
        if name not in {edge.target for edge in found}:
            yield reading.edge(name, Discrete(0), over.span)


def label(access: Access) -> EdgeLabel:
    """λ of an access."""
    match access:
        case Hold():
            return Discrete(0)
        case Offset(offset=offset):
            return Discrete(offset)
        case TimeOffset(seconds=seconds):
            return RealTime(seconds)
        case Window(aggregation=aggregation, seconds=seconds):
            return _sliding(aggregation, seconds)
        case _:
            assert_never(access)


_STATE_WORDS = {"avg": 2, "integral": 5, "variance": 3, "stddev": 3}


def _sliding(aggregation: Aggregation, seconds: Fraction) -> Sliding:
    match aggregation:
        case UserAggregation(name=name, state=state):
            return Sliding(name, seconds, True, len(state))
        case BuiltinAggregation(name="count", argument=argument) if argument is not None:
            return Sliding("count(v)", seconds, False, 1, counts_values=True)
        case BuiltinAggregation(name=name, percent=percent):
            shown = name if percent is None else f"{name}({percent:g})"
            words = _STATE_WORDS.get(name, 1)
            return Sliding(shown, seconds, AGGREGATIONS[name].homomorphic, words)
        case _:
            assert_never(aggregation)
