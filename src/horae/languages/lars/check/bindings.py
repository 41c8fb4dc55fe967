"""Which variables a formula gives values to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from horae.languages.lars.check.occurrences import parameters
from horae.languages.lars.check.timelines import WHOLE, Timeline, timeline_inside
from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Formula,
    Implies,
    Not,
    Or,
    Some,
    Window,
    WindowFunction,
)
from horae.rules.arithmetic import Comparator, Comparison, TermExpression, variables_of
from horae.rules.terms import Atom, Variable

VariableNames = frozenset[str]


def bound_by(body: Sequence[Formula], given: VariableNames = frozenset()) -> VariableNames:
    """The given variables, and those that have values wherever all these formulas hold."""
    return _all(body, given, WHOLE)


def _all(formulas: Sequence[Formula], known: VariableNames, around: Timeline) -> VariableNames:
    """Until no formula adds a variable: `Z = Y + 1, Y = X + 1, p(X)` binds all three."""
    before: VariableNames | None = None
    while known != before:
        before = known
        for formula in formulas:
            known = _bound(formula, known, around)
    return known


def _bound(formula: Formula, known: VariableNames, around: Timeline) -> VariableNames:
    """The known variables and those that the formula binds as well."""
    match formula:
        case Atom():
            return known | frozenset(formula.variables)
        case Comparison():
            return known | _by_equality(formula, known)
        case And(operands):
            return _all(operands, known, around)
        case Or(operands):
            return frozenset.intersection(*(_bound(o, known, around) for o in operands))
        case Always() if not around.has_points:
            return known  # it may hold for any value
        case Some(operand) | Always(operand):
            return _bound(operand, known, timeline_inside(formula, around))
        case At():
            return _bound_at(formula, known, around)
        case Window(function=function, operand=operand):
            inside = timeline_inside(formula, around)
            return _bound(operand, known, inside) if _is_known(function, known) else known
        case Not() | Implies():
            return known
        case _:
            assert_never(formula)


def _by_equality(comparison: Comparison, known: VariableNames) -> VariableNames:
    """`X = e` and `e = X`, where the variables of e have values."""
    if comparison.comparator is not Comparator.EQUAL:
        return frozenset()
    left, right = comparison.left, comparison.right
    return _defined(left, right, known) | _defined(right, left, known)


def _defined(side: TermExpression, by: TermExpression, known: VariableNames) -> VariableNames:
    is_defined = isinstance(side, Variable) and known.issuperset(_names(by))
    return _names(side) if is_defined else frozenset()


def _names(expression: TermExpression) -> VariableNames:
    return frozenset(variable.name for variable in variables_of(expression))


def _bound_at(formula: At, known: VariableNames, around: Timeline) -> VariableNames:
    """An atom holds at the times of its facts; `@T <> p` may hold at any T."""
    if isinstance(formula.time, Variable) and _is_anchored(formula.operand):
        known |= {formula.time.name}
    return _bound(formula.operand, known, timeline_inside(formula, around))


def _is_anchored(formula: Formula) -> bool:
    match formula:
        case Atom():
            return True
        case And(operands):
            return any(map(_is_anchored, operands))
        case _:
            return False


def _is_known(function: WindowFunction, known: VariableNames) -> bool:
    """A window is cut out before one can look into it: its parameters come from elsewhere."""
    return all(known.issuperset(_names(parameter)) for parameter in parameters(function))
