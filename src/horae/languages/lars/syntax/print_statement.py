"""Trees as text, in the canonical spelling: ASCII, no spaces in arguments and few parentheses."""

from __future__ import annotations

from typing import assert_never

from horae.data.intervals import ALWAYS
from horae.data.rationals import write_number
from horae.languages.lars.syntax.print_expression import print_expression, print_side
from horae.languages.lars.syntax.print_window import print_window
from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Choice,
    Fact,
    Formula,
    Implies,
    Not,
    Or,
    Query,
    Rule,
    Some,
    Statement,
    Window,
)
from horae.rules.arithmetic import Comparison
from horae.rules.print_atom import print_atom, print_term
from horae.rules.terms import Atom

__all__ = [
    "print_conjunct",
    "print_expression",
    "print_formula",
    "print_head",
    "print_line",
    "print_statement",
]

_IMPLIES, _OR, _AND, _TIGHTEST = range(4)


def print_statement(statement: Statement) -> str:
    """A statement on one line, with its dot."""
    match statement:
        case Rule(body=()) | Fact() | Query():
            return print_line(statement)
        case Rule(body=body):
            return f"{print_head(statement)} {', '.join(map(print_conjunct, body))}."
        case _:
            assert_never(statement)


def print_line(statement: Statement) -> str:
    """A statement without a body."""
    match statement:
        case Rule(head):
            return f"{'' if head is None else print_formula(head)}."
        case Fact(atom):
            return f"{print_atom(atom)}{_time(statement)}."
        case Query(predicates):
            return f"?- {', '.join(name for name, _ in predicates)}."
        case _:
            assert_never(statement)


def print_head(rule: Rule) -> str:
    """The head of a rule with its `:-`."""
    return ":-" if rule.head is None else f"{print_formula(rule.head)} :-"


def print_conjunct(formula: Formula) -> str:
    """One of a body. An `and` that stood in parentheses keeps them: it is one conjunct."""
    text = print_formula(formula)
    return f"({text})" if isinstance(formula, And) else text


def print_formula(formula: Formula) -> str:
    match formula:
        case Atom():
            return print_atom(formula)
        case Comparison(comparator, left, right):
            return f"{print_side(left)} {comparator} {print_side(right)}"
        case And(operands):
            return " and ".join(_operand(operand, _TIGHTEST) for operand in operands)
        case Or(operands):
            return " or ".join(_operand(operand, _AND) for operand in operands)
        case Implies(left, right):
            return f"{_operand(left, _OR)} -> {_operand(right, _IMPLIES)}"
        case Not() | Some() | Always() | At() | Window():
            return f"{_prefix(formula)} {_operand(formula.operand, _TIGHTEST)}"
        case _:
            assert_never(formula)


def _operand(formula: Formula, least: int) -> str:
    text = print_formula(formula)
    return text if _strength(formula) >= least else f"({text})"


def _strength(formula: Formula) -> int:
    match formula:
        case Implies():
            return _IMPLIES
        case Or():
            return _OR
        case And():
            return _AND
        case _:
            return _TIGHTEST


def _prefix(formula: Not | Some | Always | At | Window) -> str:
    match formula:
        case Not():
            return "not"
        case Some():
            return "<>"
        case Always():
            return "[]"
        case At(time):
            return f"@{print_term(time)}"
        case Window(choice, function):
            sign = "win1" if choice is Choice.ORIGINAL else "win"
            return f"{sign}[{print_window(function)}]"
        case _:
            assert_never(formula)


def _time(fact: Fact) -> str:
    low, high = fact.interval.low, fact.interval.high
    if fact.interval == ALWAYS or low is None or high is None:
        return ""
    if low == high:
        return f"@{write_number(low)}"
    return f"@[{write_number(low)},{write_number(high)}]"
