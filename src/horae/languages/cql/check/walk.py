"""Walks over checked expressions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

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
    Select,
)


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


def values_in_query(select: Select) -> Iterator[Expression]:
    """All values of a SELECT and their parts; not those of queries inside of it."""
    for value in (*select.values, *select.group_by):
        yield from _parts(value)
    for condition in (select.where, select.having):
        if condition is not None:
            yield from values_in(condition)


def values_in(condition: Condition) -> Iterator[Expression]:
    """All values of a condition and their parts; not those of queries inside of it."""
    match condition:
        case Compare(left=left, right=right):
            yield from _parts(left)
            yield from _parts(right)
        case Holds(value=value) | IsNull(value=value):
            yield from _parts(value)
        case Not(operand=operand):
            yield from values_in(operand)
        case And(operands=operands) | Or(operands=operands):
            for operand in operands:
                yield from values_in(operand)
        case In(values=values):
            for value in values:
                yield from _parts(value)
        case Exists():
            pass
        case _:
            assert_never(condition)


def _parts(expression: Expression) -> Iterator[Expression]:
    """The expression itself, then what it is made of."""
    yield expression
    match expression:
        case Arithmetic(left=left, right=right):
            yield from _parts(left)
            yield from _parts(right)
        case Aggregate(argument=argument):
            if argument is not None:
                yield from _parts(argument)
        case ColumnOf() | Literal():
            pass
        case _:
            assert_never(expression)
