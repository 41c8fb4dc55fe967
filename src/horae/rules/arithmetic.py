"""Arithmetic and comparison between terms. Data only.

Numbers are exact: integers and rationals. Spans do not take part in comparison.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from horae.rules.terms import Constant, Term, Variable
from horae.source.text import Span, span_field


class Sign(StrEnum):
    PLUS = "+"
    MINUS = "-"
    TIMES = "*"  # also ×
    DIVIDED = "/"  # also ÷


@dataclass(frozen=True, slots=True)
class Operation:
    """`X + 2 * Y`. `-X` is read as `0 - X`."""

    sign: Sign
    left: TermExpression
    right: TermExpression
    span: Span = span_field()


TermExpression = Term | Operation


class Comparator(StrEnum):
    EQUAL = "="
    UNEQUAL = "!="  # also ≠, <>
    LESS = "<"
    AT_MOST = "<="  # also ≤
    GREATER = ">"
    AT_LEAST = ">="  # also ≥


@dataclass(frozen=True, slots=True)
class Comparison:
    """`T = T1 + Z`, `A != B`."""

    comparator: Comparator
    left: TermExpression
    right: TermExpression
    span: Span = span_field()


def variables_of(expression: TermExpression) -> Iterator[Variable]:
    """The variables in the order of the text; one that occurs twice comes twice."""
    match expression:
        case Variable():
            yield expression
        case Constant():
            pass
        case Operation(left=left, right=right):
            yield from variables_of(left)
            yield from variables_of(right)
        case _:
            assert_never(expression)
