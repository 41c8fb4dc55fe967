"""From relations to a relation: the rows of a query at one evaluation time.

FROM is the product of its elements, WHERE a test of each combination.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, assert_never

from horae.languages.cql.program import (
    Body,
    Combined,
    Condition,
    FromElement,
    Nested,
    Order,
    Scan,
    Select,
)
from horae.languages.cql.syntax.tree import SetOperator
from horae.reference.cql.conditions import truth_of
from horae.reference.cql.expressions import Environment, Scope, value_of
from horae.reference.cql.rows import (
    Row,
    distinct,
    fit_row,
    intersect,
    rank_row,
    rank_value,
    subtract,
)

Scopes = tuple[Scope, ...]


@dataclass(frozen=True)
class Evaluator:
    """`read` gives the rows of a registered name, or of an earlier query, at the evaluation time."""

    read: Callable[[Scan], Sequence[Row]]

    def rows(self, body: Body, around: Scopes = ()) -> list[Row]:
        """By ORDER BY, ties by the whole row. `around` are the scopes of the SELECTs around."""
        width = len(body.outputs)
        ranked = sorted(self._bag(body.rows, around), key=lambda row: _rank(row, body, width))
        return [row[:width] for row in ranked[: body.limit]]

    def _bag(self, rows: Select | Combined, around: Scopes) -> list[Row]:
        match rows:
            case Select():
                return self._select(rows, around)
            case Combined():
                return self._combine(rows, around)
            case _:
                assert_never(rows)

    # --- set operations

    def _combine(self, combined: Combined, around: Scopes) -> list[Row]:
        left, right = (
            [fit_row(row, combined.outputs) for row in self._bag(side, around)]
            for side in (combined.left, combined.right)
        )
        if not combined.all:
            left, right = distinct(left), distinct(right)
        match combined.operator:
            case SetOperator.UNION:
                return left + right if combined.all else distinct(left + right)
            case SetOperator.EXCEPT:
                return subtract(left, right)
            case SetOperator.INTERSECT:
                return intersect(left, right)
            case _:
                assert_never(combined.operator)

    # --- SELECT

    def _select(self, select: Select, around: Scopes) -> list[Row]:
        """With the hidden values for ORDER BY at the end of each row."""
        environments = [
            Environment((scope, *around))
            for scope in product(*(self._source(element, around) for element in select.sources))
        ]
        environments = self._filter(environments, select.where)
        if select.is_grouped:
            environments = self._filter(_grouped(select, environments, around), select.having)
        bag = [
            tuple(value_of(value, environment) for value in select.values)
            for environment in environments
        ]
        return distinct(bag) if select.distinct else bag

    def _source(self, element: FromElement, around: Scopes) -> Sequence[Row]:
        match element:
            case Scan():
                return self.read(element)
            case Nested(query=query):
                return self.rows(query, around)
            case _:
                assert_never(element)

    def _filter(
        self, environments: list[Environment], condition: Condition | None
    ) -> list[Environment]:
        if condition is None:
            return environments
        return [found for found in environments if self._holds(condition, found)]

    def _holds(self, condition: Condition, environment: Environment) -> bool:
        truth = truth_of(condition, environment, lambda body, inner: self.rows(body, inner.scopes))
        return truth is True


def _grouped(
    select: Select, environments: Sequence[Environment], around: Scopes
) -> list[Environment]:
    """One environment per group. Without GROUP BY there is one group, also of no rows."""
    groups: dict[Row, list[Scope]] = {} if select.group_by else {(): []}
    for environment in environments:
        key = tuple(value_of(value, environment) for value in select.group_by)
        groups.setdefault(key, []).append(environment.scopes[0])
    return [
        Environment((members[0] if members else (), *around), tuple(members))
        for members in groups.values()
    ]


def _rank(row: Row, body: Body, width: int) -> tuple[Any, ...]:
    return *(_rank_by(row, order) for order in body.order), rank_row(row[:width])


def _rank_by(row: Row, order: Order) -> Any:
    rank = rank_value(row[order.place])
    return _Descending(rank) if order.descending else rank


@dataclass(frozen=True)
class _Descending:
    rank: Any

    def __lt__(self, other: _Descending) -> bool:
        return bool(other.rank < self.rank)
