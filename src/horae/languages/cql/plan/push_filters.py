"""Conditions about a single element of FROM go to that element, before any join."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from horae.languages.cql.plan.algebra import Filter, Node, TableScan, node_columns
from horae.languages.cql.plan.expressions import Conjunction, Scalar, refs_of

Conditions = list[Scalar]


def push_filters(
    sources: Sequence[Node], conditions: Sequence[Scalar]
) -> tuple[list[Node], Conditions]:
    """(a, b) where a.x > 1 and a.y = b.y → (a where a.x > 1, b) where a.y = b.y."""
    pushed = list(sources)
    remaining: Conditions = []
    for condition in conditions:
        place = next((i for i, node in enumerate(pushed) if covers(node, condition)), None)
        if place is None:
            remaining.append(condition)
        else:
            pushed[place] = _push(pushed[place], condition)
    return pushed, remaining


def covers(node: Node, condition: Scalar) -> bool:
    """All columns of the condition are there, and it has some."""
    wanted = set(refs_of(condition))
    return bool(wanted) and wanted <= set(node_columns(node))


def _push(node: Node, condition: Scalar) -> Node:
    if isinstance(node, TableScan):
        return replace(node, where=both(node.where, condition))
    return Filter(node, condition)


def both(left: Scalar | None, right: Scalar) -> Scalar:
    match left:
        case None:
            return right
        case Conjunction(operands=operands):
            return Conjunction((*operands, right))
        case _:
            return Conjunction((left, right))
