"""Ground formulas over the atoms that are yet to be decided, in negation normal form.

What is given has become true or false, and is gone: truth is `All(())`, falsity `Any(())`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never


@dataclass(frozen=True, slots=True)
class SolverLiteral:
    """An undecided atom, by its number from 1; negated where the number is negative."""

    number: int


@dataclass(frozen=True, slots=True)
class All:
    """A conjunction; no part of it is a conjunction."""

    parts: tuple[Ground, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """A disjunction; no part of it is a disjunction."""

    parts: tuple[Ground, ...]


Ground = SolverLiteral | All | Any

TRUE = All(())
FALSE = Any(())


def truth_formula(value: bool) -> Ground:
    return TRUE if value else FALSE


def every(parts: Iterable[Ground]) -> Ground:
    """The conjunction; reads no further than to the first part that is false."""
    kept: dict[Ground, None] = {}
    for part in parts:
        if part == FALSE:
            return FALSE
        kept.update(dict.fromkeys(part.parts if isinstance(part, All) else (part,)))
    return next(iter(kept)) if len(kept) == 1 else All(tuple(kept))


def some(parts: Iterable[Ground]) -> Ground:
    """The disjunction; reads no further than to the first part that is true."""
    kept: dict[Ground, None] = {}
    for part in parts:
        if part == TRUE:
            return TRUE
        kept.update(dict.fromkeys(part.parts if isinstance(part, Any) else (part,)))
    return next(iter(kept)) if len(kept) == 1 else Any(tuple(kept))


def negation(formula: Ground) -> Ground:
    match formula:
        case SolverLiteral(number=number):
            return SolverLiteral(-number)
        case All(parts=parts):
            return Any(tuple(negation(p) for p in parts))
        case Any(parts=parts):
            return All(tuple(negation(p) for p in parts))
        case _:
            assert_never(formula)


def literals(formula: Ground) -> Iterator[int]:
    match formula:
        case SolverLiteral(number=number):
            yield number
        case All(parts=parts) | Any(parts=parts):
            for part in parts:
                yield from literals(part)
        case _:
            assert_never(formula)


def is_true(formula: Ground, model: Collection[int]) -> bool:
    """Whether the formula holds where exactly the atoms of the model are true."""
    match formula:
        case SolverLiteral(number=number):
            return (abs(number) in model) == (number > 0)
        case All(parts=parts):
            return all(is_true(p, model) for p in parts)
        case Any(parts=parts):
            return any(is_true(p, model) for p in parts)
        case _:
            assert_never(formula)


def within(formula: Ground, model: Collection[int]) -> Ground:
    """The formula where all atoms outside of the model are false."""
    match formula:
        case SolverLiteral(number=number):
            return formula if abs(number) in model else truth_formula(number < 0)
        case All(parts=parts):
            return every(within(p, model) for p in parts)
        case Any(parts=parts):
            return some(within(p, model) for p in parts)
        case _:
            assert_never(formula)


@dataclass(frozen=True, slots=True)
class GroundRule:
    """An instance of a rule: whenever the body holds, so must the head. A constraint's head is false."""

    head: Ground
    body: Ground
