"""The values of expressions, and how values compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import assert_never

from horae.data.constants import Value
from horae.rules.arithmetic import Comparator, Comparison, Operation, Sign, TermExpression
from horae.rules.terms import Constant, Variable

Binding = Mapping[str, Value]


class NoValueError(Exception):
    """Arithmetic on text, division by zero, or a value that cannot stand where it stands."""


class UnboundError(Exception):
    """A variable of the expression has no value yet."""


def value_of(expression: TermExpression, binding: Binding) -> Value:
    match expression:
        case Constant(value=value):
            return _normal(value)
        case Variable(name=name):
            return _look_up(name, binding)
        case Operation(sign=sign, left=left, right=right):
            operands = value_of(left, binding), value_of(right, binding)
            return _apply(sign, *map(_number, operands))
        case _:
            assert_never(expression)


def _look_up(name: str, binding: Binding) -> Value:
    if name not in binding:
        raise UnboundError(name)
    return binding[name]


def _number(value: Value) -> Fraction:
    if isinstance(value, str):
        raise NoValueError(f"`{value}` is no number")
    return Fraction(value)


def _apply(sign: Sign, left: Fraction, right: Fraction) -> Value:
    match sign:
        case Sign.PLUS:
            return _normal(left + right)
        case Sign.MINUS:
            return _normal(left - right)
        case Sign.TIMES:
            return _normal(left * right)
        case Sign.DIVIDED:
            if right == 0:
                raise NoValueError("division by zero")
            return _normal(left / right)
        case _:
            assert_never(sign)


def _normal(value: Value) -> Value:
    whole = isinstance(value, Fraction) and value.denominator == 1
    return int(value) if whole else value


def natural(value: Value) -> int:
    """Time points, and the lengths and counts of windows, are natural numbers."""
    if not isinstance(value, int) or value < 0:
        raise NoValueError(f"{value} is no natural number")
    return value


def compares(comparison: Comparison, binding: Binding) -> bool:
    left = order_key(value_of(comparison.left, binding))
    right = order_key(value_of(comparison.right, binding))
    match comparison.comparator:
        case Comparator.EQUAL:
            return left == right
        case Comparator.UNEQUAL:
            return left != right
        case Comparator.LESS:
            return left < right
        case Comparator.AT_MOST:
            return left <= right
        case Comparator.GREATER:
            return left > right
        case Comparator.AT_LEAST:
            return left >= right
        case _:
            assert_never(comparison.comparator)


def order_key(value: Value) -> tuple[bool, Fraction, str]:
    """Numbers before text, by value or code point."""
    if isinstance(value, str):
        return True, Fraction(0), value
    return False, Fraction(value), ""


def order_keys(values: Sequence[Value]) -> tuple[tuple[bool, Fraction, str], ...]:
    return tuple(map(order_key, values))
