"""The answers at one time point (Def. 8 and 9): all interpretations are tried.

An answer M is a minimal model of the reduct {r | M ⊩ body(r)}. Three facts keep the search small;
each follows from that definition alone.

1. Only what heads mention can be derived. Let U contain the data, and what heads mention whose
   bodies may hold in interpretations within U. For an answer M, take away all atoms outside of U:
   a rule of the reduct whose body still holds mentions only atoms of U, where nothing changed, so
   its head still holds. The result is a model of the reduct, and M is minimal: so M lies within
   U.
2. If a body holds in all interpretations between L and U, then what its head demands is in every
   answer M between L and U; and also in every model of the reduct between L and M. So L may grow
   by it, and nothing below L needs to be tried, neither as an answer nor against its minimality.
3. With a larger L the bodies that may hold become fewer, and U smaller; both steps alternate
   until nothing changes.

Then all interpretations between L and U are tried, as bit sets: number n is the interpretation
with those atoms whose bit is set in n.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from horae.languages.lars.check.window_functions import TimedAtom
from horae.reference.lars.entailment import Scene, Structures, Truth
from horae.reference.lars.failures import TooLargeError
from horae.reference.lars.heads import demands, mentions
from horae.reference.lars.instances import Instance

_MOST_UNKNOWN = 14

Atoms = frozenset[TimedAtom]


@dataclass(frozen=True)
class Problem:
    """Ground rules at a time. `fixed`: input atoms, and atoms of earlier evaluations."""

    scene: Scene
    rules: Sequence[Instance]
    time: int
    fixed: Atoms

    def mentioned(self, rule: Instance) -> Atoms:
        return self._new(frozenset() if rule.head is None else mentions(rule.head, self.time))

    def demanded(self, rule: Instance) -> Atoms:
        return self._new(frozenset() if rule.head is None else demands(rule.head, self.time))

    def _new(self, atoms: Atoms) -> Atoms:
        """Background data is not derived anew."""
        return frozenset(a for a in atoms if (a[1], a[2]) not in self.scene.background)


def find_answers(problem: Problem) -> list[Atoms]:
    """For each answer the atoms that rules derive: those that a head mentions whose body holds."""
    lower, upper = _enclose(problem)
    unknown = sorted(upper - lower, key=repr)
    if len(unknown) > _MOST_UNKNOWN:
        raise TooLargeError(f"{len(unknown)} atoms may hold or not")
    return _try_all(problem, lower, unknown)


# --- the bounds


def _enclose(problem: Problem) -> tuple[Atoms, Atoms]:
    lower = problem.fixed
    while True:
        upper = _grow(problem, lower)
        larger = _settle(problem, lower, upper)
        if larger == lower:
            return lower, upper
        lower = larger


def _grow(problem: Problem, lower: Atoms) -> Atoms:
    upper = lower
    while True:
        found = _bodies(problem, lower, upper)
        may = [rule for rule, (_, possible) in zip(problem.rules, found, strict=True) if possible]
        larger = upper.union(*map(problem.mentioned, may))
        if larger == upper:
            return upper
        upper = larger


def _settle(problem: Problem, lower: Atoms, upper: Atoms) -> Atoms:
    found = _bodies(problem, lower, upper)
    must = [rule for rule, (certain, _) in zip(problem.rules, found, strict=True) if certain]
    return lower.union(*map(problem.demanded, must))


def _bodies(problem: Problem, lower: Atoms, upper: Atoms) -> list[Truth]:
    truths = {atom: (int(atom in lower), 1) for atom in upper}
    between = Structures(problem.scene, truths, 1)
    return [between.conjunction(rule.body, problem.time) for rule in problem.rules]


# --- all interpretations between them


@dataclass(frozen=True)
class _Implication:
    """A rule, with the interpretations in which its body holds and those that satisfy it."""

    rule: Instance
    body: int
    models: int


def _try_all(problem: Problem, lower: Atoms, unknown: Sequence[TimedAtom]) -> list[Atoms]:
    everywhere = (1 << (1 << len(unknown))) - 1
    truths = {atom: (everywhere, everywhere) for atom in lower}
    for place, atom in enumerate(unknown):
        column = _column(place, len(unknown))
        truths[atom] = (column, column)
    rules = [*_implications(problem, Structures(problem.scene, truths, everywhere))]
    return [
        frozenset(
            atom
            for implication in reduct
            for atom in problem.mentioned(implication.rule)
            if atom in truths and truths[atom][0] >> number & 1
        )
        for number, reduct in _answers(rules, everywhere)
    ]


def _column(place: int, count: int) -> int:
    """All numbers below 2^count in which a bit is set, as a set of numbers."""
    block = ((1 << (1 << place)) - 1) << (1 << place)
    return sum(block << start for start in range(0, 1 << count, 2 << place))


def _implications(problem: Problem, structures: Structures) -> Iterator[_Implication]:
    for rule in problem.rules:
        body, _ = structures.conjunction(rule.body, problem.time)
        head = 0 if rule.head is None else structures.entails(rule.head, problem.time)[0]
        yield _Implication(rule, body, structures.everywhere ^ body | head)


def _answers(
    rules: Sequence[_Implication], everywhere: int
) -> Iterator[tuple[int, list[_Implication]]]:
    """The numbers of the answers, with their reducts."""
    models = everywhere
    for implication in rules:
        models &= implication.models
    for number in _members(models):
        reduct = [implication for implication in rules if implication.body >> number & 1]
        smaller = _subsets(number) ^ (1 << number)
        for implication in reduct:
            smaller &= implication.models
        if not smaller:
            yield number, reduct


def _members(numbers: int) -> Iterator[int]:
    digits = bin(numbers)[:1:-1]
    return (number for number, digit in enumerate(digits) if digit == "1")


def _subsets(number: int) -> int:
    """The numbers whose bits are among those of a number, as a set of numbers."""
    found = 1
    for place in _members(number):
        found |= found << (1 << place)
    return found
