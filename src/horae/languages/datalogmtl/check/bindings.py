"""Which variables a formula gives values to."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import assert_never

from horae.languages.datalogmtl.syntax.tree import Binary, Formula, Literal, Modal
from horae.rules.terms import Atom


def bound_by(body: Iterable[Literal]) -> frozenset[str]:
    """The variables that the positive literals bind."""
    positive = (literal.formula for literal in body if not literal.negated)
    return frozenset[str]().union(*(bound_in(formula) for formula in positive))


def bound_in(formula: Formula) -> frozenset[str]:
    """The variables whose values are those of facts wherever the formula holds.

    `left Since[0,5] right` holds where `right` holds now, whatever `left` is: then the variables
    of `left` could be anything. An interval without 0 has times in between, on a dense timeline.
    """
    match formula:
        case Atom():
            return frozenset(formula.variables)
        case Modal(operand=operand):
            return bound_in(operand)
        case Binary(interval=interval, left=left, right=right):
            if Fraction(0) in interval:
                return bound_in(right)
            return bound_in(left) | bound_in(right)
        case _:
            assert_never(formula)
