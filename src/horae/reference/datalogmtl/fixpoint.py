"""The least fixpoint of the rules, stratum by stratum, on a given timeline.

A timeline is wide enough if near both of its ends every atom is constant: then no operator can tell the
unbounded ends from what lies before them, and one round of the rules is exactly one application of
the program to the interpretation. That is checked after every round.

Where derivations never end, all that can be known behind some time is a lower and an upper bound:
derived atoms hold nowhere there, or everywhere. The truth lies between the two fixpoints that follow
from these assumptions; where they agree, they are the truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from horae.data.constants import Value
from horae.languages.datalogmtl.program import Program, atoms
from horae.languages.datalogmtl.syntax.tree import Rule
from horae.reference.datalogmtl.formulas import (
    GroundAtom,
    Substitution,
    Truth,
    Valuation,
    ground,
    spread,
    variables,
)
from horae.reference.datalogmtl.regions import Timeline


class TooNarrowError(Exception):
    """Derivations have come close to an end of the timeline (`left`, `right`, or both)."""

    def __init__(self, left: bool, right: bool) -> None:
        self.left, self.right = left, right
        super().__init__("the timeline is too narrow")


@dataclass(frozen=True)
class Bounds:
    """What certainly holds and what possibly holds; the same thing unless derivations were cut."""

    lower: Truth
    upper: Truth


@dataclass(frozen=True)
class Setting:
    """What stays the same in all rounds. Derivations count `inside` this set of regions only."""

    program: Program
    timeline: Timeline
    domain: tuple[Value, ...]
    inside: int


def complete(setting: Setting, facts: Truth) -> Bounds:
    """All that follows from the facts."""
    bounds = Bounds(facts, facts)
    for stratum in setting.program.strata:
        bounds = _close(setting, stratum, bounds)
    return bounds


def _close(setting: Setting, stratum: frozenset[str], bounds: Bounds) -> Bounds:
    lower = _least(setting, stratum, bounds.lower, bounds.upper, setting.inside)
    everything = setting.timeline.everything
    if setting.inside == everything:
        return Bounds(lower, lower)
    beyond = everything & ~setting.inside
    start = _merge(bounds.upper, ((atom, beyond) for atom in _possible(setting, stratum)))
    return Bounds(lower, _least(setting, stratum, start, bounds.lower, everything))


def _possible(setting: Setting, stratum: frozenset[str]) -> Iterator[GroundAtom]:
    for predicate in stratum:
        for arguments in product(setting.domain, repeat=setting.program.arities[predicate]):
            yield predicate, arguments


def _least(
    setting: Setting, stratum: frozenset[str], truth: Truth, negated: Truth, inside: int
) -> Truth:
    rules = [rule for rule in setting.program.rules if rule.head.atom.predicate in stratum]
    due = rules
    while due:
        _check_ends(setting.timeline, truth)
        valuation = Valuation(setting.timeline, truth, negated)
        derived = [pair for rule in due for pair in _derive(rule, valuation, setting.domain)]
        merged = _merge(truth, ((atom, mask & inside) for atom, mask in derived))
        changed = {atom[0] for atom, _ in derived if merged.get(atom) != truth.get(atom)}
        due = [rule for rule in rules if changed & _read(rule)]
        truth = merged
    return truth


def _read(rule: Rule) -> set[str]:
    return {atom.predicate for literal in rule.body for atom in atoms(literal.formula)}


def _merge(truth: Truth, additions: Iterable[tuple[GroundAtom, int]]) -> Truth:
    merged = dict(truth)
    for atom, mask in additions:
        if mask:
            merged[atom] = merged.get(atom, 0) | mask
    return merged


def _derive(
    rule: Rule, valuation: Valuation, domain: tuple[Value, ...]
) -> Iterator[tuple[GroundAtom, int]]:
    """What one rule says about one interpretation, for all values of its variables."""
    names = dict.fromkeys(n for literal in rule.body for n in variables(literal.formula))
    for choice in product(domain, repeat=len(names)):
        values = dict(zip(names, choice, strict=True))
        body = _body(rule, valuation, values)
        if body:
            yield ground(rule.head.atom, values), spread(valuation.timeline, rule.head, body)


def _body(rule: Rule, valuation: Valuation, values: Substitution) -> int:
    times = valuation.timeline.everything
    for literal in rule.body:
        times &= valuation.literal(literal, values)
        if not times:
            break
    return times


def _check_ends(timeline: Timeline, truth: Truth) -> None:
    """Near an end means: not further away than the program can look."""
    width = 2 * timeline.reach + 1
    low = (1 << width) - 1
    high = low << (timeline.last + 1 - width)
    left = any(mask & low not in (0, low) for mask in truth.values())
    right = any(mask & high not in (0, high) for mask in truth.values())
    if left or right:
        raise TooNarrowError(left, right)
