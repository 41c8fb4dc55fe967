"""The atoms of one evaluation: which are given, which may be derived, and which are neither."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from horae.kernels.lars.instant import StaticAtom
from horae.kernels.lars.solver.contexts import Context
from horae.kernels.lars.solver.formulas import FALSE, TRUE, Ground, Literal
from horae.languages.lars.window_functions import TimedAtom
from horae.languages.rules.terms import Value


@dataclass
class Atoms:
    """`numbers` has the atoms that the solver is to decide, numbered from 1."""

    background: frozenset[StaticAtom]
    given: frozenset[TimedAtom]
    numbers: dict[TimedAtom, int] = field(default_factory=dict)
    _times: dict[StaticAtom, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for atom in self.given:
            self._note(atom)

    def _note(self, atom: TimedAtom) -> None:
        self._times.setdefault((atom.predicate, atom.arguments), []).append(atom.time)

    def is_background(self, atom: TimedAtom) -> bool:
        return (atom.predicate, atom.arguments) in self.background

    def add(self, atom: TimedAtom) -> bool:
        """Note an atom that may be derived; False if that is nothing new."""
        if atom in self.numbers or atom in self.given or self.is_background(atom):
            return False
        self.numbers[atom] = len(self.numbers) + 1
        self._note(atom)
        return True

    def truth(self, atom: TimedAtom, context: Context) -> Ground:
        """An atom in a window. What a window has not chosen, it does not see."""
        if self.is_background(atom):
            return TRUE
        if atom.time not in context:
            return FALSE
        if context.chosen is not None:
            return TRUE if atom in context.members else FALSE
        if atom in self.given:
            return TRUE
        number = self.numbers.get(atom)
        return FALSE if number is None else Literal(number)

    def times_of(self, predicate: str, arguments: tuple[Value, ...]) -> Iterable[int] | None:
        """Where an atom is or may be true; None where that is everywhere."""
        if (predicate, arguments) in self.background:
            return None
        return self._times.get((predicate, arguments), ())

    def all_times(self) -> set[int]:
        return {time for times in self._times.values() for time in times}
