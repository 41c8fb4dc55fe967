"""Trees as text, in the canonical spelling: ASCII, no spaces in arguments and intervals."""

from __future__ import annotations

from typing import assert_never

from horae.data.intervals import ALWAYS, Interval
from horae.data.rationals import write_number
from horae.languages.datalogmtl.syntax.tree import (
    Binary,
    Fact,
    Formula,
    Head,
    Literal,
    Modal,
    Query,
    Rule,
    Statement,
)
from horae.rules.print_atom import print_atom
from horae.rules.terms import Atom


def print_statement(statement: Statement) -> str:
    """A statement on one line, with its dot."""
    match statement:
        case Rule(head, body):
            return f"{print_head(head)} :- {', '.join(map(print_literal, body))}."
        case Fact() | Query():
            return print_line(statement)
        case _:
            assert_never(statement)


def print_line(statement: Fact | Query) -> str:
    match statement:
        case Fact(atom, interval, dated):
            return print_atom(atom) + (f"@{dated}" if dated else _time(interval)) + "."
        case Query(predicates):
            return "?- " + ", ".join(name for name, _ in predicates) + "."
        case _:
            assert_never(statement)


def print_head(head: Head) -> str:
    boxes = "".join(f"{op}{print_interval(interval)} " for op, interval in head.boxes)
    return boxes + print_atom(head.atom)


def print_literal(literal: Literal) -> str:
    return ("not " if literal.negated else "") + print_formula(literal.formula)


def print_formula(formula: Formula) -> str:
    match formula:
        case Atom():
            return print_atom(formula)
        case Modal(operator, interval, operand):
            return f"{operator}{print_interval(interval)} {_operand(operand)}"
        case Binary(binary, interval, left, right):
            sign = f"{binary}{print_interval(interval)}"
            return f"{_operand(left)} {sign} {_operand(right)}"
        case _:
            assert_never(formula)


def _operand(formula: Formula) -> str:
    """`Since` and `Until` bind loosest and do not chain."""
    text = print_formula(formula)
    return f"({text})" if isinstance(formula, Binary) else text


def print_interval(interval: Interval) -> str:
    """A single time as `[2]`."""
    if interval.is_punctual and interval.low is not None:
        return f"[{write_number(interval.low)}]"
    low = "-inf" if interval.low is None else write_number(interval.low)
    high = "inf" if interval.high is None else write_number(interval.high)
    opening, closing = "(" if interval.low_open else "[", ")" if interval.high_open else "]"
    return f"{opening}{low},{high}{closing}"


def _time(interval: Interval) -> str:
    if interval == ALWAYS:
        return ""
    if interval.is_punctual and interval.low is not None:
        return f"@{write_number(interval.low)}"
    return f"@{print_interval(interval)}"
