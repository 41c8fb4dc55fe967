"""The answers of any LARS program at one time (Def. 9): instances, ground formulas, clingo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from horae.kernels.lars.instant import Instant
from horae.kernels.lars.solver.formulas import FALSE, Ground, GroundRule, every, is_true
from horae.kernels.lars.solver.ground import Grounder
from horae.kernels.lars.solver.instances import Grounding, Instance
from horae.kernels.lars.solver.plans import prepare
from horae.kernels.lars.solver.search import answer_sets
from horae.kernels.lars.solver.truth import Atoms
from horae.kernels.lars.solver.values import rank
from horae.languages.lars.program import atoms
from horae.languages.lars.tree import Rule
from horae.languages.lars.window_functions import TimedAtom
from horae.languages.rules.terms import Value


@dataclass(frozen=True)
class _Again:
    """Atoms that are known already, and derived once more where the body holds."""

    atoms: tuple[TimedAtom, ...]
    body: Ground


class Solver:
    """Rules prepared once. The predicates of their heads are decided here; all others are given."""

    def __init__(self, rules: Sequence[Rule], horizon: int | None = None) -> None:
        heads = [rule.head for rule in rules if rule.head is not None]
        self._derived = frozenset(atom.predicate for head in heads for atom in atoms(head))
        self._plans = [prepare(rule, self._derived, horizon) for rule in rules]

    def answers(self, instant: Instant) -> list[frozenset[TimedAtom]]:
        """The derived atoms of each answer, in the order of the answers; none: inconsistent."""
        grounding = Grounding(instant, self._plans, self._derived)
        grounding.run()
        rules, again = _ground_rules(grounding)
        numbers = grounding.atoms.numbers
        names = {number: atom for atom, number in numbers.items()}
        found = answer_sets(rules, len(numbers))
        return sorted((_named(model, names, again) for model in found), key=answer_rank)


def _named(
    model: frozenset[int], names: dict[int, TimedAtom], again: Sequence[_Again]
) -> frozenset[TimedAtom]:
    known = (a for part in again if is_true(part.body, model) for a in part.atoms)
    return frozenset([*(names[number] for number in model), *known])


def _ground_rules(grounding: Grounding) -> tuple[list[GroundRule], list[_Again]]:
    marks = sorted({*grounding.atoms.all_times(), 0})
    grounder = Grounder(grounding.atoms, grounding.windows, marks)
    conjuncts: dict[tuple[int, tuple[Value, ...]], Ground] = {}
    rules: dict[GroundRule, None] = {}
    again: list[_Again] = []
    for instance in grounding.instances:
        body = _body(instance, grounder, grounding.instant.time, conjuncts)
        if body == FALSE:
            continue
        rules[GroundRule(_head(instance, grounder, grounding.instant.time), body)] = None
        known = tuple(atom for atom in instance.heads if _is_known(atom, grounding.atoms))
        again.extend([_Again(known, body)] if known else [])
    return list(rules), again


def _is_known(atom: TimedAtom, atoms: Atoms) -> bool:
    """Background data is not derived anew."""
    return atom in atoms.given and not atoms.is_background(atom)


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


def answer_rank(answer: frozenset[TimedAtom]) -> list[tuple[object, ...]]:
    """Answers are ordered by their sorted atoms."""
    return sorted(atom_rank(atom) for atom in answer)


def atom_rank(atom: TimedAtom) -> tuple[object, ...]:
    return (atom.time, atom.predicate, tuple(rank(value) for value in atom.arguments))
