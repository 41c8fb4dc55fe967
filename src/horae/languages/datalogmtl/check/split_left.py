"""`Since` and `Until` whose left side has variables that the right side does not give values to.

p(X,Y) :- s(X), up(X) Since[0,5] b(Y)
    →
p(X,Y) :- s(X), b(Y)
p(X,Y) :- s(X), up(X) Since(0,5] b(Y)

Where `b(Y)` holds now, the left side need not hold, and X is whatever the rest of the rule says. A
fresh predicate for the formula could not list these X; after the split none has to.

Of several such literals one is split at a time (`next_split`), so that there are two rules for each,
not two for every combination.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import assert_never

from horae.languages.datalogmtl.check.bindings import bound_by, bound_in
from horae.languages.datalogmtl.program import atoms
from horae.languages.datalogmtl.syntax.tree import (
    Binary,
    BinaryOperator,
    Formula,
    Literal,
    Modal,
    Operator,
)
from horae.rules.safety import unbound
from horae.rules.terms import Atom, Variable

Body = tuple[Literal, ...]


def split_left(body: Body) -> Iterator[Body]:
    """The bodies, one of which holds iff the given one does."""
    for choice in product(*(_alternatives(literal) for literal in body)):
        yield tuple(literal for literals in choice for literal in literals)


def splits(literal: Literal) -> bool:
    """Whether a body with this literal becomes two."""
    formula = literal.formula
    is_free = isinstance(formula, Binary) and bool(left_only_variables(formula))
    return is_free and not literal.negated


def next_split(
    before: Body, waiting: Sequence[Literal], elsewhere: frozenset[str]
) -> Literal | None:
    """A literal that can be split once `before` holds, of those that wait.

    `before` must give values to the free variables of its left side, but for those that occur nowhere
    else: neither in another literal that waits nor `elsewhere`.
    """
    bound = bound_by(before)
    for literal in waiting:
        others = [a for other in waiting if other is not literal for a in atoms(other.formula)]
        asked = elsewhere.union(*(atom.variables for atom in others))
        formula = literal.formula
        assert isinstance(formula, Binary), "only these are split"
        if all(v.name in bound or v.name not in asked for v in left_only_variables(formula)):
            return literal
    return None


def at_some_time(literal: Literal) -> Literal:
    """What must hold where the literal does: its right side, at some time in sight."""
    formula = literal.formula
    assert isinstance(formula, Binary), "only these are split"
    since = formula.operator is BinaryOperator.SINCE
    operator = Operator.DIAMOND_MINUS if since else Operator.DIAMOND_PLUS
    seen = Modal(operator, formula.interval, formula.right, span=formula.span)
    return replace(literal, formula=seen)


def _alternatives(literal: Literal) -> Sequence[Body]:
    """Either part of a positive literal will do; of a negated one neither must hold."""
    formula = literal.formula
    if not isinstance(formula, Binary) or not left_only_variables(formula):
        return [(literal,)]
    parts = alternatives(literal)
    return [tuple(parts)] if literal.negated else [(part,) for part in parts]


def alternatives(literal: Literal) -> list[Literal]:
    """The right side now, or earlier with the left side since."""
    assert isinstance(literal.formula, Binary), "only these are split"
    return [replace(literal, formula=part) for part in _parts(literal.formula)]


def _parts(formula: Binary) -> Iterator[Formula]:
    yield formula.right
    later = replace(formula.interval, low_open=True)
    if not later.is_empty:
        yield replace(formula, interval=later)


def left_only_variables(formula: Binary) -> list[Variable]:
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
            yield from left_only_variables(part)
        yield from hidden_free_variables(part)
