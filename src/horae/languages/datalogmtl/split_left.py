"""`Since` and `Until` whose left side has variables that the right side does not give values to.

p(X,Y) :- s(X), up(X) Since[0,5] b(Y)
    →
p(X,Y) :- s(X), b(Y)
p(X,Y) :- s(X), up(X) Since(0,5] b(Y)

Where `b(Y)` holds now, the left side need not hold, and X is whatever the rest of the rule says. A
fresh predicate for the formula could not list these X; after the split none has to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import assert_never

from horae.languages.datalogmtl.bindings import bound_in
from horae.languages.datalogmtl.program import atoms
from horae.languages.datalogmtl.tree import Binary, Formula, Literal, Modal
from horae.languages.rules.safety import unbound
from horae.languages.rules.terms import Atom, Variable

Body = tuple[Literal, ...]


def split_left(body: Body) -> Iterator[Body]:
    """The bodies, one of which holds iff the given one does."""
    for choice in product(*(_alternatives(literal) for literal in body)):
        yield tuple(literal for literals in choice for literal in literals)


def _alternatives(literal: Literal) -> Sequence[Body]:
    """Either part of a positive literal will do; of a negated one neither must hold."""
    formula = literal.formula
    if not isinstance(formula, Binary) or not free_on_the_left(formula):
        return [(literal,)]
    parts = [replace(literal, formula=part) for part in _parts(formula)]
    return [tuple(parts)] if literal.negated else [(part,) for part in parts]


def _parts(formula: Binary) -> Iterator[Formula]:
    yield formula.right
    later = replace(formula.interval, low_open=True)
    if not later.is_empty:
        yield replace(formula, interval=later)


def free_on_the_left(formula: Binary) -> list[Variable]:
    """The variables that only the left side has, where it need not hold."""
    if Fraction(0) not in formula.interval:
        return []
    return list(unbound(atoms(formula.left), bound_in(formula.right)))


def hidden_free_variables(formula: Formula) -> Iterator[Variable]:
    """Such variables below other operators, where no rule can be split."""
    match formula:
        case Atom():
            return
        case Modal(operand=operand):
            parts: tuple[Formula, ...] = (operand,)
        case Binary(left=left, right=right):
            parts = left, right
        case _:
            assert_never(formula)
    for part in parts:
        if isinstance(part, Binary):
            yield from free_on_the_left(part)
        yield from hidden_free_variables(part)
