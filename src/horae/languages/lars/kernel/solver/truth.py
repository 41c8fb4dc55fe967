"""The atoms of one evaluation: which are given, which may be derived, and which are neither."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from horae.data.constants import Value
from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.kernel.solver.contexts import Context
from horae.languages.lars.kernel.solver.data import SolverData, StaticAtom
from horae.languages.lars.kernel.solver.formulas import FALSE, TRUE, Ground, SolverLiteral


@dataclass(frozen=True)
class Marks:
    """The times of atoms, and 0: those of the data, and others; both sorted."""

    data: Sequence[int]
    others: Sequence[int]

    @property
    def last(self) -> int:
        return max(*self.data[-1:], *self.others[-1:], 0)

    def between(self, first: int, last: int) -> set[int]:
        found = {0} if first <= 0 <= last else set[int]()
        for times in (self.data, self.others):
            found.update(times[bisect_left(times, first) : bisect_right(times, last)])
        return found


@dataclass
class Atoms:
    """`known` are given besides the data. `numbers` has the atoms that the solver is to decide,
    numbered from 1.
    """

    data: SolverData
    known: frozenset[TimedAtom]
    numbers: dict[TimedAtom, int] = field(default_factory=dict)
    _times: dict[StaticAtom, list[int]] = field(default_factory=dict)
    """Of known atoms and of those to decide, in any order."""

    def __post_init__(self) -> None:
        for atom in self.known:
            self._note(atom)

    def _note(self, atom: TimedAtom) -> None:
        self._times.setdefault((atom.predicate, atom.arguments), []).append(atom.time)

    def is_background(self, atom: TimedAtom) -> bool:
        return (atom.predicate, atom.arguments) in self.data.background

    def is_given(self, atom: TimedAtom) -> bool:
        return atom in self.known or atom in self.data.members

    def add(self, atom: TimedAtom) -> bool:
        """Note an atom that may be derived; False if that is nothing new."""
        if atom in self.numbers or self.is_given(atom) or self.is_background(atom):
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
        if self.is_given(atom):
            return TRUE
        number = self.numbers.get(atom)
        return FALSE if number is None else SolverLiteral(number)

    def times_of(
        self, predicate: str, arguments: tuple[Value, ...], context: Context
    ) -> Iterable[int] | None:
        """Where in a timeline an atom is or may be true; None where that is everywhere."""
        atom = (predicate, arguments)
        if atom in self.data.background:
            return None
        others = (time for time in self._times.get(atom, ()) if time in context)
        return {*self.data.times_of(atom, context.start, context.end), *others}

    def marks(self) -> Marks:
        """The marks as they are now: atoms that come later are not in them."""
        others = {time for times in self._times.values() for time in times}
        return Marks(self.data.marks, sorted(others))
