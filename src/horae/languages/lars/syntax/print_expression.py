"""Values and arithmetic as text; what is printed reads back as the same tree."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from horae.data.rationals import write_number
from horae.frontend.quoting import quote
from horae.rules.arithmetic import Operation, Sign, TermExpression
from horae.rules.print_atom import print_term
from horae.rules.terms import Constant, Variable
from horae.rules.window_keywords import INFINITY, RESERVED, TIME, WINDOWS

_KEYWORDS = frozenset((*RESERVED, *WINDOWS, TIME, *INFINITY))
_SUM, _PRODUCT, _TIGHTEST = range(3)


def print_side(expression: TermExpression) -> str:
    """A side of a comparison: here a name may stand without quotes."""
    match expression:
        case Constant(str() as text) if text.lower() not in _KEYWORDS:
            return print_term(expression)
        case _:
            return print_expression(expression)


def print_expression(expression: TermExpression) -> str:
    match expression:
        case Variable(name):
            return name
        case Constant(str() as text):
            return quote(text)
        case Constant(int() | Fraction() as number):
            return write_number(number)
        case Operation(sign, left, right):
            own = _strength(expression)
            return f"{_operand(left, own)} {sign} {_operand(right, own + 1)}"
        case _:
            assert_never(expression)  # type: ignore[arg-type]


def _operand(expression: TermExpression, least: int) -> str:
    text = print_expression(expression)
    return text if _strength(expression) >= least else f"({text})"


def _strength(expression: TermExpression) -> int:
    """A fraction such as `1/3` is written as a division."""
    match expression:
        case Operation(Sign.PLUS | Sign.MINUS):
            return _SUM
        case Operation():
            return _PRODUCT
        case Constant(Fraction() as number) if "/" in write_number(number):
            return _PRODUCT
        case _:
            return _TIGHTEST
