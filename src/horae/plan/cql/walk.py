"""The nodes of a plan, each once."""

from __future__ import annotations

from collections.abc import Iterator

from horae.plan.cql.algebra import Node, Plan, Scan, inputs_of


def nodes_of(plan: Plan) -> Iterator[Node]:
    seen: set[int] = set()
    waiting = [query.node for query in reversed(plan.queries)]
    while waiting:
        node = waiting.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            waiting += reversed(inputs_of(node))


def scans_of(plan: Plan) -> tuple[Scan, ...]:
    return tuple(node for node in nodes_of(plan) if isinstance(node, Scan))
