"""The kernel of LARS: evaluates a program at time points, in order, over the facts pushed so far.

The strata on the fast path are evaluated for many evaluation times at once, on columns; the rest
goes to the solver, time point by time point. With `history` each evaluation sees what earlier ones
derived, so they come one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from horae.analysis.lars.reach import find_reach
from horae.kernels.intervals.cuts import Cuts
from horae.kernels.intervals.relation import Relation, relation
from horae.kernels.lars.answers import (
    atom_answers,
    inconsistent,
    no_answers,
    source_answers,
)
from horae.kernels.lars.atoms import sort_atoms
from horae.kernels.lars.codes import Codes
from horae.kernels.lars.facts import Encoded
from horae.kernels.lars.fixpoint import ExecutableComponent, Sources
from horae.kernels.lars.held import Chunk
from horae.kernels.lars.lookups import View
from horae.kernels.lars.own_keys import OwnKeys
from horae.kernels.lars.stream import Stream
from horae.kernels.lars.tuple_windows import CountingWindow, Selection
from horae.languages.lars.paths import Paths, find_paths
from horae.languages.lars.program import Program
from horae.languages.lars.window_functions import TimedAtom

if TYPE_CHECKING:
    from horae.kernels.lars.solving import Solving

AT_ONCE = 4096
"""How many evaluation times are evaluated at once."""


class Mode(StrEnum):
    STATELESS = "stateless"
    HISTORY = "history"


class Consequences(StrEnum):
    ALL = "all"
    BRAVE = "brave"
    CAUTIOUS = "cautious"


@dataclass(frozen=True, slots=True)
class Options:
    mode: Mode = Mode.STATELESS
    consequences: Consequences = Consequences.ALL
    horizon: int | None = None


class LarsKernel:
    """`push` facts, `evaluate` at times that are not before earlier ones, `forget` what is over."""

    def __init__(
        self,
        program: Program,
        arities: Mapping[str, int],
        codes: Codes,
        options: Options | None = None,
        own: OwnKeys | None = None,
    ) -> None:
        """`own`: derive only what belongs to a shard."""
        self._program = program
        self._arities = arities
        self._codes = codes
        self._options = options or Options()
        paths = find_paths(program)
        self._reach = find_reach(program)
        self._components = [ExecutableComponent(c, own) for c in paths.components]
        self._fast = [name for c in paths.components for name in sorted(c.predicates)]
        self._solving = _solving(paths, program, self._options.horizon) if paths.solved else None
        self.stream = Stream()

    @property
    def delay(self) -> int | None:
        """How far ahead of an evaluation time facts matter; None: no bound."""
        return self._reach.delay

    def push(self, facts: Encoded) -> None:
        keep = bool(self._reach.counted) or self._solving is not None
        self.stream.add_static(facts.static)
        self.stream.add(facts.logs, self._codes, keep_logs=keep)

    def evaluate(self, times: Cuts) -> Iterator[pa.Table]:
        """The answers at these times, ascending, in parts."""
        history = self._options.mode is Mode.HISTORY
        for start in range(0, len(times), 1 if history else AT_ONCE):
            chunk = Chunk(times[start : start + (1 if history else AT_ONCE)])
            yield self._evaluate(chunk)
            self.forget(chunk.hi - 1)

    def forget(self, until: int) -> None:
        """No evaluation at or before `until` comes any more."""
        self.stream.forget(until, self._reach, self._codes)

    def _evaluate(self, chunk: Chunk) -> pa.Table:
        known = self._derive(chunk)
        if self._solving is None:
            found = [self._answers(name, known, chunk.times) for name in self._fast]
            kept = {name: _derived_spans(known, name, chunk.times) for name in self._fast}
            answers = pa.concat_tables([no_answers(), *found])
        else:
            answers, kept = self._solve(chunk, known, self._solving)
        if self._options.mode is Mode.HISTORY:
            for name, spans in kept.items():
                self.stream.add_spans(name, spans)
        return answers

    def _derive(self, chunk: Chunk) -> Sources:
        known = {n: self.stream.source(n, width) for n, width in self._arities.items()}
        selections: dict[CountingWindow, Selection] = {}

        def select(window: CountingWindow) -> Selection:
            if window not in selections:
                selections[window] = Selection(window, self.stream.logs, self._codes)
            return selections[window]

        view = View(chunk, self._codes, select, self._options.horizon)
        for component in self._components:
            component.saturate(known, view)
        return known

    def _answers(self, name: str, known: Sources, times: Cuts) -> pa.Table:
        if name not in self._program.queries:
            return no_answers()
        return source_answers(name, known[name], times, self._codes)

    # --- with the solver

    def _solve(
        self, chunk: Chunk, known: Sources, solving: Solving
    ) -> tuple[pa.Table, dict[str, Relation]]:
        parts = [no_answers()]
        kept: dict[str, Relation] = {}
        given = solving.given(self.stream, self._codes)
        for time in chunk.times.tolist():
            fast = solving.known(known, self._fast, time, self._codes)
            answers = solving.answers(given, self.stream, fast, time, self._codes)
            if not answers:
                parts.append(inconsistent([time]))
                continue
            kept = _atom_spans(answers[0], self._codes)
            for number, atoms in enumerate(self._consequences(answers), start=1):
                asked = [atom for atom in atoms if atom.predicate in self._program.queries]
                parts.append(atom_answers(time, number, asked))
        return pa.concat_tables(parts), kept

    def _consequences(self, answers: list[frozenset[TimedAtom]]) -> list[frozenset[TimedAtom]]:
        match self._options.consequences:
            case Consequences.ALL:
                return answers
            case Consequences.BRAVE:
                return [frozenset().union(*answers)]
            case Consequences.CAUTIOUS:
                return [frozenset.intersection(*answers)]


def _solving(paths: Paths, program: Program, horizon: int | None) -> Solving:
    """Clingo is loaded only where it is needed."""
    from horae.kernels.lars.solving import Solving

    return Solving(paths, program, horizon)


def _derived_spans(known: Sources, name: str, times: Cuts) -> Relation:
    """What one evaluation derives of a predicate, at its time points."""
    source, time = known[name], int(times[0])
    now, at = source.now, source.at
    moments = at.arguments[:, -1]
    arguments = np.concatenate([now.arguments, at.arguments[:, :-1]])
    lo = np.concatenate([np.full(len(now), time), moments])
    return relation(arguments, lo, lo + 1)


def _atom_spans(atoms: frozenset[TimedAtom], codes: Codes) -> dict[str, Relation]:
    by_name: dict[str, list[TimedAtom]] = {}
    for atom in sort_atoms(atoms):
        by_name.setdefault(atom.predicate, []).append(atom)
    return {
        name: relation(
            np.array([codes.encode(a.arguments) for a in of_one], np.int64).reshape(
                len(of_one), -1
            ),
            np.array([a.time for a in of_one], np.int64),
            np.array([a.time + 1 for a in of_one], np.int64),
        )
        for name, of_one in by_name.items()
    }
