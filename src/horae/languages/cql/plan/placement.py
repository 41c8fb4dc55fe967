"""In which shards the rows of a node are, if each stream is spread over them by one of its columns.

The *pivot* of a stream is that column: a row is in the shard of its value there, its home. Equal
values have the same home, and all nulls have one. Evaluation times and relations are in all shards. An
operator works shard by shard if the rows that it brings together are together in one shard; one that
does not is an obstacle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from horae.languages.cql.plan.algebra import (
    DistinctRows,
    EvaluationTimesNode,
    Filter,
    Group,
    Join,
    Limit,
    Node,
    Project,
    Read,
    SetOperation,
    SubqueryMark,
    TableScan,
    inputs_of,
)
from horae.languages.cql.plan.expressions import Ref
from horae.languages.cql.syntax.tree import NowWindow, RangeWindow, RowsWindow, SetOperator

StreamPivots = Mapping[str, int]
"""By the names of streams, the places of their columns."""


@dataclass(frozen=True, slots=True)
class Everywhere:
    """Each shard has all rows."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Each row is in one shard, the home of its value in each of these columns."""

    columns: frozenset[Ref]


@dataclass(frozen=True, slots=True)
class Obstacle:
    why: str


Placed = Everywhere | Spread
Placement = Placed | Obstacle


@dataclass
class Placing:
    """Where nodes are with these pivots; a node that is reached twice is looked at once."""

    pivots: StreamPivots
    _known: dict[int, Placement] = field(default_factory=dict)

    def of(self, node: Node) -> Placement:
        if id(node) not in self._known:
            self._known[id(node)] = self._find(node)
        return self._known[id(node)]

    @property
    def reached(self) -> int:
        """How many nodes have a place."""
        return sum(not isinstance(found, Obstacle) for found in self._known.values())

    def _find(self, node: Node) -> Placement:
        if isinstance(node, SubqueryMark) and _reads_relations(node.query, node.input):
            return self.of(node.input)
        below: list[Placed] = []
        for found in map(self.of, inputs_of(node)):
            if isinstance(found, Obstacle):
                return found
            below.append(found)
        if isinstance(node, TableScan):
            return _scan(node, self.pivots)
        if all(isinstance(found, Everywhere) for found in below):
            return Everywhere()
        return _place(node, below)


def _place(node: Node, below: Sequence[Placed]) -> Placement:
    """`below` are the inputs; not all of them are everywhere."""
    match node:
        case Filter():
            return below[0]
        case Project():
            return Spread(_kept(node, _columns(below[0])))
        case Join():
            return _join(node, *below)
        case DistinctRows():
            return _meeting(_columns(below[0]), "equal rows would be in several shards")
        case Group():
            return _group(node, below)
        case SetOperation():
            return _combine(node, below)
        case SubqueryMark():
            return _mark(node, *below)
        case Limit(keys=keys):
            found = _columns(below[0])
            return below[0] if found & set(keys) else Obstacle("LIMIT counts rows of all shards")
        case EvaluationTimesNode() | TableScan():
            raise TypeError("it has no inputs")
        case _:
            assert_never(node)


def _columns(placed: Placed) -> frozenset[Ref]:
    return placed.columns if isinstance(placed, Spread) else frozenset()


def _meeting(columns: frozenset[Ref], otherwise: str) -> Placement:
    """Rows that agree in one of these columns are in one shard."""
    return Spread(columns) if columns else Obstacle(otherwise)


def _scan(scan: TableScan, pivots: StreamPivots) -> Placement:
    match scan.read:
        case Read.RELATION:
            return Everywhere()
        case Read.ROWS_OF_QUERY | Read.ANSWERS_OF_QUERY:
            return Obstacle(f"it reads the query `{scan.name}`")
        case Read.STREAM:
            return _window(scan, pivots[scan.name])
        case _:
            assert_never(scan.read)


def _window(scan: TableScan, pivot: int) -> Placement:
    """A row is in a window of time by itself; out of a window of rows it is pushed by others."""
    assert scan.window is not None, "a stream is read with a window"
    match scan.window:
        case NowWindow() | RangeWindow():
            pass
        case RowsWindow(count=count, by=()):
            return Obstacle(f"`{scan.name} [ROWS {count}]` counts the rows of all shards")
        case RowsWindow(by=by):
            if pivot not in scan.window_places:
                parts = ", ".join(name.text for name in by)
                return Obstacle(f"`{scan.name}` is not spread by a column of PARTITION BY {parts}")
        case _:
            assert_never(scan.window)
    found = (ref for place, ref in zip(scan.places, scan.columns, strict=True) if place == pivot)
    return Spread(frozenset(found))


def _kept(node: Project, columns: frozenset[Ref]) -> frozenset[Ref]:
    """The new columns that are old ones; a computed value has another home."""
    return frozenset(ref for ref, scalar in node.columns if scalar in columns)


def _join(node: Join, left: Placed, right: Placed) -> Placement:
    match left, right:
        case Spread(columns=a), Spread(columns=b):
            met = any(x in a and y in b for x, y in node.on) or any(r in a & b for r in node.shared)
            if not met:
                return Obstacle(
                    "a join has no equality of the columns by which its sides are spread"
                )
        case _:
            pass
    return Spread(_with_equals(_columns(left) | _columns(right), node.on))


def _with_equals(columns: frozenset[Ref], on: Sequence[tuple[Ref, Ref]]) -> frozenset[Ref]:
    """Also the columns that an equality makes equal to one of them."""
    for _ in on:
        columns |= {ref for pair in on if columns & set(pair) for ref in pair}
    return columns


def _group(node: Group, below: Sequence[Placed]) -> Placement:
    """A group of no rows must be in one shard too, the one to which its rows would come."""
    shared = frozenset.intersection(frozenset(node.keys), *map(_columns, below))
    if node.every is not None:
        return _meeting(shared, "an aggregate without GROUP BY is one of all shards")
    return _meeting(shared, "GROUP BY has no column by which its rows are spread")


def _combine(node: SetOperation, below: Sequence[Placed]) -> Placement:
    """Both sides have the same columns."""
    left, right = below
    shared = _columns(left) & _columns(right)
    if node.operator is SetOperator.UNION and node.all:
        if isinstance(left, Everywhere) or isinstance(right, Everywhere):
            return Obstacle("one side of UNION ALL would be in all shards")
        return Spread(shared)
    return _meeting(shared, f"equal rows of {node.operator.value} would be in several shards")


def _reads_relations(query: Node, around: Node) -> bool:
    """Besides the rows around it: such a query is evaluated wherever those are."""
    if query is around:
        return True
    if isinstance(query, TableScan):
        return query.read is Read.RELATION
    return all(_reads_relations(below, around) for below in inputs_of(query))


def _mark(node: SubqueryMark, input: Placed, query: Placed) -> Placement:
    """Not by the values: a null among them may agree with rows of all shards."""
    if isinstance(query, Everywhere) or _columns(input) & _columns(query) & set(node.keys):
        return input
    return Obstacle("a subquery looks at rows of other shards")
