"""Where things occur in a formula: subformulas, windows, variables, in the order of the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
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
    TimeWindow,
    Tree,
    TupleWindow,
    Window,
    WindowFunction,
)
from horae.rules.arithmetic import Comparison, TermExpression, variables_of
from horae.rules.terms import Atom, Variable
from horae.source.text import Span


def children(formula: Formula) -> tuple[Formula, ...]:
    match formula:
        case Atom() | Comparison():
            return ()
        case And(operands) | Or(operands):
            return operands
        case Implies(left, right):
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


def walk(formula: Formula) -> Iterator[Formula]:
    """The formula and all that it contains."""
    yield formula
    for child in children(formula):
        yield from walk(child)


def formulas_of(rule: Rule) -> tuple[Formula, ...]:
    """The head, if there is one, and the conjuncts of the body."""
    return rule.body if rule.head is None else (rule.head, *rule.body)


def atoms_and_patterns(tree: Tree) -> Iterator[Atom]:
    """All atoms of rules and facts, and the patterns of windows."""
    for statement in tree.statements:
        match statement:
            case Fact(atom):
                yield atom
            case Rule():
                yield from atoms_of_rule(statement)
            case Query():
                pass
            case _:
                assert_never(statement)


def _atoms_and_patterns(formula: Formula) -> Iterator[Atom]:
    for part in walk(formula):
        match part:
            case Atom():
                yield part
            case Window(function=PartitionWindow(pattern=pattern)):
                yield pattern
            case _:
                pass


def parameters(function: WindowFunction) -> tuple[TermExpression, ...]:
    """What the rule must give values to; the variables of a pattern belong to the window."""
    match function:
        case TimeWindow(past, future, step):
            return tuple(e for e in (past, future, step) if not isinstance(e, Infinite))
        case TupleWindow(past, future) | PartitionWindow(past=past, future=future):
            return past, future
        case NamedWindow(parameters=given):
            return given
        case _:
            assert_never(function)


def own_variables(formula: Formula) -> Iterator[Variable]:
    """The variables that stand in the formula itself, not in its parts."""
    match formula:
        case Atom(arguments=arguments):
            yield from (term for term in arguments if isinstance(term, Variable))
        case Comparison(left=left, right=right):
            yield from (*variables_of(left), *variables_of(right))
        case At(time=Variable() as time):
            yield time
        case Window(function=function):
            for parameter in parameters(function):
                yield from variables_of(parameter)
        case _:
            pass


def variables_in(formula: Formula) -> Iterator[Variable]:
    """All occurrences, in the order of the text."""
    for part in walk(formula):
        yield from own_variables(part)


def atoms_of_rule(rule: Rule) -> Iterator[Atom]:
    """Those of the head and of the body, and the patterns of windows."""
    for formula in formulas_of(rule):
        yield from _atoms_and_patterns(formula)


def name_span(atom: Atom) -> Span:
    return Span(atom.span.start, atom.span.start + len(atom.predicate))
