"""The values of parameters that have no variables."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import assert_never

from horae.rules.arithmetic import Operation, Sign, TermExpression
from horae.rules.terms import Constant, Variable

Number = int | Fraction


class NoNumber(Enum):
    VARIABLE = "depends on variables"
    UNDEFINED = "text, or a division by zero"


def constant_value(expression: TermExpression) -> Number | NoNumber:
    """Exact, as at run time."""
    match expression:
        case Variable():
            return NoNumber.VARIABLE
        case Constant(value):
            return NoNumber.UNDEFINED if isinstance(value, str) else value
        case Operation(sign, left, right):
            return _applied(sign, constant_value(left), constant_value(right))
        case _:
            assert_never(expression)


def _applied(sign: Sign, left: Number | NoNumber, right: Number | NoNumber) -> Number | NoNumber:
    if NoNumber.UNDEFINED in (left, right):
        return NoNumber.UNDEFINED
    if isinstance(left, NoNumber) or isinstance(right, NoNumber):
        return NoNumber.VARIABLE
    match sign:
        case Sign.PLUS:
            return left + right
        case Sign.MINUS:
            return left - right
        case Sign.TIMES:
            return left * right
        case Sign.DIVIDED:
            return Fraction(left) / right if right else NoNumber.UNDEFINED
        case _:
            assert_never(sign)
