"""Expressions of a program as expressions over columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from horae.data.types import Type
from horae.languages.cql.plan.expressions import (
    CheckedScalar,
    Compute,
    Conjunction,
    Disjunction,
    Missing,
    Negation,
    Ref,
    Scalar,
    ScalarComparison,
    ScalarConstant,
    Site,
    ToDouble,
)
from horae.languages.cql.plan.scopes import ScopeFrames, find
from horae.languages.cql.program import (
    Aggregate,
    And,
    Arithmetic,
    ColumnOf,
    Compare,
    Condition,
    Exists,
    Expression,
    Holds,
    In,
    IsNull,
    Literal,
    Not,
    Or,
)
from horae.languages.cql.syntax.tree import Aggregation
from horae.source.text import Source, Span

AggregateKey = tuple[Aggregation, Scalar | None, bool]


@dataclass(frozen=True)
class SelectScope:
    """Where a SELECT finds its columns; with groups also its aggregates and computed keys."""

    source: Source
    frames: ScopeFrames
    aggregates: Mapping[AggregateKey, Ref] = field(default_factory=dict)
    groups: Mapping[Scalar, Ref] = field(default_factory=dict)

    def scalar(self, expression: Expression) -> Scalar:
        return substitute(self._scalar(expression), self.groups)

    def _scalar(self, expression: Expression) -> Scalar:
        match expression:
            case ColumnOf():
                return find(expression, self.frames)
            case Literal(value=value, type=type):
                return ScalarConstant(float(value) if type is Type.DOUBLE else value, type)
            case Arithmetic(sign=sign, left=left, right=right, type=type):
                sides = self._scalar(left), self._scalar(right)
                return Compute(sign, *sides, type, site_of(self.source, expression.span))
            case Aggregate():
                return self.aggregates[self.key_of(expression)]
            case _:
                assert_never(expression)

    def key_of(self, aggregate: Aggregate) -> AggregateKey:
        """Aggregates that say the same are computed once."""
        argument = None if aggregate.argument is None else self._scalar(aggregate.argument)
        return aggregate.function, argument, aggregate.distinct


def substitute(scalar: Scalar, groups: Mapping[Scalar, Ref]) -> Scalar:
    """Inside GROUP BY x + 1: (x + 1) * 2 → key * 2."""
    if scalar in groups:
        return groups[scalar]
    match scalar:
        case Ref() | ScalarConstant():
            return scalar
        case ToDouble(operand=operand) | Missing(operand=operand) | Negation(operand=operand):
            return replace(scalar, operand=substitute(operand, groups))
        case Compute(left=left, right=right) | ScalarComparison(left=left, right=right):
            return replace(scalar, left=substitute(left, groups), right=substitute(right, groups))
        case Conjunction(operands=operands) | Disjunction(operands=operands):
            return replace(scalar, operands=tuple(substitute(o, groups) for o in operands))
        case CheckedScalar(operands=operands):
            return replace(scalar, operands=tuple(substitute(o, groups) for o in operands))
        case _:
            assert_never(scalar)


def site_of(source: Source, span: Span) -> Site:
    at = source.position(span.start)
    return Site(source.snippet(span), f"{source.name}:{at.line}:{at.column}")


def aggregates_in(expression: Expression) -> Iterator[Aggregate]:
    match expression:
        case Aggregate():
            yield expression
        case Arithmetic(left=left, right=right):
            yield from aggregates_in(left)
            yield from aggregates_in(right)
        case ColumnOf() | Literal():
            pass
        case _:
            assert_never(expression)


def expressions_in(condition: Condition) -> Iterator[Expression]:
    """Not those inside subqueries, which have groups of their own."""
    match condition:
        case Compare(left=left, right=right):
            yield from (left, right)
        case Holds(value=value) | IsNull(value=value):
            yield value
        case Not(operand=operand):
            yield from expressions_in(operand)
        case And(operands=operands) | Or(operands=operands):
            for operand in operands:
                yield from expressions_in(operand)
        case In(values=values):
            yield from values
        case Exists():
            pass
        case _:
            assert_never(condition)
