"""Pivots: one argument place per derived predicate, such that every derivation stays in one shard.

In every rule the head and all derived atoms must carry the same variable at their pivots. Then
spreading facts by the value at the pivot keeps together all that a rule joins. Inputs are no
obstacle: where an input atom carries that variable it is spread by it, else it is sent everywhere.
The head's variable is bound by some atom of the body, so a shard derives nothing about the keys of
other shards.

flags(X,Z) :- node(X), monitors(X,Z), ~2(Z)         flags by 2, monitors by 2, ~2 by 1;
                                                    node goes everywhere
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from horae.languages.datalogmtl.normal import NormalRule
from horae.languages.datalogmtl.normalise import body_atoms
from horae.languages.graph import reachable
from horae.languages.rules.terms import Atom, Variable
from horae.plan.datalogmtl.stages import Obstacle

Choice = dict[str, frozenset[int]]
"""The places that are still possible for each derived predicate."""


@dataclass(frozen=True, slots=True)
class Pivots:
    """The place of the key of each derived predicate, from 0."""

    places: dict[str, int]


def find_pivots(rules: tuple[NormalRule, ...]) -> Pivots | Obstacle:
    """The first choice, in the order of predicates and places, that satisfies all rules."""
    for rule in rules:
        if not rule.head.arguments:
            return Obstacle(rule, f"`{rule.head.predicate}` has no arguments to spread by")
    places: dict[str, int] = {}
    for knot in _knots(rules):
        start = {r.head.predicate: frozenset(range(len(r.head.arguments))) for r in knot}
        found = _search(knot, start)
        if isinstance(found, Obstacle):
            return found
        places |= found.places
    return Pivots(places)


def _knots(rules: tuple[NormalRule, ...]) -> list[tuple[NormalRule, ...]]:
    """Rules whose derived predicates have to do with each other; other choices are independent."""
    derived = {rule.head.predicate for rule in rules}
    graph: dict[str, set[str]] = {name: set() for name in derived}
    for rule in rules:
        for atom in body_atoms(rule):
            if atom.predicate in derived:
                graph[rule.head.predicate].add(atom.predicate)
                graph[atom.predicate].add(rule.head.predicate)
    knots: dict[frozenset[str], list[NormalRule]] = {}
    for rule in rules:
        members = frozenset(reachable(graph, [rule.head.predicate])) | {rule.head.predicate}
        knots.setdefault(members, []).append(rule)
    return [tuple(knot) for knot in knots.values()]


def _search(rules: tuple[NormalRule, ...], choice: Choice) -> Pivots | Obstacle:
    """Fix one predicate at a time; what the rules say of the others follows."""
    narrowed = _narrow(rules, choice)
    if isinstance(narrowed, Obstacle):
        return narrowed
    open_ones = [name for name, places in narrowed.items() if len(places) > 1]
    if not open_ones:
        return Pivots({name: min(places) for name, places in narrowed.items()})
    first = open_ones[0]
    found: Pivots | Obstacle | None = None
    for place in sorted(narrowed[first]):
        attempt = _search(rules, narrowed | {first: frozenset((place,))})
        if isinstance(attempt, Pivots):
            return attempt
        found = found or attempt
    assert found is not None, "an open predicate has places to try"
    return found


def _narrow(rules: tuple[NormalRule, ...], choice: Choice) -> Choice | Obstacle:
    """Strike out places until every rule can agree with all that are left."""
    choice = dict(choice)
    changed = True
    while changed:
        changed = False
        for rule in rules:
            atoms = [rule.head, *(a for a in body_atoms(rule) if a.predicate in choice)]
            agreed = _agreed(atoms, choice)
            if not agreed:
                return _obstacle(rule, atoms, choice)
            for atom in atoms:
                kept = choice[atom.predicate] & places_of(atom, agreed)
                changed |= kept != choice[atom.predicate]
                choice[atom.predicate] = kept
    return choice


def _agreed(atoms: list[Atom], choice: Choice) -> frozenset[str]:
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


def _obstacle(rule: NormalRule, atoms: list[Atom], choice: Choice) -> Obstacle:
    head, *others = atoms
    keys = _variables(head, choice[head.predicate])
    if not keys:
        return Obstacle(rule, f"`{head.predicate}` has a constant at the place of its key")
    for atom in others:
        here = _variables(atom, choice[atom.predicate])
        if not keys & here:
            return Obstacle(rule, _disagreement(head, atom))
        keys &= here
    raise AssertionError("an obstacle is an atom that does not agree")


def _disagreement(head: Atom, atom: Atom) -> str:
    if head.predicate == atom.predicate:
        return f"`{head.predicate}` reads itself with its key at another argument"
    return (
        f"`{head.predicate}` and `{atom.predicate}` have no variable in common "
        "that could be the key of both in all rules"
    )


def key_of(rule: NormalRule, pivots: Pivots) -> str:
    """The variable that decides the shard of a rule's derivations."""
    term = rule.head.arguments[pivots.places[rule.head.predicate]]
    assert isinstance(term, Variable), "a pivot is never a constant"
    return term.name
