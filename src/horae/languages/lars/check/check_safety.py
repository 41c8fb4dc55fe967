"""Safety: the body gives a value to every variable of the rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from horae.languages.lars.check import catalogue_checks as catalogue
from horae.languages.lars.check.bindings import bound_by
from horae.languages.lars.check.occurrences import own_variables
from horae.languages.lars.check.timelines import WHOLE, Timeline, timeline_inside
from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Formula,
    Implies,
    Not,
    Or,
    Rule,
    Some,
    Window,
)
from horae.rules.arithmetic import Comparison
from horae.rules.terms import Atom, Variable
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source

VariableUse = tuple[str, Variable]
"""An occurrence of a variable, with the construct around it that binds nothing."""


def check_safety(source: Source, rule: Rule) -> Iterator[Diagnostic]:
    """Each variable without a value, at its first place; the places in the body say why."""
    inside = [place for formula in rule.body for place in _in_formula(formula, "", WHOLE)]
    bound = _bound(rule, inside)
    reasons = {variable.name: place for place, variable in reversed(inside)}
    reported: set[str] = set()
    for place, variable in [*_in_head(rule), *inside]:
        if variable.name in bound | reported:
            continue
        reported.add(variable.name)
        shown = "_" if source.snippet(variable.span) == "_" else variable.name
        if rule.body:
            reason = reasons.get(variable.name, "")
            yield catalogue.unsafe(shown, place, reason, variable.span)
        else:
            yield catalogue.unsafe_without_body(shown, variable.span)


def _bound(rule: Rule, inside: Sequence[VariableUse]) -> frozenset[str]:
    """What the body binds; the size of a window alone is missing where nothing else is wrong."""
    bound = bound_by(rule.body)
    sizes = {variable.name for place, variable in inside if place == catalogue.PARAMETER} - bound
    return bound_by(rule.body, frozenset(sizes)) - sizes


def _in_head(rule: Rule) -> Iterator[VariableUse]:
    if rule.head is not None:
        yield from _in_formula(rule.head, catalogue.HEAD, WHOLE)


def _in_formula(formula: Formula, around: str, timeline: Timeline) -> Iterator[VariableUse]:
    """The outermost construct that does not bind comes with each variable."""
    place = around or _place(formula, timeline)
    yield from ((place, variable) for variable in own_variables(formula))
    match formula:
        case Atom() | Comparison():
            return
        case And(operands) | Or(operands):
            parts = operands
        case Implies(left, right):
            parts = (left, right)
        case Not(operand):
            parts = (operand,)
        case Some(operand) | Always(operand):
            parts, timeline = (operand,), timeline_inside(formula, timeline)
        case At(operand=operand) | Window(operand=operand):
            parts, place, timeline = (operand,), around, timeline_inside(formula, timeline)
        case _:
            assert_never(formula)
    for part in parts:
        yield from _in_formula(part, place, timeline)


def _place(formula: Formula, timeline: Timeline) -> str:
    match formula:
        case Always() if not timeline.has_points:
            return catalogue.ALWAYS
        case Comparison():
            return catalogue.COMPARISON
        case Not():
            return catalogue.NEGATION
        case Implies():
            return catalogue.IMPLICATION
        case Or():
            return catalogue.DISJUNCTION
        case At():
            return catalogue.TIME
        case Window():
            return catalogue.PARAMETER
        case Atom() | And() | Some() | Always():
            return ""
        case _:
            assert_never(formula)
