"""Pivots: one argument place per predicate, such that every derivation stays inside one shard.

In every rule the head and all atoms that are not broadcast must carry the same variable at their
pivots. Then spreading facts by the value at the pivot keeps all that a rule joins together. What
cannot be aligned is broadcast, if it is input (or derived from broadcast facts only).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from horae.languages.datalogmtl.normal import JoinRule, Link, NormalRule, Step
from horae.languages.rules.terms import Atom, Variable


@dataclass(frozen=True, slots=True)
class Pivots:
    places: dict[str, int]
    broadcast: frozenset[str]


@dataclass(frozen=True, slots=True)
class NoPivots:
    """The first rule that no choice of places satisfies."""

    rule: NormalRule
    reason: str


def find_pivots(rules: tuple[NormalRule, ...], broadcast: frozenset[str]) -> Pivots | NoPivots:
    """Try places for the derived predicates; inputs follow. `broadcast` is everywhere already."""
    derived = {r.head.predicate: len(r.head.arguments) for r in rules} | {}
    everywhere = _only_broadcast(rules, broadcast)
    spread = [name for name in derived if name not in everywhere]
    best: NoPivots | None = None
    for places in product(*(range(derived[name]) for name in spread)):
        found = _check(rules, dict(zip(spread, places, strict=True)), everywhere)
        if isinstance(found, Pivots):
            return found
        best = best or found
    return best or NoPivots(rules[0], _without_arguments(spread, derived))


def _without_arguments(spread: list[str], derived: dict[str, int]) -> str:
    bare = next((name for name in spread if derived[name] == 0), None)
    return f"`{bare}` has no arguments" if bare else "there is nothing to spread by"


def _only_broadcast(rules: tuple[NormalRule, ...], broadcast: frozenset[str]) -> frozenset[str]:
    """Predicates that every shard can derive for itself."""
    derived = {r.head.predicate for r in rules}
    found = set(broadcast)
    while True:
        more = {
            name
            for name in derived - found
            if all(_reads(r) <= found | {name} for r in rules if r.head.predicate == name)
        }
        if not more:
            return frozenset(found)
        found |= more


def _reads(rule: NormalRule) -> set[str]:
    return {atom.predicate for atom in body_atoms(rule)}


def body_atoms(rule: NormalRule) -> tuple[Atom, ...]:
    match rule:
        case Step(body=body):
            return (body,)
        case Link(left=left, right=right):
            return (left, right)
        case JoinRule(positive=positive, negative=negative):
            return (*positive, *negative)


def _check(
    rules: tuple[NormalRule, ...], places: dict[str, int], everywhere: frozenset[str]
) -> Pivots | NoPivots:
    """Follow a choice through all rules; inputs are aligned where that is possible."""
    derived = {r.head.predicate for r in rules}
    candidates: dict[str, set[int]] = {}
    for rule in rules:
        if rule.head.predicate in everywhere:
            continue
        variable = _variable_at(rule.head, places[rule.head.predicate])
        if variable is None:
            return NoPivots(rule, f"`{rule.head.predicate}` has a constant at the place of its key")
        for atom in body_atoms(rule):
            if atom.predicate in everywhere:
                continue
            if atom.predicate in derived:
                if _variable_at(atom, places[atom.predicate]) != variable:
                    return NoPivots(rule, f"`{atom.predicate}` is joined on another argument")
            else:
                _narrow(candidates, atom, variable)
    return _with_inputs(rules, places, everywhere, candidates)


def _narrow(candidates: dict[str, set[int]], atom: Atom, variable: str) -> None:
    possible = {
        i
        for i, term in enumerate(atom.arguments)
        if isinstance(term, Variable) and term.name == variable
    }
    known = candidates.get(atom.predicate)
    candidates[atom.predicate] = possible if known is None else known & possible


def _with_inputs(
    rules: tuple[NormalRule, ...],
    places: dict[str, int],
    everywhere: frozenset[str],
    candidates: dict[str, set[int]],
) -> Pivots | NoPivots:
    """Inputs that fit nowhere are broadcast; but something must remain to be spread."""
    fitting = {name: min(found) for name, found in candidates.items() if found}
    lonely = frozenset(name for name, found in candidates.items() if not found)
    for rule in rules:
        spread = [a for a in body_atoms(rule) if a.predicate in fitting or a.predicate in places]
        if rule.head.predicate not in everywhere and not spread:
            return NoPivots(rule, "all that it reads would have to be everywhere")
    return Pivots(places | fitting, everywhere | lonely)


def _variable_at(atom: Atom, place: int) -> str | None:
    if place >= len(atom.arguments):
        return None
    term = atom.arguments[place]
    return term.name if isinstance(term, Variable) else None


def keys(found: Pivots) -> Iterator[tuple[str, int]]:
    yield from sorted(found.places.items())
