"""Give the variables of a statement or formula other names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from horae.languages.datalogmtl.syntax.tree import (
    Binary,
    Fact,
    Formula,
    Modal,
    Query,
    Rule,
    Statement,
)
from horae.rules.terms import Atom, Variable

Naming = Callable[[Variable], str]


def rename_variables(statement: Statement, name: Naming) -> Statement:
    match statement:
        case Rule(head, body):
            head = replace(head, atom=_renamed_atom(head.atom, name))
            literals = [replace(lit, formula=rename_formula(lit.formula, name)) for lit in body]
            return replace(statement, head=head, body=tuple(literals))
        case Fact() | Query():
            return statement
        case _:
            assert_never(statement)


def rename_formula(formula: Formula, name: Naming) -> Formula:
    match formula:
        case Atom():
            return _renamed_atom(formula, name)
        case Modal(operand=operand):
            return replace(formula, operand=rename_formula(operand, name))
        case Binary(left=left, right=right):
            sides = rename_formula(left, name), rename_formula(right, name)
            return replace(formula, left=sides[0], right=sides[1])
        case _:
            assert_never(formula)


def _renamed_atom(atom: Atom, name: Naming) -> Atom:
    arguments = tuple(
        replace(term, name=name(term)) if isinstance(term, Variable) else term
        for term in atom.arguments
    )
    return replace(atom, arguments=arguments)
