"""The answers of ground rules, by clingo: one after the other in their order, or what some or all of
them have.

Answers are ordered as the sorted lists of their atoms: at the first atom in which two of them
differ, the one that has it comes first, unless the other one ends there. `InOrder` makes clingo
decide atoms in that order, so that the answers come sorted, and the first ones do not wait for the
rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from clingo.backend import Backend
from clingo.control import Control
from clingo.propagator import Assignment, PropagateInit, Propagator, PropagatorCheckMode
from clingo.solving import Model

from horae.languages.lars.kernel.solver.encode import Encoder, is_trivial
from horae.languages.lars.kernel.solver.formulas import GroundRule, is_true
from horae.languages.lars.kernel.solver.minimal import MinimalOnly

AnswerNumbers = frozenset[int]

_PATIENCE = 0.2
"""Seconds until a thread that waits for clingo listens to the user."""


class Taken(StrEnum):
    """What is taken of all answers; the names are those of clingo."""

    BRAVE = "brave"
    CAUTIOUS = "cautious"


@dataclass(frozen=True)
class SolverProblem:
    """Ground rules over the atoms 1 to `size`."""

    rules: Sequence[GroundRule]
    size: int

    def in_order(self, order: Sequence[int], closed: int) -> Iterator[AnswerNumbers]:
        """All answers, each once. `order` has all atoms; after fewer than `closed` of them no answer
        ends, because it has a greater atom that is not decided here.
        """
        if self.size == 0:
            yield from self._of_nothing()
            return
        control = Control(["0", "--warn=none", "--enum-mode=bt"])
        with control.backend() as backend:
            encoder = self._encode(control, backend)
            choices = _choices(backend, [encoder.atoms[number] for number in order], closed)
        control.register_propagator(InOrder(choices))
        with control.solve(yield_=True) as handle:
            for model in handle:
                yield frozenset(n for n, atom in encoder.atoms.items() if model.is_true(atom))

    def consequences(self, taken: Taken) -> AnswerNumbers | None:
        """The atoms of some, or of all answers; None: there is no answer."""
        if self.size == 0:
            return next(self._of_nothing(), None)
        control = Control(["0", "--warn=none", f"--enum-mode={taken}"])
        with control.backend() as backend:
            encoder = self._encode(control, backend)
        last: AnswerNumbers | None = None
        for model in _models(control):
            last = frozenset(n for n, a in encoder.atoms.items() if _has(model, a, taken))
        return last

    def _of_nothing(self) -> Iterator[AnswerNumbers]:
        """The empty answer where there are no atoms, if the rules allow it."""
        if all(is_true(rule.head, ()) or not is_true(rule.body, ()) for rule in self.rules):
            yield frozenset()

    def _encode(self, control: Control, backend: Backend) -> Encoder:
        duties = [rule for rule in self.rules if not is_trivial(rule)]
        encoder = Encoder(backend, range(1, self.size + 1))
        encoder.add_all(duties)
        if not encoder.is_exact:
            control.register_propagator(MinimalOnly(duties, encoder.atoms))
        return encoder


def _models(control: Control) -> Iterator[Model]:
    """As clingo finds them, in a thread of its own: so a user can interrupt a long search."""
    with control.solve(yield_=True, async_=True) as handle:
        handle.resume()
        while True:
            while not handle.wait(_PATIENCE):
                pass
            model = handle.model()
            if model is None:
                return
            yield model
            handle.resume()


def _has(model: Model, atom: int, taken: Taken) -> bool:
    """At the end of the search, what no answer has contradicted is in all of them."""
    known = model.is_consequence(atom)
    return known is not False if taken is Taken.CAUTIOUS else known is True


def _choices(backend: Backend, atoms: Sequence[int], closed: int) -> list[int]:
    """What to decide, in order: that the answer ends here, or that it has the next atom."""
    ends = [backend.add_atom() for _ in range(len(atoms) + 1)]
    backend.add_rule([ends[-1]], [])
    for place, atom in enumerate(atoms):
        backend.add_rule([ends[place]], [-atom, ends[place + 1]])
    return [
        choice
        for place, atom in enumerate(atoms)
        for choice in ([ends[place], atom] if place >= closed else [atom])
    ]


class InOrder(Propagator):
    """Makes true the first of the choices that is open; so the models come in their order."""

    def __init__(self, choices: Sequence[int]) -> None:
        self._choices = choices
        self._decided: list[tuple[int, int]] = []
        """Levels of decisions, ascending, each with how many choices were decided before."""

    def init(self, init: PropagateInit) -> None:
        init.check_mode = PropagatorCheckMode.Off
        self._choices = [init.solver_literal(choice) for choice in self._choices]

    def decide(self, thread_id: int, assignment: Assignment, fallback: int) -> int:
        level = assignment.decision_level
        while self._decided and self._decided[-1][0] >= level:
            self._decided.pop()
        place = self._decided[-1][1] if self._decided else 0
        while place < len(self._choices) and assignment.value(self._choices[place]) is not None:
            place += 1
        self._decided.append((level, place))
        return self._choices[place] if place < len(self._choices) else fallback
