"""Put other terms into the place of terms, everywhere in a statement or formula."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Extent,
    Fact,
    Formula,
    Implies,
    Infinite,
    NamedWindow,
    Not,
    Or,
    PartitionWindow,
    Query,
    Rule,
    Some,
    Statement,
    TimeWindow,
    TupleWindow,
    Window,
    WindowFunction,
)
from horae.rules.arithmetic import Comparison, Operation, TermExpression
from horae.rules.terms import Atom, Constant, Term, Variable

TermChange = Callable[[Term], Term]


def rewrite_statement(statement: Statement, change: TermChange) -> Statement:
    match statement:
        case Rule(head, body):
            new_head = None if head is None else rewrite_formula(head, change)
            return replace(
                statement, head=new_head, body=tuple(rewrite_formula(f, change) for f in body)
            )
        case Fact(atom):
            return replace(statement, atom=_atom(atom, change))
        case Query():
            return statement
        case _:
            assert_never(statement)


def rewrite_formula(formula: Formula, change: TermChange) -> Formula:
    """p(X) and X < 5   →   p(Y) and Y < 5"""
    match formula:
        case Atom():
            return _atom(formula, change)
        case Comparison(left=left, right=right):
            sides = _expression(left, change), _expression(right, change)
            return replace(formula, left=sides[0], right=sides[1])
        case And(operands) | Or(operands):
            return replace(formula, operands=tuple(rewrite_formula(f, change) for f in operands))
        case Implies(left, right):
            parts = rewrite_formula(left, change), rewrite_formula(right, change)
            return replace(formula, left=parts[0], right=parts[1])
        case Not(operand) | Some(operand) | Always(operand):
            return replace(formula, operand=rewrite_formula(operand, change))
        case At(time, operand):
            return replace(formula, time=change(time), operand=rewrite_formula(operand, change))
        case Window(function=function, operand=operand):
            inner = rewrite_formula(operand, change)
            return replace(formula, function=_function(function, change), operand=inner)
        case _:
            assert_never(formula)


def _function(function: WindowFunction, change: TermChange) -> WindowFunction:
    match function:
        case TimeWindow(past, future, step):
            return replace(
                function,
                past=_extent(past, change),
                future=_extent(future, change),
                step=_expression(step, change),
            )
        case TupleWindow(past, future):
            counts = _expression(past, change), _expression(future, change)
            return replace(function, past=counts[0], future=counts[1])
        case PartitionWindow():
            return _partition(function, change)
        case NamedWindow(parameters=parameters):
            return replace(function, parameters=tuple(_expression(p, change) for p in parameters))
        case _:
            assert_never(function)


def _partition(window: PartitionWindow, change: TermChange) -> PartitionWindow:
    """The columns are renamed with the pattern; one that becomes a constant is no column."""
    columns = (change(variable) for variable in window.by)
    return replace(
        window,
        pattern=_atom(window.pattern, change),
        by=tuple(column for column in columns if isinstance(column, Variable)),
        past=_expression(window.past, change),
        future=_expression(window.future, change),
    )


def _extent(extent: Extent, change: TermChange) -> Extent:
    return extent if isinstance(extent, Infinite) else _expression(extent, change)


def _expression(expression: TermExpression, change: TermChange) -> TermExpression:
    match expression:
        case Variable() | Constant():
            return change(expression)
        case Operation(left=left, right=right):
            sides = _expression(left, change), _expression(right, change)
            return replace(expression, left=sides[0], right=sides[1])
        case _:
            assert_never(expression)


def _atom(atom: Atom, change: TermChange) -> Atom:
    return replace(atom, arguments=tuple(change(term) for term in atom.arguments))
