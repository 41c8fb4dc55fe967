"""The solver's part of a program at one evaluation time: what it is given, and its answers as a
whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from horae.kernels.lars.atoms import sorted_keys
from horae.kernels.lars.codes import Codes
from horae.kernels.lars.fixpoint import Sources
from horae.kernels.lars.instant import Instant, StaticAtom
from horae.kernels.lars.solver import Solver
from horae.kernels.lars.stream import Stream, span_atoms, timed_atoms
from horae.languages.lars.paths import Paths
from horae.languages.lars.program import Program
from horae.languages.lars.window_functions import TimedAtom


class Solving:
    """Rules for the solver, on top of what the fast path derives."""

    def __init__(self, paths: Paths, program: Program, horizon: int | None) -> None:
        self._derived = program.derived
        self._solver = Solver([solved.rule for solved in paths.solved], horizon)

    def given(self, stream: Stream, codes: Codes) -> Sequence[TimedAtom]:
        """The input atoms in the order of ties."""
        return timed_atoms(stream.logs, codes)

    def known(
        self, known: Sources, fast: Iterable[str], time: int, codes: Codes
    ) -> frozenset[TimedAtom]:
        """What the fast path derives at an evaluation time."""
        atoms: set[TimedAtom] = set()
        for name in fast:
            now, at = known[name].now, known[name].at
            for row in now.arguments[(now.lo <= time) & (time < now.hi)].tolist():
                atoms.add(TimedAtom(time, name, tuple(map(codes.value, row))))
            for row in at.arguments[(at.lo <= time) & (time < at.hi)].tolist():
                *arguments, moment = row
                atoms.add(TimedAtom(moment, name, tuple(map(codes.value, arguments))))
        return frozenset(atoms)

    def answers(
        self,
        given: Sequence[TimedAtom],
        stream: Stream,
        fast: frozenset[TimedAtom],
        time: int,
        codes: Codes,
    ) -> list[frozenset[TimedAtom]]:
        """All answers with what both paths derive, by their sorted atoms."""
        history = [
            atom
            for name, spans in stream.spans.items()
            if name in self._derived
            for atom in span_atoms(name, spans, codes)
        ]
        instant = Instant(time, given, background(stream, codes), fast.union(history))
        found = [fast | answer for answer in self._solver.answers(instant)]
        return sorted(found, key=sorted_keys)


def background(stream: Stream, codes: Codes) -> frozenset[StaticAtom]:
    return frozenset(
        (name, tuple(map(codes.value, row)))
        for name, rows in stream.static.items()
        for row in rows.arguments.tolist()
    )
