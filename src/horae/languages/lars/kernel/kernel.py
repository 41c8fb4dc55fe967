"""The kernel of LARS: evaluates a program at time points, in order, over the facts pushed so far.

The strata on the fast path are evaluated for many evaluation times at once, on columns; the rest
goes to the solver, time point by time point. With `history` each evaluation sees what earlier ones
derived, so they come one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from horae.data.cuts import Cuts
from horae.languages.lars import catalogue
from horae.languages.lars.analysis.reach import find_reach
from horae.languages.lars.analysis.reads import CountingWindow
from horae.languages.lars.check.paths import Paths, find_paths
from horae.languages.lars.kernel.answers import no_answers, source_answers
from horae.languages.lars.kernel.codes import Codes
from horae.languages.lars.kernel.facts import Encoded
from horae.languages.lars.kernel.fixpoint import AtomSources, ExecutableComponent
from horae.languages.lars.kernel.held import EvaluationChunk
from horae.languages.lars.kernel.lookups import View
from horae.languages.lars.kernel.own_keys import OwnKeys
from horae.languages.lars.kernel.rules import TooManyInstancesError
from horae.languages.lars.kernel.stream import HeldStream
from horae.languages.lars.kernel.tuple_windows import Selection
from horae.languages.lars.options import LARSOptions, Mode
from horae.languages.lars.program import Program
from horae.rules.intervals.join import TooManyPairsError
from horae.rules.intervals.relation import Relation, relation
from horae.source.errors import InputError

if TYPE_CHECKING:
    from horae.languages.lars.kernel.solving import Solving

AT_ONCE = 4096
"""How many evaluation times are evaluated at once."""


class LarsKernel:
    """`push` facts, `evaluate` at times that are not before earlier ones, `forget` what is over."""

    def __init__(
        self,
        program: Program,
        arities: Mapping[str, int],
        codes: Codes,
        options: LARSOptions | None = None,
        own: OwnKeys | None = None,
    ) -> None:
        """`own`: derive only what belongs to a shard."""
        self._program = program
        self._arities = arities
        self._codes = codes
        self._options = options or LARSOptions()
        paths = find_paths(program)
        self._reach = find_reach(program)
        self._components = [ExecutableComponent(c, own) for c in paths.components]
        self._fast = [name for c in paths.components for name in sorted(c.predicates)]
        self._solving = _solving(paths, program, self._options) if paths.solved else None
        self.stream = HeldStream()

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
        solving = None if self._solving is None else self._solving.over(self.stream, self._codes)
        size = 1 if self._options.mode is Mode.HISTORY else AT_ONCE
        for start in range(0, len(times), size):
            for chunk, known in self._derived(EvaluationChunk(times[start : start + size])):
                if solving is None:
                    yield from self._tell(chunk, known)
                else:
                    yield from solving.solve(chunk, known)
                self.stream.forget_spans(chunk.hi - 1, self._reach)
        if len(times):
            self.forget(int(times[-1]))

    def forget(self, until: int) -> None:
        """No evaluation at or before `until` comes any more."""
        self.stream.forget(until, self._reach, self._codes)

    def _tell(self, chunk: EvaluationChunk, known: AtomSources) -> Iterator[pa.Table]:
        """Answers of a chunk without the solver: all is derived."""
        yield from self._parts(chunk.times, known)
        if self._options.mode is Mode.HISTORY:
            for name in self._fast:
                self.stream.add_spans(name, _derived_spans(known, name, chunk.times))

    def _derived(self, chunk: EvaluationChunk) -> Iterator[tuple[EvaluationChunk, AtomSources]]:
        """What follows at the times of a chunk; in halves where that is too much at once."""
        try:
            known = self._derive(chunk)
        except TooManyInstancesError as error:
            if len(chunk.times) == 1:
                raise error.at(chunk.lo) from None
            for half in chunk.halves():
                yield from self._derived(half)
        else:
            yield chunk, known

    def _derive(self, chunk: EvaluationChunk) -> AtomSources:
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

    def _parts(self, times: Cuts, known: AtomSources) -> Iterator[pa.Table]:
        """Answers at these times, in halves where there are too many at once."""
        try:
            found = [self._answers(name, known, times) for name in self._fast]
        except TooManyPairsError as error:
            if len(times) == 1:
                raise _too_many_answers(error.most, int(times[0])) from None
            middle = len(times) // 2
            yield from self._parts(times[:middle], known)
            yield from self._parts(times[middle:], known)
        else:
            yield pa.concat_tables([no_answers(), *found])

    def _answers(self, name: str, known: AtomSources, times: Cuts) -> pa.Table:
        if name not in self._program.queries:
            return no_answers()
        return source_answers(name, known[name], times, self._codes)


def _too_many_answers(most: int, time: int) -> InputError:
    return catalogue.TOO_MANY_ANSWERS(most=most, time=str(time))


def _solving(paths: Paths, program: Program, options: LARSOptions) -> Solving:
    """Clingo is loaded only where it is needed."""
    from horae.languages.lars.kernel.solving import Solving

    return Solving(paths, program, options)


def _derived_spans(known: AtomSources, name: str, times: Cuts) -> Relation:
    """The atoms that one evaluation derives of a predicate, at its time points."""
    source, time = known[name], int(times[0])
    now, at = source.now, source.at
    moments = at.arguments[:, -1]
    arguments = np.concatenate([now.arguments, at.arguments[:, :-1]])
    lo = np.concatenate([np.full(len(now), time), moments])
    return relation(arguments, lo, lo + 1)
