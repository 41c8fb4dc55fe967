"""Ground instances of rules: values for variables, and all arithmetic done.

An instance exists only if everything in it has a value, also below `not`: times are natural
numbers, and so are the lengths and counts of windows; a step is at least 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Extent,
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
from horae.reference.lars.arithmetic import Binding, NoValueError, natural, value_of
from horae.rules.arithmetic import Comparison, TermExpression
from horae.rules.terms import Atom, Constant


@dataclass(frozen=True)
class Instance:
    """A ground rule. Without a head it is a constraint."""

    head: Formula | None
    body: tuple[Formula, ...]


def instantiate(rule: Rule, binding: Binding) -> Instance | None:
    """None where something in the instance has no value."""
    try:
        head = None if rule.head is None else ground(rule.head, binding)
        return Instance(head, tuple(ground(formula, binding) for formula in rule.body))
    except NoValueError:
        return None


def ground(formula: Formula, binding: Binding) -> Formula:
    match formula:
        case Atom(arguments=arguments):
            return replace(formula, arguments=tuple(_constant(a, binding) for a in arguments))
        case Comparison(left=left, right=right):
            return replace(formula, left=_constant(left, binding), right=_constant(right, binding))
        case And(operands=operands) | Or(operands=operands):
            return replace(formula, operands=tuple(ground(f, binding) for f in operands))
        case Implies(left=left, right=right):
            return replace(formula, left=ground(left, binding), right=ground(right, binding))
        case Not(operand=operand) | Some(operand=operand) | Always(operand=operand):
            return replace(formula, operand=ground(operand, binding))
        case At(time=time, operand=operand):
            return replace(formula, time=_natural(time, binding), operand=ground(operand, binding))
        case Window(function=function, operand=operand):
            function = ground_window(function, binding)
            return replace(formula, function=function, operand=ground(operand, binding))
        case _:
            assert_never(formula)


def ground_window(function: WindowFunction, binding: Binding) -> WindowFunction:
    """The variables of a pattern name columns: they stay."""
    match function:
        case TimeWindow(past=past, future=future, step=step):
            past, future = _extent(past, binding), _extent(future, binding)
            return replace(function, past=past, future=future, step=_step(step, binding))
        case TupleWindow(past=past, future=future) | PartitionWindow(past=past, future=future):
            return replace(function, past=_natural(past, binding), future=_natural(future, binding))
        case NamedWindow(parameters=parameters):
            return replace(function, parameters=tuple(_constant(p, binding) for p in parameters))
        case _:
            assert_never(function)


def _extent(extent: Extent, binding: Binding) -> Extent:
    return extent if isinstance(extent, Infinite) else _natural(extent, binding)


def _step(expression: TermExpression, binding: Binding) -> Constant:
    step = _natural(expression, binding)
    if step.value == 0:
        raise NoValueError("a step is at least 1")
    return step


def _natural(expression: TermExpression, binding: Binding) -> Constant:
    constant = _constant(expression, binding)
    natural(constant.value)
    return constant


def _constant(expression: TermExpression, binding: Binding) -> Constant:
    return Constant(value_of(expression, binding), span=expression.span)
