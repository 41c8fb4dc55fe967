"""Pivots: one argument place per derived predicate, such that every derivation stays in one shard.

In every rule the head and all derived atoms must carry the same variable at their pivots. Then
spreading facts by the value at the pivot keeps together all that a rule joins. Inputs are no
obstacle: where an input atom carries that variable it is spread by it, else it is sent everywhere.
The search knows of a rule only its *shape*, the atoms, so every rule language can use it.

flags(X,Z) :- node(X), monitors(X,Z), ~2(Z)         flags by 2, monitors by 2, ~2 by 1;
                                                    node goes everywhere
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from horae.frontend.graph import reachable
from horae.rules.terms import Atom, Variable

PivotChoice = dict[str, frozenset[int]]
"""The places that are still possible for each derived predicate."""

Gain = Callable[[str, int], int]
"""What a predicate's key at a place is worth: of several choices, greater ones are tried first."""


@dataclass(frozen=True, slots=True)
class RuleShape:
    """The atoms of a rule; `number` tells which rule it is."""

    number: int
    head: Atom
    body: tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class Pivots:
    """The place of the key of each derived predicate, from 0."""

    places: dict[str, int]


@dataclass(frozen=True, slots=True)
class Conflict:
    """The rule that no choice of keys satisfies, and why."""

    number: int
    reason: str


def _all_equal(_predicate: str, _place: int) -> int:
    return 0


def find_pivots(shapes: Sequence[RuleShape], gain: Gain = _all_equal) -> Pivots | Conflict:
    """The first choice, in the order of predicates, gains and places, that satisfies all rules."""
    for shape in shapes:
        if not shape.head.arguments:
            reason = f"`{shape.head.predicate}` has no arguments to spread by"
            return Conflict(shape.number, reason)
    places: dict[str, int] = {}
    for knot in _knots(shapes):
        start = {s.head.predicate: frozenset(range(len(s.head.arguments))) for s in knot}
        found = _search(knot, start, gain)
        if isinstance(found, Conflict):
            return found
        places |= found.places
    return Pivots(places)


def _knots(shapes: Sequence[RuleShape]) -> list[tuple[RuleShape, ...]]:
    """Rules whose derived predicates have to do with each other; other choices are independent."""
    derived = {shape.head.predicate for shape in shapes}
    graph: dict[str, set[str]] = {name: set() for name in derived}
    for shape in shapes:
        for atom in shape.body:
            if atom.predicate in derived:
                graph[shape.head.predicate].add(atom.predicate)
                graph[atom.predicate].add(shape.head.predicate)
    home: dict[str, str] = {}
    knots: dict[str, list[RuleShape]] = {}
    for shape in shapes:
        name = shape.head.predicate
        if name not in home:
            home |= dict.fromkeys(reachable(graph, [name]), name)
        knots.setdefault(home[name], []).append(shape)
    return [tuple(knot) for knot in knots.values()]


def extends(found: Pivots, shapes: Sequence[RuleShape]) -> bool:
    """Whether more rules can be satisfied without another choice for what has one."""
    free = {s.head.predicate: frozenset(range(len(s.head.arguments))) for s in shapes}
    read = {atom.predicate for shape in shapes for atom in shape.body}
    fixed = {n: frozenset((found.places[n],)) for n in read & found.places.keys() - free.keys()}
    narrowed = _search(shapes, fixed | free, _all_equal)
    if isinstance(narrowed, Pivots):
        found.places.update(narrowed.places)
    return isinstance(narrowed, Pivots)


def _search(shapes: Sequence[RuleShape], choice: PivotChoice, gain: Gain) -> Pivots | Conflict:
    """Fix one predicate at a time; what the rules say of the others follows."""
    narrowed = _narrow(shapes, choice)
    if isinstance(narrowed, Conflict):
        return narrowed
    open_ones = [name for name, places in narrowed.items() if len(places) > 1]
    if not open_ones:
        return Pivots({name: min(places) for name, places in narrowed.items()})
    first = open_ones[0]
    found: Pivots | Conflict | None = None
    for place in sorted(narrowed[first], key=lambda place: (-gain(first, place), place)):
        attempt = _search(shapes, narrowed | {first: frozenset((place,))}, gain)
        if isinstance(attempt, Pivots):
            return attempt
        found = found or attempt
    assert found is not None, "an open predicate has places to try"
    return found


def _narrow(shapes: Sequence[RuleShape], choice: PivotChoice) -> PivotChoice | Conflict:
    """Strike out places until every rule can agree with all that are left."""
    choice = dict(choice)
    readers: dict[str, list[int]] = {}
    atoms = [[s.head, *(a for a in s.body if a.predicate in choice)] for s in shapes]
    for place, mentioned in enumerate(atoms):
        for name in {atom.predicate for atom in mentioned}:
            readers.setdefault(name, []).append(place)
    waiting = dict.fromkeys(range(len(shapes)))
    while waiting:
        place = next(iter(waiting))
        del waiting[place]
        agreed = _agreed(atoms[place], choice)
        if not agreed:
            return Conflict(shapes[place].number, _reason(atoms[place], choice))
        for atom in atoms[place]:
            kept = choice[atom.predicate] & places_of(atom, agreed)
            if kept != choice[atom.predicate]:
                choice[atom.predicate] = kept
                waiting |= dict.fromkeys(readers[atom.predicate])
    return choice


def _agreed(atoms: list[Atom], choice: PivotChoice) -> frozenset[str]:
    """The variables that can be the key of all these atoms."""
    possible = [_variables(atom, choice[atom.predicate]) for atom in atoms]
    return frozenset.intersection(*possible)


def _variables(atom: Atom, places: Iterable[int]) -> frozenset[str]:
    terms = (atom.arguments[place] for place in places)
    return frozenset(term.name for term in terms if isinstance(term, Variable))


def places_of(atom: Atom, names: Iterable[str]) -> frozenset[int]:
    """The places of an atom where one of the variables stands."""
    wanted = frozenset(names)
    return frozenset(
        place
        for place, term in enumerate(atom.arguments)
        if isinstance(term, Variable) and term.name in wanted
    )


def _reason(atoms: list[Atom], choice: PivotChoice) -> str:
    head, *others = atoms
    keys = _variables(head, choice[head.predicate])
    if not keys:
        return f"`{head.predicate}` has a constant at the place of its key"
    for atom in others:
        here = _variables(atom, choice[atom.predicate])
        if not keys & here:
            return _disagreement(head, atom)
        keys &= here
    raise AssertionError("a conflict is an atom that does not agree")


def _disagreement(head: Atom, atom: Atom) -> str:
    if head.predicate == atom.predicate:
        return f"`{head.predicate}` reads itself with its key at another argument"
    return (
        f"`{head.predicate}` and `{atom.predicate}` have no variable in common "
        "that could be the key of both in all rules"
    )


def key_of(head: Atom, pivots: Pivots) -> str:
    """The variable that decides the shard of a rule's derivations."""
    term = head.arguments[pivots.places[head.predicate]]
    assert isinstance(term, Variable), "a pivot is never a constant"
    return term.name
