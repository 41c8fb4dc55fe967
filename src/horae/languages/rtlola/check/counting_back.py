"""What counting back needs to know now.

`o[-1, 0]` is the value before the latest one. Which one is the latest depends on whether `o` is
extended at this position, so the reader needs the pace of `o` and the end of its instances, though
not its value. Before a stream can be read in this way, what its pace looks at must be decided;
where that is the reader itself, the specification has no meaning:

    output int n  extend: a > 0  := o[-1, 0] + 1
    output int o  extend: n > 3  := a
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from horae.frontend.graph import components, reachable, shortest_path
from horae.languages.rtlola.check import catalogue_checks as catalogue
from horae.languages.rtlola.check.dependencies import Dependency, Moment, Reason
from horae.source.diagnostic import Diagnostic, Label


class Aspect(Enum):
    """What one can ask of a stream at a position; each question includes those below it."""

    VALUE = "the value"
    EXTENDED = "whether it is extended"
    DUE = "whether an instance that was there before is extended"
    LASTING = "whether an instance that was there before goes on"


@dataclass(frozen=True, slots=True)
class Question:
    stream: str
    aspect: Aspect


Edges = dict[tuple[Question, Question], Dependency | None]
QuestionGraph = dict[Question, list[Question]]


def find_edges(
    names: Sequence[str], dependencies: Sequence[Dependency], closing: frozenset[str]
) -> Edges:
    """Which question leads to which, with the first place in the text that says so."""
    edges: Edges = {pair: None for name in names for pair in pairwise(_questions(name))}
    for d in dependencies:
        for start, end in _asked(d, closing):
            edges.setdefault((start, end), d)
    return edges


def graph_of(edges: Edges) -> QuestionGraph:
    graph: QuestionGraph = {question: [] for pair in edges for question in pair}
    for start, end in edges:
        graph[start].append(end)
    return graph


def circular_paces(edges: Edges) -> list[Diagnostic]:
    """One diagnostic per knot; there is no plain cycle of needs when this is asked."""
    graph = graph_of(edges)
    return [_circular(m, graph, edges) for m in components(graph) if len(m) > 1]


def hidden_needs(
    dependencies: Sequence[Dependency], edges: Edges
) -> Iterator[tuple[Dependency, str]]:
    """Each way of counting back, with every stream whose value that needs at this position."""
    graph = graph_of(edges)
    values = {question for question in graph if question.aspect is Aspect.VALUE}
    inner = {q: [s for s in graph[q] if q not in values] for q in graph}
    for d in dependencies:
        if d.moment is Moment.PAST:
            found = reachable(inner, [_looked_into(d)])
            yield from ((d, q.stream) for q in graph if q in found and q in values)


def lasting(stream: str) -> Question:
    return Question(stream, Aspect.LASTING)


def value_question(stream: str) -> Question:
    return Question(stream, Aspect.VALUE)


def _questions(stream: str) -> list[Question]:
    return [Question(stream, aspect) for aspect in Aspect]


def _looked_into(d: Dependency) -> Question:
    """An offset in time does not see the value of now, so only the end of the instance matters."""
    return Question(d.target, Aspect.DUE if d.reason is Reason.COUNT else Aspect.LASTING)


def _asked(d: Dependency, closing: frozenset[str]) -> Iterator[tuple[Question, Question]]:
    if d.moment is Moment.PAST:
        yield value_question(d.reader), _looked_into(d)
    if d.moment is not Moment.SAME:
        return
    if d.reason is not Reason.TERMINATE or d.reader not in closing:
        yield value_question(d.reader), value_question(d.target)
    match d.reason:
        case Reason.EXTEND | Reason.INSTANCE:
            yield Question(d.reader, Aspect.DUE), value_question(d.target)
        case Reason.PACE:
            yield Question(d.reader, Aspect.DUE), Question(d.target, Aspect.EXTENDED)
        case Reason.INVOKE:
            yield Question(d.reader, Aspect.EXTENDED), value_question(d.target)
        case Reason.TERMINATE if d.reader not in closing:
            yield lasting(d.reader), value_question(d.target)
        case _:
            pass


def _circular(members: Sequence[Question], graph: QuestionGraph, edges: Edges) -> Diagnostic:
    """A shortest way round, beginning with a stream that counts back."""
    inside = {q: [s for s in graph[q] if s in members] for q in members}
    ways = [
        [q, *shortest_path(inside, successor, q)]
        for q in members
        for successor in inside[q]
        if _is_count(edges[q, successor])
    ]
    way = min(ways, key=len)
    steps = [d for pair in pairwise(way) if (d := edges[pair]) is not None]
    labels = [Label(d.span, _said(d)) for d in steps]
    return catalogue.circular_pace(steps[0].reader, steps[0].target, labels)


def _is_count(d: Dependency | None) -> bool:
    return d is not None and d.moment is Moment.PAST


def _said(d: Dependency) -> str:
    if d.reason is not Reason.COUNT:
        return d.text
    return f"`{d.reader}` counts back in `{d.target}`: is it extended here?"
