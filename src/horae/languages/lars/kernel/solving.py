"""The solver's part of a program, time point by time point, on top of what the fast path derives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
import pyarrow as pa

from horae.data.cuts import Cuts, Rows
from horae.languages.lars import catalogue
from horae.languages.lars.check.paths import Paths
from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.kernel.answers import atom_answers, inconsistent
from horae.languages.lars.kernel.atoms import sort_atoms
from horae.languages.lars.kernel.codes import Codes
from horae.languages.lars.kernel.fixpoint import AtomSources
from horae.languages.lars.kernel.held import EvaluationChunk, spread
from horae.languages.lars.kernel.solver import AnswerSet, AnswerSets, Solver, Taken
from horae.languages.lars.kernel.solver.data import SolverData, StaticAtom
from horae.languages.lars.kernel.solver.instant import Instant
from horae.languages.lars.kernel.stream import HeldStream, span_atoms, timed_atoms
from horae.languages.lars.options import Consequences, LARSOptions, Mode
from horae.languages.lars.program import Program
from horae.rules.intervals.relation import Relation, relation


class Solving:
    """Rules for the solver, prepared once."""

    def __init__(self, paths: Paths, program: Program, options: LARSOptions) -> None:
        self.program = program
        self.options = options
        self.fast = [name for c in paths.components for name in sorted(c.predicates)]
        self.solver = Solver([solved.rule for solved in paths.solved], options.horizon)

    def over(self, stream: HeldStream, codes: Codes) -> SolvingOver:
        """Over a stream to which no input comes meanwhile."""
        data = SolverData(timed_atoms(stream.logs, codes), _background(stream, codes))
        return SolvingOver(self, stream, codes, data)


@dataclass(frozen=True, slots=True)
class SolvingOver:
    """Input and background data are indexed once, for all evaluation times that follow."""

    solving: Solving
    stream: HeldStream
    codes: Codes
    data: SolverData

    def solve(self, chunk: EvaluationChunk, known: AtomSources) -> Iterator[pa.Table]:
        """The answers, in parts. With `history` the first answer of each time becomes part of the
        stream.
        """
        fast = _Fast(known, self.solving.fast, chunk.times, self.codes)
        for time in chunk.times.tolist():
            answers = self._answers(time, fast.at(time))
            listed = _list_answers(answers, self.solving.options, time)
            first = next(listed, None)
            if first is None:
                yield inconsistent([time])
                continue
            yield from self._numbered_answers(time, chain([first], listed))
            self._keep(first, answers)

    def _answers(self, time: int, fast: AnswerSet) -> AnswerSets:
        history = (
            atom
            for name, spans in self.stream.spans.items()
            if name in self.solving.program.derived
            for atom in span_atoms(name, spans, self.codes)
        )
        instant = Instant(time, self.data, fast.union(history))
        return self.solving.solver.answers(instant, fast)

    def _numbered_answers(self, time: int, answers: Iterable[AnswerSet]) -> Iterator[pa.Table]:
        queries = self.solving.program.queries
        numbered = enumerate(answers, start=1)
        return atom_answers(
            time, ((n, a) for n, atoms in numbered for a in atoms if a[1] in queries)
        )

    def _keep(self, first: AnswerSet, answers: AnswerSets) -> None:
        """`first` is what was listed first: with consequences that is no answer."""
        options = self.solving.options
        if options.mode is Mode.HISTORY:
            listed = options.consequences is Consequences.ALL
            kept = first if listed else next(answers.in_order())
            for name, spans in _atom_spans(kept, self.codes).items():
                self.stream.add_spans(name, spans)


def _background(stream: HeldStream, codes: Codes) -> frozenset[StaticAtom]:
    return frozenset(
        (name, tuple(map(codes.value, row)))
        for name, rows in stream.static.items()
        for row in rows.arguments.tolist()
    )


# --- what the fast path derives


@dataclass(frozen=True, slots=True)
class _Rows:
    """Derived rows by evaluation time; `at`: with a time point behind their arguments."""

    name: str
    at: bool
    arguments: Rows
    times: Cuts

    def atoms(self, time: int, codes: Codes) -> Iterator[TimedAtom]:
        first, end = np.searchsorted(self.times, [time, time + 1])
        for row in self.arguments[first:end].tolist():
            if self.at:
                *row, moment = row
                yield TimedAtom(moment, self.name, tuple(map(codes.value, row)))
            else:
                yield TimedAtom(time, self.name, tuple(map(codes.value, row)))


class _Fast:
    """What the fast path derives in a chunk, sorted out by evaluation times."""

    def __init__(self, known: AtomSources, names: Sequence[str], times: Cuts, codes: Codes) -> None:
        self._codes = codes
        self._rows = [
            _by_time(name, at, derived, times)
            for name in names
            for at, derived in ((False, known[name].now), (True, known[name].at))
        ]

    def at(self, time: int) -> AnswerSet:
        return frozenset(atom for rows in self._rows for atom in rows.atoms(time, self._codes))


def _by_time(name: str, at: bool, derived: Relation, times: Cuts) -> _Rows:
    rows, moments = spread(derived.lo, derived.hi, times)
    order = np.argsort(moments, kind="stable")
    return _Rows(name, at, derived.arguments[rows[order]], moments[order])


# --- history


def _atom_spans(atoms: AnswerSet, codes: Codes) -> dict[str, Relation]:
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


# --- what an evaluation time tells of its answers: all, the first ones, or their consequences


MOST = 10_000
"""So many answers are listed at one evaluation time without being asked for."""


def _list_answers(answers: AnswerSets, options: LARSOptions, time: int) -> Iterator[AnswerSet]:
    """In their order, as they are found; consequences are one. Nothing: there is no answer."""
    match options.consequences:
        case Consequences.ALL:
            return _listed(answers, options, time)
        case Consequences.BRAVE:
            return _consequences(answers, Taken.BRAVE)
        case Consequences.CAUTIOUS:
            return _consequences(answers, Taken.CAUTIOUS)


def _listed(answers: AnswerSets, options: LARSOptions, time: int) -> Iterator[AnswerSet]:
    found = answers.in_order()
    match options.answers:
        case int(most):
            return islice(found, most)
        case "all":
            return found
        case None:
            return _guarded(found, time)


def _guarded(found: Iterator[AnswerSet], time: int) -> Iterator[AnswerSet]:
    for number, answer in enumerate(found):
        if number == MOST:
            raise catalogue.TOO_MANY_ANSWER_SETS(most=MOST, time=str(time))
        yield answer


def _consequences(answers: AnswerSets, taken: Taken) -> Iterator[AnswerSet]:
    found = answers.consequences(taken)
    if found is not None:
        yield found
