"""A node of the algebra as a DataFrame: one operator after the other, each node once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import assert_never

from pyspark.sql import DataFrame

from horae.languages.cql.plan.algebra import (
    Distinct,
    Filter,
    Group,
    Join,
    Limit,
    Mark,
    Node,
    Project,
    Scan,
    SetOperation,
    Times,
)
from horae.languages.cql.syntax.tree import SetOperator
from horae.spark.cql.expressions import project, rows_where
from horae.spark.cql.group import group
from horae.spark.cql.join import join
from horae.spark.cql.keep import keep
from horae.spark.cql.mark import mark
from horae.spark.cql.order import limit


@dataclass(frozen=True)
class Nodes:
    """`times` are the evaluation times; `read` gives the rows of a scan; `shared` nodes are kept."""

    times: DataFrame
    read: Callable[[Scan], DataFrame]
    shared: frozenset[int]
    _known: dict[int, DataFrame] = field(default_factory=dict)

    def frame(self, node: Node) -> DataFrame:
        if id(node) not in self._known:
            found = self._compute(node)
            self._known[id(node)] = keep(found) if id(node) in self.shared else found
        return self._known[id(node)]

    def _compute(self, node: Node) -> DataFrame:
        match node:
            case Times():
                return self.times
            case Scan():
                return self.read(node)
            case Join(left=left, right=right):
                return join(node, self.frame(left), self.frame(right))
            case Filter(input=input, condition=condition):
                return rows_where(self.frame(input), condition)
            case Project(input=input):
                return project(node, self.frame(input))
            case Distinct(input=input):
                return self.frame(input).distinct()
            case Group(input=input, every=every):
                return group(node, self.frame(input), None if every is None else self.frame(every))
            case SetOperation(left=left, right=right):
                return _combine(node, self.frame(left), self.frame(right))
            case Mark(input=input, query=query):
                return mark(node, self.frame(input), self.frame(query))
            case Limit(input=input):
                return limit(node, self.frame(input))
            case _:
                assert_never(node)


def _combine(node: SetOperation, left: DataFrame, right: DataFrame) -> DataFrame:
    there = right.select(*left.columns)
    match node.operator:
        case SetOperator.UNION:
            both = left.unionAll(there)
            return both if node.all else both.distinct()
        case SetOperator.EXCEPT:
            return left.exceptAll(there) if node.all else left.subtract(there)
        case SetOperator.INTERSECT:
            return left.intersectAll(there) if node.all else left.intersect(there)
        case _:
            assert_never(node.operator)
