"""Exact arithmetic and comparison on constants.

Arithmetic can be without a value (on text, or a division by zero); that is `None`, and the instance
of a rule in which it happens does not exist.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import assert_never

from horae.data.constants import Value
from horae.languages.lars.kernel.exact import bounded_number
from horae.rules.arithmetic import Comparator, Comparison, Operation, Sign, TermExpression
from horae.rules.terms import Atom, Constant, Variable

Binding = Mapping[str, Value]


def value_of(expression: TermExpression, binding: Binding) -> Value | None:
    """The value of an expression whose variables are all bound."""
    match expression:
        case Variable(name=name):
            return binding[name]
        case Constant(value=value):
            return value
        case Operation(sign=sign, left=left, right=right):
            return _operate(sign, value_of(left, binding), value_of(right, binding))
        case _:
            assert_never(expression)


def _operate(sign: Sign, left: Value | None, right: Value | None) -> Value | None:
    if left is None or right is None or isinstance(left, str) or isinstance(right, str):
        return None
    match sign:
        case Sign.PLUS:
            return bounded_number(left + right)
        case Sign.MINUS:
            return bounded_number(left - right)
        case Sign.TIMES:
            return bounded_number(left * right)
        case Sign.DIVIDED:
            return bounded_number(Fraction(left) / right) if right else None
        case _:
            assert_never(sign)


def instance(atom: Atom, binding: Binding) -> tuple[Value, ...]:
    """The arguments of an atom whose variables are all bound."""
    return tuple(t.value if isinstance(t, Constant) else binding[t.name] for t in atom.arguments)


def holds(comparison: Comparison, binding: Binding) -> bool | None:
    """Whether a comparison holds, or None where a side of it has no value."""
    left, right = value_of(comparison.left, binding), value_of(comparison.right, binding)
    if left is None or right is None:
        return None
    return _compare(comparison.comparator, left, right)


def _compare(comparator: Comparator, left: Value, right: Value) -> bool:
    match comparator:
        case Comparator.EQUAL:
            return left == right
        case Comparator.UNEQUAL:
            return left != right
        case Comparator.LESS:
            return rank(left) < rank(right)
        case Comparator.AT_MOST:
            return rank(left) <= rank(right)
        case Comparator.GREATER:
            return rank(left) > rank(right)
        case Comparator.AT_LEAST:
            return rank(left) >= rank(right)
        case _:
            assert_never(comparator)


def rank(value: Value) -> tuple[bool, int | Fraction, str]:
    """The order of constants: numbers by value, then text by code point."""
    return (True, 0, value) if isinstance(value, str) else (False, value, "")


def is_time(value: Value | None) -> bool:
    """Time points are the natural numbers."""
    return isinstance(value, int) and value >= 0
