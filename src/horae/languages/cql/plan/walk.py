"""The nodes of a plan, each once, and those on which more than one other stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from horae.languages.cql.plan.algebra import (
    Algebra,
    EvaluationTimesNode,
    Node,
    TableScan,
    inputs_of,
)


def nodes_of(plan: Algebra) -> Iterator[Node]:
    seen: set[int] = set()
    waiting = [query.node for query in reversed(plan.queries)]
    while waiting:
        node = waiting.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            waiting += reversed(inputs_of(node))


def table_scans(plan: Algebra) -> tuple[TableScan, ...]:
    return tuple(node for node in nodes_of(plan) if isinstance(node, TableScan))


def shared_nodes(plan: Algebra) -> frozenset[int]:
    """By identity: nodes that several others read, and that are worth keeping."""
    uses = Counter(id(read) for node in nodes_of(plan) for read in inputs_of(node))
    plain = {id(node) for node in nodes_of(plan) if isinstance(node, EvaluationTimesNode)}
    return frozenset(key for key, count in uses.items() if count > 1) - plain
