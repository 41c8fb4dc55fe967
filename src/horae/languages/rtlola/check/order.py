"""Put the outputs in an order of evaluation, or show why there is none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from horae.frontend.graph import components, reachable, shortest_path, stable_order
from horae.languages.rtlola.check import catalogue_checks as catalogue
from horae.languages.rtlola.check.counting_back import (
    circular_paces,
    find_edges,
    graph_of,
    hidden_needs,
    lasting,
    value_question,
)
from horae.languages.rtlola.check.dependencies import Dependency, Moment, Reason
from horae.source.diagnostic import Diagnostic, Label


@dataclass(frozen=True, slots=True)
class Order:
    """`closing_after`: the outputs whose `terminate` looks at their own current value."""

    order: tuple[str, ...]
    layers: dict[str, int]
    closing_after: frozenset[str]


def find_order(
    names: Sequence[str], dependencies: Sequence[Dependency]
) -> tuple[Order, list[Diagnostic]]:
    """The order of the outputs in `names`; what they need of inputs matters for layers only."""
    outputs = frozenset(names)
    among = [d for d in dependencies if d.target in outputs]
    closing = _closing_after(names, among)
    needs = [d for d in among if _is_need(d, closing)]
    edges = find_edges(names, among, closing)
    report = _cycles(names, needs) + _unbounded_futures(names, among)
    report = report or circular_paces(edges)
    if report:
        return Order((), {}, closing), report
    needs += [replace(d, target=name, moment=Moment.SAME) for d, name in hidden_needs(among, edges)]
    order = _order(names, needs, among)
    return Order(order, _layers(names, among, dependencies), closing), []


def _graph(names: Sequence[str], dependencies: Iterable[Dependency]) -> dict[str, list[str]]:
    graph: dict[str, list[str]] = {name: [] for name in names}
    for d in dependencies:
        if d.target not in graph[d.reader]:
            graph[d.reader].append(d.target)
    return graph


def _is_need(d: Dependency, closing: frozenset[str]) -> bool:
    """Whether the target must be done before the reader at the same position."""
    if d.moment is not Moment.SAME:
        return False
    return d.reason is not Reason.TERMINATE or d.reader not in closing


# --- termination


def _closing_after(names: Sequence[str], dependencies: Sequence[Dependency]) -> frozenset[str]:
    """The outputs whose `terminate` needs, by whatever way, their own value at this position.

    Or to know whether there is one. First by way of values alone; then also by way of other
    terminations, where two outputs may each decide on the end of the other.
    """
    first = _that_reach_themselves(names, dependencies, closing=frozenset(names))
    return first | _that_reach_themselves(names, dependencies, closing=first)


def _that_reach_themselves(
    names: Sequence[str], dependencies: Sequence[Dependency], closing: frozenset[str]
) -> frozenset[str]:
    graph = graph_of(find_edges(names, dependencies, closing))
    return frozenset(
        d.reader
        for d in dependencies
        if d.reason is Reason.TERMINATE
        and lasting(d.reader) in reachable(graph, [value_question(d.target)])
    )


# --- refusals


def _cycles(names: Sequence[str], needs: Sequence[Dependency]) -> list[Diagnostic]:
    """One diagnostic per set of outputs that need each other, with a shortest way round."""
    graph = _graph(names, needs)
    report = []
    for members in components(graph):
        if len(members) > 1 or members[0] in graph[members[0]]:
            steps = min((_way_round(m, graph, needs) for m in members), key=len)
            report.append(catalogue.same_position_cycle(*_shown(steps), _cycle_help(steps)))
    return report


def _way_round(
    start: str, graph: dict[str, list[str]], dependencies: Sequence[Dependency]
) -> list[Dependency]:
    ways = [
        [start, *shortest_path(graph, successor, start)]
        for successor in graph[start]
        if start in reachable(graph, [successor])
    ]
    return _steps(min(ways, key=len), dependencies)


def _steps(path: Sequence[str], dependencies: Sequence[Dependency]) -> list[Dependency]:
    """For each two neighbours the first dependency in the text."""
    first: dict[tuple[str, str], Dependency] = {}
    for d in dependencies:
        first.setdefault((d.reader, d.target), d)
    return [first[pair] for pair in pairwise(path)]


def _shown(steps: Sequence[Dependency]) -> tuple[list[str], list[Label]]:
    return [d.reader for d in steps], [Label(d.span, d.text) for d in steps]


def _cycle_help(steps: Sequence[Dependency]) -> str:
    """An earlier value breaks the cycle, unless its reader still follows the target."""
    pace = next((d for d in steps if d.reason is Reason.PACE), None)
    if pace is not None:
        return f"give `{pace.reader}` an `extend` of its own"
    value = next((d for d in steps if d.reason is Reason.VALUE), None)
    if value is None:
        return "whether a stream is invoked or extended must not depend on the stream itself"
    earlier = f"read an earlier value, for example `{value.target}[-1, …]` in `{value.reader}`"
    if all(d.reason is Reason.VALUE for d in steps):
        return earlier
    return f"{earlier}, and give `{value.reader}` an `extend` if it has none"


def _unbounded_futures(
    names: Sequence[str], dependencies: Sequence[Dependency]
) -> list[Diagnostic]:
    graph = _graph(names, dependencies)
    home = {name: members for members in components(graph) for name in members}
    ahead: dict[tuple[str, ...], Dependency] = {}
    for d in dependencies:
        if d.moment is Moment.FUTURE and home[d.reader] is home[d.target]:
            ahead.setdefault(home[d.reader], d)
    report = []
    for d in ahead.values():
        back = shortest_path(graph, d.target, d.reader)
        steps = [d, *_steps(back, dependencies)]
        report.append(catalogue.unbounded_future(*_shown(steps)))
    return report


# --- the order


def _order(
    names: Sequence[str], needs: Sequence[Dependency], dependencies: Sequence[Dependency]
) -> tuple[str, ...]:
    """Each output after all that it needs now.

    Where no cycle forbids it, also after what it reads in the past: then a negative offset
    finds the target's local time up to date.
    """
    graph = _graph(names, dependencies)
    home = {name: members for members in components(graph) for name in members}
    wishes = [d for d in dependencies if home[d.reader] is not home[d.target]]
    return stable_order(_graph(names, [*needs, *wishes]))


def _layers(
    names: Sequence[str], among: Sequence[Dependency], dependencies: Sequence[Dependency]
) -> dict[str, int]:
    """Outputs that read each other share a layer; there is no look ahead among them."""
    by_reader: dict[str, list[Dependency]] = {name: [] for name in names}
    for d in dependencies:
        by_reader[d.reader].append(d)
    layers: dict[str, int] = {}
    for members in components(_graph(names, among)):
        below = [
            layers.get(d.target, 0) + (d.moment is Moment.FUTURE)
            for member in members
            for d in by_reader[member]
        ]
        layers |= {member: max(below, default=0) for member in members}
    return layers
