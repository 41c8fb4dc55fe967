"""The variables of a rule. Those in the pattern of a window name columns, and are not among them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Formula,
    Implies,
    Infinite,
    NamedWindow,
    Not,
    Or,
    PartitionWindow,
    Rule,
    Some,
    TimeWindow,
    TupleWindow,
    Window,
    WindowFunction,
)
from horae.rules.arithmetic import Comparison, TermExpression, variables_of
from horae.rules.terms import Atom, Term, Variable


def variables_of_rule(rule: Rule) -> frozenset[str]:
    expressions = (e for formula in _formulas(rule) for e in _expressions(formula))
    return frozenset(variable.name for e in expressions for variable in variables_of(e))


def variables_in(formula: Formula) -> frozenset[str]:
    return frozenset(v.name for e in _expressions(formula) for v in variables_of(e))


def time_variables(rule: Rule) -> frozenset[str]:
    """The variables behind `@`."""
    times = (time for formula in _formulas(rule) for time in times_in(formula))
    return frozenset(time.name for time in times if isinstance(time, Variable))


def times_in(formula: Formula) -> Iterator[Term]:
    if isinstance(formula, At):
        yield formula.time
    for part in parts(formula):
        yield from times_in(part)


def _formulas(rule: Rule) -> tuple[Formula, ...]:
    return rule.body if rule.head is None else (*rule.body, rule.head)


def _expressions(formula: Formula) -> Iterator[TermExpression]:
    match formula:
        case Atom(arguments=arguments):
            yield from arguments
        case Comparison(left=left, right=right):
            yield from (left, right)
        case At(time=time):
            yield time
        case Window(function=function):
            yield from parameters(function)
        case _:
            pass
    for part in parts(formula):
        yield from _expressions(part)


def parts(formula: Formula) -> tuple[Formula, ...]:
    """The formulas of which a formula is made."""
    match formula:
        case Atom() | Comparison():
            return ()
        case And(operands=operands) | Or(operands=operands):
            return operands
        case Implies(left=left, right=right):
            return left, right
        case (
            Not(operand=operand)
            | Some(operand=operand)
            | Always(operand=operand)
            | At(operand=operand)
            | Window(operand=operand)
        ):
            return (operand,)
        case _:
            assert_never(formula)


def parameters(function: WindowFunction) -> Iterator[TermExpression]:
    match function:
        case TimeWindow(past=past, future=future, step=step):
            yield from (e for e in (past, future, step) if not isinstance(e, Infinite))
        case TupleWindow(past=past, future=future) | PartitionWindow(past=past, future=future):
            yield from (past, future)
        case NamedWindow(parameters=parameters):
            yield from parameters
        case _:
            assert_never(function)
