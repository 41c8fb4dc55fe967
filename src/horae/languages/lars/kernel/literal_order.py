"""The order in which a rule takes its literals, and what it can forget on the way.

Comparisons come as soon as their variables are bound, negation when nothing is left to bind, and lookups
whose window depends on the instance when it is known. Among lookups those come first that share a
variable with what is bound, then the smaller ones. A variable that neither a later literal nor the
head asks for is dropped at once, so that instances that differ in it alone become one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from horae.languages.lars.check.bindings import VariableNames
from horae.languages.lars.check.normal import BodyLiteral, Inside, Lookup, Modality
from horae.languages.lars.kernel.lookups import is_early, variables_needed
from horae.rules.arithmetic import Comparator, Comparison, TermExpression, variables_of
from horae.rules.terms import Constant, Term, Variable

Rank = tuple[int, int, int, int]

_LATER: Rank = (9, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class OrderHints:
    """What the order depends on: the sizes of predicates, and which have background data."""

    sizes: Mapping[str, int] = field(default_factory=dict)
    background: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Step:
    """A literal, and the variables that are still needed behind it."""

    literal: BodyLiteral
    needed: VariableNames


def order_steps(
    body: Sequence[BodyLiteral], kept: VariableNames, known: OrderHints, first: Lookup | None = None
) -> tuple[Step, ...]:
    """`kept` are the variables of the head."""
    order = order_literals(body, known, first)
    steps: list[Step] = []
    needed = kept
    for literal in reversed(order):
        steps.append(Step(literal, needed))
        needed |= uses(literal)
    return tuple(reversed(steps))


def order_literals(
    body: Sequence[BodyLiteral], known: OrderHints, first: Lookup | None = None
) -> tuple[BodyLiteral, ...]:
    """`first` begins, if its window is known without other literals."""
    waiting = list(body)
    order: list[BodyLiteral] = []
    bound: VariableNames = frozenset()
    while waiting:
        ranks = [_rank(literal, bound, known, literal is first) for literal in waiting]
        best = waiting.pop(min(range(len(waiting)), key=ranks.__getitem__))
        order.append(best)
        bound |= _binds(best)
    return tuple(order)


def _rank(literal: BodyLiteral, bound: VariableNames, known: OrderHints, is_first: bool) -> Rank:
    """Lower is sooner; safety means that something is always ready."""
    match literal:
        case Comparison():
            ready = uses(literal) <= bound or assigned(literal, bound) is not None
            return (0, 0, 0, 0) if ready else _LATER
        case Inside():
            return (0, 0, 0, 0) if uses(literal) <= bound else _LATER
        case Lookup(negated=True):
            return (1, 0, 0, 0) if uses(literal) <= bound else _LATER
        case Lookup(place=place):
            ready = variables_needed(place) <= bound
            return _rank_of_lookup(literal, bound, known, is_first) if ready else _LATER
        case _:
            assert_never(literal)


def _rank_of_lookup(
    lookup: Lookup, bound: VariableNames, known: OrderHints, is_first: bool
) -> Rank:
    binds = _binds(lookup)
    shared = len(binds & bound)
    size = known.sizes.get(lookup.atom.predicate, 0)
    early = 0 if is_early(lookup.place) else 1
    if is_first:
        tier = 2
    elif _is_everywhere(lookup, bound, known):
        tier = 5
    else:
        tier = 3 if shared or not bound or not binds else 4
    return tier, 0 if binds <= bound else 1, early - shared, size


def _is_everywhere(lookup: Lookup, bound: VariableNames, known: OrderHints) -> bool:
    """`@T a` with a true at all times: other literals bind T, or a window does."""
    is_open = isinstance(lookup.when, Variable) and lookup.when.name not in bound
    return is_open and lookup.modality is Modality.AT and lookup.atom.predicate in known.background


def assigned(comparison: Comparison, bound: VariableNames) -> tuple[str, TermExpression] | None:
    """`X = e` where only X is not bound yet."""
    if comparison.comparator is not Comparator.EQUAL:
        return None
    for one, other in (
        (comparison.left, comparison.right),
        (comparison.right, comparison.left),
    ):
        if isinstance(one, Variable) and one.name not in bound and names_in(other) <= bound:
            return one.name, other
    return None


# --- variables


def uses(literal: BodyLiteral) -> VariableNames:
    """All variables of a literal."""
    match literal:
        case Lookup(place=place):
            return _binds(literal) | variables_needed(place)
        case Inside(place=place, when=when):
            return variables_needed(place) | names_in(when)
        case Comparison(left=left, right=right):
            return names_in(left) | names_in(right)
        case _:
            assert_never(literal)


def _binds(literal: BodyLiteral) -> VariableNames:
    match literal:
        case Lookup(atom=atom, when=when):
            return frozenset(atom.variables) | names_in(when)
        case Comparison():
            return uses(literal)
        case Inside():
            return frozenset()
        case _:
            assert_never(literal)


def names_in(expression: TermExpression | Term | None) -> VariableNames:
    if expression is None or isinstance(expression, Constant):
        return frozenset()
    return frozenset(variable.name for variable in variables_of(expression))
