"""Input atoms and background data, indexed once for many evaluation times.

An evaluation asks for atoms in its windows. Whatever it asks for is found by bisection or in an
index, so that the work is in proportion to what the windows hold.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from horae.data.constants import Value
from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.kernel.solver.store import Store
from horae.languages.lars.syntax.tree import PartitionWindow
from horae.rules.terms import Atom, Constant, Variable

StaticAtom = tuple[str, tuple[Value, ...]]
"""A predicate and its arguments, true at all times."""


@dataclass(frozen=True, slots=True)
class AtomRun:
    """Some atoms of a sequence, by time: their times, and their places in the sequence."""

    times: Sequence[int]
    places: Sequence[int]


@dataclass(eq=False)
class SolverData:
    """`atoms` has each input atom once, sorted by time and, within a time, in the order of ties."""

    atoms: Sequence[TimedAtom] = ()
    background: frozenset[StaticAtom] = frozenset()
    _parts: dict[int, tuple[PartitionWindow, list[AtomRun]]] = field(default_factory=dict)

    @cached_property
    def members(self) -> frozenset[TimedAtom]:
        return frozenset(self.atoms)

    @cached_property
    def store(self) -> Store:
        return Store(self.atoms)

    @cached_property
    def always(self) -> Store:
        """Background data, as if it were at 0."""
        return Store(TimedAtom(0, *atom) for atom in self.background)

    @cached_property
    def run(self) -> AtomRun:
        """The run of all atoms."""
        return AtomRun([atom.time for atom in self.atoms], range(len(self.atoms)))

    @cached_property
    def marks(self) -> list[int]:
        """The times of atoms, each once."""
        return sorted(set(self.run.times))

    def times_of(self, atom: StaticAtom, start: int, end: int | None) -> Sequence[int]:
        """When an atom holds, in a timeline."""
        times = self._times.get(atom, [])
        first = bisect_left(times, start)
        return times[first : len(times) if end is None else bisect_right(times, end)]

    @cached_property
    def _times(self) -> dict[StaticAtom, list[int]]:
        found: dict[StaticAtom, list[int]] = {}
        for time, predicate, arguments in self.atoms:
            found.setdefault((predicate, arguments), []).append(time)
        return found

    def substreams(self, window: PartitionWindow) -> list[AtomRun]:
        """What a partition window divides the atoms into. Windows are told apart by identity."""
        if id(window) not in self._parts:
            self._parts[id(window)] = window, substreams(window, self.atoms)
        return self._parts[id(window)][1]


def substreams(window: PartitionWindow, atoms: Iterable[TimedAtom]) -> list[AtomRun]:
    columns = [_column(window.pattern, variable) for variable in window.by]
    parts: dict[tuple[Value, ...], tuple[list[int], list[int]]] = {}
    for place, atom in enumerate(atoms):
        if _matches(window.pattern, atom):
            key = tuple(atom.arguments[c] for c in columns)
            times, places = parts.setdefault(key, ([], []))
            times.append(atom.time)
            places.append(place)
    return [AtomRun(times, places) for times, places in parts.values()]


def _column(pattern: Atom, variable: Variable) -> int:
    return next(i for i, term in enumerate(pattern.arguments) if term == variable)


def _matches(pattern: Atom, atom: TimedAtom) -> bool:
    """The variables of a pattern are free, but one that occurs twice has one value."""
    if pattern.predicate != atom.predicate or len(pattern.arguments) != len(atom.arguments):
        return False
    seen: dict[str, Value] = {}
    for term, value in zip(pattern.arguments, atom.arguments, strict=True):
        expected = term.value if isinstance(term, Constant) else seen.setdefault(term.name, value)
        if expected != value:
            return False
    return True
