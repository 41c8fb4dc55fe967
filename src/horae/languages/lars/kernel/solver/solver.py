"""The answers of any LARS program at one time (Def. 9): instances, ground formulas, clingo."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from horae.data.constants import Value
from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.kernel.atoms import atom_key, sort_atoms
from horae.languages.lars.kernel.solver.formulas import (
    FALSE,
    Ground,
    GroundRule,
    SolverLiteral,
    every,
)
from horae.languages.lars.kernel.solver.ground import Grounder
from horae.languages.lars.kernel.solver.instances import Grounding, Instance
from horae.languages.lars.kernel.solver.instant import Instant
from horae.languages.lars.kernel.solver.plans import prepare
from horae.languages.lars.kernel.solver.search import SolverProblem, Taken
from horae.languages.lars.kernel.solver.truth import Atoms
from horae.languages.lars.program import atoms
from horae.languages.lars.syntax.tree import Rule

AnswerSet = frozenset[TimedAtom]


@dataclass(frozen=True)
class AnswerSets:
    """The answers at one evaluation time; none: the rules are inconsistent there.

    Each has what is derived here, and the atoms of `certain`, which were derived before. Nothing is
    searched before it is asked for.
    """

    problem: SolverProblem
    atoms: Mapping[TimedAtom, int]
    certain: AnswerSet

    def in_order(self) -> Iterator[AnswerSet]:
        """The answers by their sorted atoms."""
        order = sort_atoms(self.atoms)
        last = max(map(atom_key, self.certain), default=None)
        closed = 0 if last is None else sum(atom_key(atom) < last for atom in order)
        for found in self.problem.in_order([self.atoms[atom] for atom in order], closed):
            yield self._named(found)

    def consequences(self, taken: Taken) -> AnswerSet | None:
        """The atoms of some, or of all answers; None: there is no answer."""
        found = self.problem.consequences(taken)
        return None if found is None else self._named(found)

    def _named(self, found: Collection[int]) -> AnswerSet:
        return self.certain.union(atom for atom, number in self.atoms.items() if number in found)


class Solver:
    """Rules prepared once. The predicates of their heads are decided here; all others are given."""

    def __init__(self, rules: Sequence[Rule], horizon: int | None = None) -> None:
        heads = [rule.head for rule in rules if rule.head is not None]
        self._derived = frozenset(atom.predicate for head in heads for atom in atoms(head))
        self._plans = [prepare(rule, self._derived, horizon) for rule in rules]

    def answers(self, instant: Instant, certain: AnswerSet = frozenset()) -> AnswerSets:
        """`certain`: atoms of lower strata that all answers have."""
        grounding = Grounding(instant, self._plans, self._derived)
        grounding.run()
        rules, numbers = _ground_rules(grounding)
        return AnswerSets(SolverProblem(rules, len(numbers)), numbers, certain)


def _ground_rules(grounding: Grounding) -> tuple[list[GroundRule], dict[TimedAtom, int]]:
    """The rules, and the numbers of the atoms that they derive.

    An atom that is known already is true in all bodies. Where it is derived once more it is in the
    answer: that has a number of its own.
    """
    grounder = grounding.grounder()
    conjuncts: dict[tuple[int, tuple[Value, ...]], Ground] = {}
    rules: dict[GroundRule, None] = {}
    numbers = dict(grounding.atoms.numbers)
    for instance in grounding.instances:
        body = _body(instance, grounder, grounding.instant.time, conjuncts)
        if body == FALSE:
            continue
        rules[GroundRule(_head(instance, grounder, grounding.instant.time), body)] = None
        for atom in instance.heads:
            if _is_known(atom, grounding.atoms):
                again = SolverLiteral(numbers.setdefault(atom, len(numbers) + 1))
                rules[GroundRule(again, body)] = None
    return list(rules), numbers


def _is_known(atom: TimedAtom, atoms: Atoms) -> bool:
    """Background data is not derived anew."""
    return atoms.is_given(atom) and not atoms.is_background(atom)


def _body(
    instance: Instance,
    grounder: Grounder,
    time: int,
    conjuncts: dict[tuple[int, tuple[Value, ...]], Ground],
) -> Ground:
    parts: list[Ground] = []
    for conjunct in instance.plan.open:
        key = (id(conjunct), tuple(instance.binding[name] for name in conjunct.variables))
        if key not in conjuncts:
            conjuncts[key] = grounder.ground(conjunct.formula, instance.binding, time)
        parts.append(conjuncts[key])
    return every(parts)


def _head(instance: Instance, grounder: Grounder, time: int) -> Ground:
    head = instance.plan.rule.head
    return FALSE if head is None else grounder.ground(head, instance.binding, time)
