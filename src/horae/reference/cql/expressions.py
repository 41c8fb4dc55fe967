"""The value of an expression in an environment: a row per element of FROM, for each SELECT around."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import assert_never

from horae.data.types import Type
from horae.languages.cql.program import Aggregate, Arithmetic, ColumnOf, Expression, Literal
from horae.reference.cql.aggregates import aggregate
from horae.reference.cql.failures import DivisionByZeroError, IntegerOverflowError, NotFiniteError
from horae.reference.cql.rows import Row, Value
from horae.rules.arithmetic import Sign

Scope = tuple[Row, ...]
"""One row of each element of a FROM clause."""


@dataclass(frozen=True)
class Environment:
    """`scopes` from the innermost SELECT outwards, and its group, if it has groups.

    The innermost scope then is any row of the group: columns outside of aggregates are equal in all of
    them. Where a group has no rows there are no such columns.
    """

    scopes: tuple[Scope, ...]
    group: tuple[Scope, ...] | None = None

    def of_member(self, scope: Scope) -> Environment:
        return Environment((scope, *self.scopes[1:]))


def value_of(expression: Expression, environment: Environment) -> Value:
    match expression:
        case ColumnOf(depth=depth, source=source, place=place):
            return environment.scopes[depth][source][place]
        case Literal(value=value, type=type):
            return float(value) if type is Type.DOUBLE else value
        case Arithmetic():
            return _compute(expression, environment)
        case Aggregate():
            return _aggregate(expression, environment)
        case _:
            assert_never(expression)


def _aggregate(expression: Aggregate, environment: Environment) -> Value:
    assert environment.group is not None
    members = [environment.of_member(scope) for scope in environment.group]
    if expression.argument is None:
        return len(members)
    values = [value_of(expression.argument, member) for member in members]
    result = aggregate(expression.function, values, expression.argument.type, expression.distinct)
    return _checked(result)


def _compute(expression: Arithmetic, environment: Environment) -> Value:
    left = value_of(expression.left, environment)
    right = value_of(expression.right, environment)
    if left is None or right is None:
        return None
    assert not isinstance(left, str)
    assert not isinstance(right, str)
    if expression.type is Type.DOUBLE:
        left, right = float(left), float(right)
    return _checked(_apply(expression.sign, left, right))


def _apply(sign: Sign, left: float, right: float) -> float:
    match sign:
        case Sign.PLUS:
            return left + right
        case Sign.MINUS:
            return left - right
        case Sign.TIMES:
            return left * right
        case Sign.DIVIDED:
            if right == 0:
                raise DivisionByZeroError("division by zero")
            return left / right
        case _:
            assert_never(sign)


def _checked(result: Value) -> Value:
    match result:
        case float() if not math.isfinite(result):
            raise NotFiniteError("a result is not a finite number")
        case float():
            return result + 0.0  # one zero: −0.0 + 0.0 is 0.0
        case int() if not -(2**63) <= result < 2**63:
            raise IntegerOverflowError("a result does not fit into 64 bits")
        case _:
            return result
