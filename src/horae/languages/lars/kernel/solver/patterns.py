"""The part of a rule's body that binds its variables, in the order in which it is searched.

A pattern says where to find the positive atoms of a body. Negation is left out, so that the matches
of a pattern include all instances of the rule that can ever be of use.

    win[5] <> (a(X) and not b(X)), c(X, Y)    ⟶    c(X, Y), then a(X) at a time point of the window
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import count
from typing import assert_never

from horae.languages.lars.kernel.solver.parameters import parameter_variables
from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Choice,
    Formula,
    Implies,
    Infinite,
    NamedWindow,
    Not,
    Or,
    PartitionWindow,
    Some,
    TimeWindow,
    TupleWindow,
    Window,
    WindowFunction,
)
from horae.rules.arithmetic import Comparator, Comparison, variables_of
from horae.rules.terms import Atom, Constant, Term, Variable


@dataclass(frozen=True, slots=True, eq=False)
class Find:
    """An atom at the time under consideration. `number` tells the atoms of a body apart."""

    predicate: str
    arguments: tuple[Term, ...]
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Each:
    """All parts, one after the other.

    `needed`: behind each part but the last, the variables that still matter, where others cease to: of
    bindings that agree on them one will do. None where none ceases to.
    """

    parts: tuple[Pattern, ...]
    needed: tuple[tuple[str, ...] | None, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Either:
    parts: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Jump:
    """`@T`. Where T is not bound yet, the atoms below bind it."""

    time: Term
    part: Pattern


@dataclass(frozen=True, slots=True, eq=False)
class Somewhere:
    """`<>`: a jump to a time point that has a name of its own."""

    name: str
    part: Pattern


@dataclass(frozen=True, slots=True, eq=False)
class Throughout:
    """`[]`: what holds at all time points of a window holds at the first."""

    name: str
    part: Pattern


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    choice: Choice
    function: WindowFunction
    part: Pattern


@dataclass(frozen=True, slots=True, eq=False)
class Test:
    comparison: Comparison


Pattern = Find | Each | Either | Jump | Somewhere | Throughout | Cut | Test

_NO_NEED = Each(())


def pattern_of(formulas: Sequence[Formula]) -> Each:
    """The pattern of a conjunction, in a good order."""
    numbers = count()
    return cheapest_first([_pattern(f, numbers) for f in formulas], frozenset())


def _pattern(formula: Formula, numbers: Iterator[int]) -> Pattern:
    match formula:
        case Atom(predicate=predicate, arguments=arguments):
            return Find(predicate, arguments, next(numbers))
        case Comparison():
            return Test(formula)
        case Not() | Implies():
            return _NO_NEED
        case And(operands=operands):
            return cheapest_first([_pattern(f, numbers) for f in operands], frozenset())
        case Or(operands=operands):
            return Either(tuple(_pattern(f, numbers) for f in operands))
        case At(time=time, operand=operand):
            return Jump(time, _pattern(operand, numbers))
        case Some(operand=operand):
            return Somewhere(f"<>{next(numbers)}", _pattern(operand, numbers))
        case Always(operand=operand):
            return Throughout(f"[]{next(numbers)}", _pattern(operand, numbers))
        case Window(choice=choice, function=function, operand=operand):
            return Cut(choice, function, _pattern(operand, numbers))
        case _:
            assert_never(formula)


def finds(pattern: Pattern) -> Iterator[Find]:
    match pattern:
        case Find():
            yield pattern
        case Test():
            pass
        case Each(parts=parts) | Either(parts=parts):
            for part in parts:
                yield from finds(part)
        case Jump(part=part) | Somewhere(part=part) | Throughout(part=part) | Cut(part=part):
            yield from finds(part)
        case _:
            assert_never(pattern)


def has(pattern: Pattern, number: int) -> bool:
    return any(find.number == number for find in finds(pattern))


def focused(pattern: Each, number: int) -> Each:
    """The same search, beginning at the atom with that number; other ways of an `or` are left out."""
    first = next(p for p in pattern.parts if has(p, number))
    narrowed = _narrowed(first, number)
    rest = cheapest_first([p for p in pattern.parts if p is not first], _names(narrowed))
    return Each((narrowed, *rest.parts))


def _narrowed(pattern: Pattern, number: int) -> Pattern:
    match pattern:
        case Find() | Test():
            return pattern
        case Each():
            return focused(pattern, number)
        case Either(parts=parts):
            return _narrowed(next(p for p in parts if has(p, number)), number)
        case Jump(time=time, part=part):
            return Jump(time, _narrowed(part, number))
        case Somewhere(name=name, part=part):
            return Somewhere(name, _narrowed(part, number))
        case Throughout(name=name, part=part):
            return Throughout(name, _narrowed(part, number))
        case Cut(choice=choice, function=function, part=part):
            return Cut(choice, function, _narrowed(part, number))
        case _:
            assert_never(pattern)


# --- the order of parts


def cheapest_first(parts: Iterable[Pattern], bound: frozenset[str]) -> Each:
    """Comparisons as soon as they can be decided; else what needs nothing, and shares most.

    A part's cost changes only when one of its names is bound: those parts come to the heap anew.
    """
    every = [part for part in parts if part is not _NO_NEED]
    if len(every) < 2:
        return Each(tuple(every))
    mentions: dict[str, list[int]] = {}
    for number, part in enumerate(every):
        for name in _names(part) | _needs(part):
            mentions.setdefault(name, []).append(number)
    known, ordered = set(bound), dict[int, Pattern]()
    heap = [(_cost(part, known), number) for number, part in enumerate(every)]
    heapify(heap)
    while heap:
        _, number = heappop(heap)
        if number in ordered:
            continue
        ordered[number] = every[number]
        fresh = _names(every[number]) - known
        known |= fresh
        for other in {n for name in fresh for n in mentions[name] if n not in ordered}:
            heappush(heap, (_cost(every[other], known), other))
    return Each(tuple(ordered.values()))


def with_needs(pattern: Each, kept: frozenset[str]) -> Each:
    """The same search, with what is needed behind its parts; `kept` are needed in the end."""
    last = {name: n for n, part in enumerate(pattern.parts) for name in _names(part) | _needs(part)}
    needed: list[tuple[str, ...] | None] = []
    bound: set[str] = set()
    for number, part in enumerate(pattern.parts[:-1]):
        bound |= _names(part)
        over = {name for name in bound if last[name] <= number} - kept
        bound -= over
        needed.append(tuple(sorted(bound)) if over else None)
    return Each(pattern.parts, tuple(needed))


def _cost(part: Pattern, bound: Set[str]) -> tuple[int, int, int]:
    if isinstance(part, Test):
        return (-1 if _decidable(part.comparison, bound) else 2, 0, 0)
    names = _names(part)
    return (1 if _needs(part) - bound else 0, -len(names & bound), len(names - bound))


def _decidable(comparison: Comparison, bound: Set[str]) -> bool:
    """Whether it can be tested, or gives its last variable a value."""
    left = {v.name for v in variables_of(comparison.left)} - bound
    right = {v.name for v in variables_of(comparison.right)} - bound
    if comparison.comparator is not Comparator.EQUAL:
        return not left and not right
    return (not left and (not right or isinstance(comparison.right, Variable))) or (
        not right and isinstance(comparison.left, Variable)
    )


@lru_cache(4096)
def _names(pattern: Pattern) -> frozenset[str]:
    """The variables with a value after the search (those of an `or` may lack it)."""
    match pattern:
        case Find(arguments=arguments):
            return frozenset(t.name for t in arguments if isinstance(t, Variable))
        case Test(comparison=comparison):
            sides = (comparison.left, comparison.right)
            return frozenset(v.name for side in sides for v in variables_of(side))
        case Each(parts=parts) | Either(parts=parts):
            return frozenset[str]().union(*(_names(p) for p in parts))
        case Jump(time=Variable(name=name), part=part):
            return _names(part) | {name}
        case Jump(part=part) | Somewhere(part=part) | Throughout(part=part) | Cut(part=part):
            return _names(part)
        case _:
            assert_never(pattern)


@lru_cache(4096)
def _needs(pattern: Pattern) -> frozenset[str]:
    """The variables whose values should be known before the search."""
    match pattern:
        case Find() | Test():
            return frozenset()
        case Each(parts=parts) | Either(parts=parts):
            return frozenset[str]().union(*(_needs(p) for p in parts))
        case Jump(time=Variable(name=name), part=part) if not _finds_here(part):
            return _needs(part) | {name}
        case Jump(part=part) | Somewhere(part=part) | Throughout(part=part):
            return _needs(part)
        case Cut(function=function, part=part):
            return _needs(part) | parameter_variables(function)
        case _:
            assert_never(pattern)


def _finds_here(pattern: Pattern) -> bool:
    """Whether an atom is found at the time under consideration, so that it binds the time."""
    return isinstance(pattern, Find) or (
        isinstance(pattern, Each) and any(_finds_here(p) for p in pattern.parts)
    )


# --- exactness


def is_exact(formula: Formula) -> bool:
    """Whether the matches of the pattern are exactly the instances in which the formula holds.

    So for atoms in one bounded window after the other, and then at one time point.
    """
    match formula:
        case Window(function=function, operand=operand):
            return not parameter_variables(function) and _ends(function) and is_exact(operand)
        case Some(operand=operand) | At(operand=operand):
            return _plain(operand)
        case _:
            return _plain(formula)


def _plain(formula: Formula) -> bool:
    match formula:
        case Atom():
            return True
        case And(operands=operands):
            return all(_plain(f) for f in operands)
        case _:
            return False


def _ends(function: WindowFunction) -> bool:
    """Whether a window has an end, whatever the data."""
    match function:
        case TimeWindow(future=future):
            return not isinstance(future, Infinite)
        case TupleWindow(future=future) | PartitionWindow(future=future):
            return isinstance(future, Constant) and future.value == 0
        case NamedWindow():
            return False
        case _:
            assert_never(function)
