"""Walks over checked expressions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from horae.languages.cql.program import Aggregate, Arithmetic, ColumnOf, Expression, Literal


def columns_in(expression: Expression) -> Iterator[ColumnOf]:
    match expression:
        case ColumnOf():
            yield expression
        case Literal():
            pass
        case Arithmetic(left=left, right=right):
            yield from columns_in(left)
            yield from columns_in(right)
        case Aggregate(argument=argument):
            if argument is not None:
                yield from columns_in(argument)
        case _:
            assert_never(expression)


def deepen(expression: Expression, depth: int) -> Expression:
    """The same value, seen from `depth` queries further inside."""
    match expression:
        case ColumnOf():
            return replace(expression, depth=expression.depth + depth)
        case Literal():
            return expression
        case Arithmetic(left=left, right=right):
            return replace(expression, left=deepen(left, depth), right=deepen(right, depth))
        case Aggregate(argument=argument):
            inner = None if argument is None else deepen(argument, depth)
            return replace(expression, argument=inner)
        case _:
            assert_never(expression)


def has_aggregate(expression: Expression) -> bool:
    match expression:
        case Aggregate():
            return True
        case Arithmetic(left=left, right=right):
            return has_aggregate(left) or has_aggregate(right)
        case ColumnOf() | Literal():
            return False
        case _:
            assert_never(expression)
