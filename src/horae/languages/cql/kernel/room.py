"""Joins that find more rows than there is room for: the run stops before memory runs out."""

from __future__ import annotations

from horae.languages.cql import catalogue
from horae.languages.cql.plan.algebra import (
    Join,
    Node,
    QueryPlan,
    SubqueryMark,
    TableScan,
    inputs_of,
)
from horae.rules.intervals.join import MOST_PAIRS, TooManyPairsError
from horae.source.errors import InputError


class TooManyRowsError(Exception):
    """The operator at which the rows of some evaluation times are too many."""

    def __init__(self, node: Node, most: int) -> None:
        super().__init__(node, most)
        self.node = node
        self.most = most

    def of(self, query: QueryPlan, time: str) -> InputError:
        """The error about pairs that are too many even at one evaluation time."""
        return catalogue.TOO_MANY_PAIRS(
            query=query.name, sides=_sides(self.node), most=self.most, time=time
        )


def check_room(count: int) -> None:
    if count > MOST_PAIRS:
        raise TooManyPairsError(MOST_PAIRS)


def _sides(node: Node) -> str:
    match node:
        case Join(left=left, right=right) | SubqueryMark(input=left, query=right):
            return f"{_names(left)} with {_names(right)}"
        case _:
            return _names(node)


def _names(node: Node) -> str:
    return ", ".join(f"`{name}`" for name in _scanned(node)) or "a query"


def _scanned(node: Node) -> list[str]:
    """The tables that are read, from the left, each as often as it is read."""
    if isinstance(node, TableScan):
        return [node.name]
    return [name for part in inputs_of(node) for name in _scanned(part)]
