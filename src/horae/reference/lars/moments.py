"""One evaluation time after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.program import Program
from horae.languages.lars.syntax.tree import Formula, Rule
from horae.reference.lars.data import Data, GroundAtom, tie_order
from horae.reference.lars.entailment import Scene
from horae.reference.lars.failures import TooLargeError
from horae.reference.lars.grounding import Possible, bindings
from horae.reference.lars.heads import mentions
from horae.reference.lars.instances import Instance, instantiate
from horae.reference.lars.search import Atoms, Problem, find_answers
from horae.reference.lars.spans import Span
from horae.reference.lars.tail import far_end, measure

_MOST_ROUNDS = 100
_MOST_POSSIBLE = 2000


@dataclass(frozen=True)
class Moment:
    """The answers at an evaluation time, in their order: their derived atoms in order."""

    time: int
    answers: Sequence[Sequence[TimedAtom]]


def run(
    program: Program, data: Data, times: Iterable[int], *, history: bool, horizon: int | None
) -> Iterator[Moment]:
    for time in sorted(set(times)):
        found = find_answers(_pose(program, data, time, horizon))
        answers = sorted((sorted(a, key=tie_order) for a in found), key=_answer_order)
        yield Moment(time, answers)
        if history and answers:
            data = replace(data, history=data.history | frozenset(answers[0]))


def _answer_order(atoms: Sequence[TimedAtom]) -> list[tuple[object, ...]]:
    return [tie_order(atom) for atom in atoms]


def _pose(program: Program, data: Data, time: int, horizon: int | None) -> Problem:
    rules, possible = _ground(program.rules, data, time, horizon)
    formulas = [formula for rule in rules for formula in _formulas(rule)]
    tail = measure(formulas, [time, *data.times, *(atom.time for atom in possible)])
    given = data.atoms_until(far_end(tail, formulas))
    scene = Scene(data.background, given, tail)
    return Problem(scene, rules, time, data.history.union(given))


def _formulas(rule: Instance) -> tuple[Formula, ...]:
    return rule.body if rule.head is None else (*rule.body, rule.head)


# --- from rules to their instances


def _ground(
    rules: Sequence[Rule], data: Data, time: int, horizon: int | None
) -> tuple[list[Instance], Atoms]:
    """All instances whose bodies may hold, bottom up: atoms of heads make further instances."""
    atoms = data.history
    for _ in range(_MOST_ROUNDS):
        possible = Possible(data.background, _spans(data, atoms), horizon)
        instances = [*_instances(rules, time, possible)]
        heads = [rule.head for rule in instances if rule.head is not None]
        larger = atoms.union(*(mentions(head, time) for head in heads))
        if larger == atoms:
            return instances, atoms
        if len(larger) > _MOST_POSSIBLE:
            break
        atoms = larger
    raise TooLargeError("too many derivable atoms, or no end of them; a horizon would bound them")


def _instances(rules: Sequence[Rule], time: int, possible: Possible) -> Iterator[Instance]:
    for rule in rules:
        for binding in bindings(rule, time, possible):
            instance = instantiate(rule, binding)
            if instance is not None:
                yield instance


def _spans(data: Data, atoms: Atoms) -> Mapping[GroundAtom, Sequence[Span]]:
    found: dict[GroundAtom, list[Span]] = {}
    for atom, span in data.stream:
        found.setdefault(atom, []).append(span)
    for time, predicate, arguments in atoms:
        found.setdefault((predicate, arguments), []).append((time, time))
    return found
