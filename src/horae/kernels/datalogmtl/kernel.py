"""Algorithm 1: the facts of a chunk (t, t_end] at once, one fixpoint, then only what matters is kept.

After each chunk the state holds a window of facts per predicate (W), which atoms ever held where a
rule asks for that (H), and, in programs without punctual intervals, the *often* facts (#):
intervals in which an atom holds at least once in every stretch as long as the shortest interval of
the program. They stand for any number of points.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from horae.analysis.datalogmtl.windows import Memory, find_windows
from horae.kernels.datalogmtl.endless import Guard
from horae.kernels.datalogmtl.fixpoint import Relations, Watch, no_watch, saturate
from horae.kernels.datalogmtl.materialise import predicate_widths
from horae.kernels.datalogmtl.rules import Executable, Lookup
from horae.kernels.datalogmtl.symbols import Symbols
from horae.kernels.datalogmtl.time import Timeline
from horae.kernels.intervals.cuts import FUTURE, PAST, closure
from horae.kernels.intervals.join import join_pairs
from horae.kernels.intervals.relation import Relation, bridge, clip, empty, relation, union
from horae.languages.datalogmtl.intervals import Interval
from horae.languages.datalogmtl.normal import JoinRule, Link, NormalProgram, Step
from horae.languages.datalogmtl.tree import BinaryOperator, Operator

# An atom that ever held before the window is kept as if it had held at the beginning of time.
_EVER = (PAST, PAST + 1)


@dataclass(frozen=True, slots=True)
class StateSize:
    """Elements as the paper counts them: facts in W (and #), atoms in H."""

    window: int
    often: int
    history: int

    @property
    def elements(self) -> int:
        return self.window + self.often + self.history


@dataclass
class _State:
    decided: int = PAST  # the cut after the last decided time point
    window: Relations = field(default_factory=dict)
    often: Relations = field(default_factory=dict)
    history: Relations = field(
        default_factory=dict
    )  # tuples, as intervals from the beginning of time
    waiting: Relations = field(default_factory=dict)  # input that begins or goes on later
    open_answers: Relations = field(default_factory=dict)  # answers that may still grow


class DatalogMTLKernel:
    """A forward-propagating program over a stream of facts; times are ticks."""

    def __init__(
        self,
        normal: NormalProgram,
        symbols: Symbols,
        timeline: Timeline,
        widths: dict[str, int],
        *,
        often: bool | None = None,
    ) -> None:
        self.normal = normal
        self.timeline = timeline
        self.horizons = find_windows(normal)
        self.widths = predicate_widths(normal, {}) | widths
        self._rules = [Executable(rule, symbols, timeline) for rule in normal.rules]
        self._gap = self._granularity() if often in (None, True) else 0
        self.state = _State()

    def _granularity(self) -> int:
        """In doubled ticks; 0 where a punctual interval forbids # facts, or Since needs the points."""
        linked = any(isinstance(rule, Link) for rule in self.normal.rules)
        shortest = self.horizons.granularity
        return 0 if linked or not shortest else 2 * self.timeline.ticks(shortest)

    # --- the contract

    def push(self, facts: Relations) -> None:
        """Facts that begin after what was decided; eternal facts only before the first chunk."""
        for name, rows in facts.items():
            self.widths.setdefault(name, rows.width)
            self.state.waiting[name] = union(self._of(self.state.waiting, name), rows)

    def advance(self, until: int) -> Relations:
        """Decide all up to and including a time; answers that can no longer grow."""
        return self._decide(2 * until + 1)

    def finish(self, until: int | None = None) -> Relations:
        """The stream has ended: answer what is open, to the end of time or to a horizon."""
        end = FUTURE if until is None else 2 * until + 1
        answers = self._decide(end)
        for name, rows in self.state.open_answers.items():
            answers[name] = union(self._of(answers, name), rows)
        self.state.open_answers = {}
        return answers

    def _decide(self, end: int) -> Relations:
        state = self.state
        if end <= state.decided:
            return {}
        if state.decided == PAST:
            self._close_eternal()
        self._load(end)
        within = (state.decided, end)
        for component in self.normal.components:
            watch = self._watch(component) if end == FUTURE else no_watch
            saturate(self._rules, component, state.window, self.widths, within, watch, self._view)
        answers = self._answers(within)
        self._compact(end)
        self.state.decided = end
        return answers

    def _watch(self, component: frozenset[str]) -> Watch:
        return Guard(self.normal, self.state.window, self.timeline, component).watch

    def state_size(self) -> StateSize:
        state = self.state
        return StateSize(
            *(sum(map(len, r.values())) for r in (state.window, state.often, state.history))
        )

    # --- one chunk

    def _of(self, relations: Relations, name: str) -> Relation:
        return relations.get(name, empty(self.widths[name]))

    def _close_eternal(self) -> None:
        """What follows from eternal facts alone is eternal; operators do not change it."""
        eternal = {name: _eternal(rows) for name, rows in self.state.waiting.items()}
        rules = [r for r in self._rules if not (isinstance(r.rule, JoinRule) and r.rule.negative)]
        for component in self.normal.components:
            saturate(rules, component, eternal, self.widths, (PAST, FUTURE))
        self.state.window = {n: _eternal(rows) for n, rows in eternal.items() if len(rows)}

    def _load(self, end: int) -> None:
        state = self.state
        for name, rows in state.waiting.items():
            state.window[name] = union(self._of(state.window, name), clip(rows, PAST, end))
            state.waiting[name] = clip(rows, end, FUTURE)

    def _view(self, rule: Executable) -> Lookup:
        """Diamonds see # facts; those without end see what ever held."""
        state, step = self.state, rule.rule
        if not isinstance(step, Step) or step.operator is not Operator.DIAMOND_MINUS:
            return lambda name: self._of(state.window, name)

        def lookup(name: str) -> Relation:
            seen = union(self._of(state.window, name), self._of(state.often, name))
            if step.interval.high is None:
                seen = union(seen, self._of(state.history, name))
            return seen

        return lookup

    def _answers(self, within: tuple[int, int]) -> Relations:
        """Maximal intervals: one that reaches the end of the chunk waits for the next."""
        found: Relations = {}
        for name in self.normal.program.queries:
            if name not in self.widths:
                continue
            fresh = clip(self._of(self.state.window, name), *within)
            whole = union(self._of(self.state.open_answers, name), fresh)
            waits = (whole.hi >= within[1]) & (within[1] != FUTURE)
            self.state.open_answers[name] = whole.take(waits)
            found[name] = whole.take(~waits)
        return found

    # --- forgetting

    def _compact(self, end: int) -> None:
        """Tables 3 and 5; after the end of time nothing is needed any more."""
        state = self.state
        if end == FUTURE:
            self.state = _State(decided=end, open_answers=state.open_answers)
            return
        carried = self._carried(end)
        for name in list(state.window):
            memory = self.horizons.memory.get(name, Memory())
            rows = state.window[name]
            start = end if memory.reach is None else end - 1 - 2 * self.timeline.ticks(memory.reach)
            if memory.history:
                self._remember(name, rows, start)
            if self._gap:
                self._note_often(name, rows, start)
            kept = self._long_enough(clip(rows, start, FUTURE), end)
            state.window[name] = union(union(kept, _eternal(rows)), self._of(carried, name))

    def _remember(self, name: str, rows: Relation, start: int) -> None:
        """(H): the atom held before the window."""
        old = rows.take((rows.lo < start) & ~_is_eternal(rows))
        lo, hi = (np.full(len(old), cut, np.int64) for cut in _EVER)
        ever = relation(old.arguments, lo, hi)
        self.state.history[name] = union(self._of(self.state.history, name), ever)

    def _note_often(self, name: str, rows: Relation, start: int) -> None:
        """(@→#), (#∪), (c3)."""
        if name not in self.horizons.memory:
            return
        both = union(self._of(self.state.often, name), rows.take(~_is_eternal(rows)))
        bridged = bridge(both, self._gap)
        if self.horizons.memory[name].history:
            self._remember(name, bridged, start)
        self.state.often[name] = clip(bridged, start, FUTURE)

    def _long_enough(self, rows: Relation, end: int) -> Relation:
        """(c5): intervals shorter than the granularity serve no box once they are over."""
        if not self._gap:
            return rows
        length = (rows.hi & ~1) - (rows.lo & ~1)
        return rows.take((length >= self._gap) | (rows.hi >= end))

    def _carried(self, end: int) -> Relations:
        """What an unbounded Since needs: left intervals that go on, and the first right fact in
        each.
        """
        carried: Relations = {}
        for executable in self._rules:
            match executable.rule:
                case Link(operator=BinaryOperator.SINCE, interval=Interval(high=None)):
                    self._carry(executable, end, carried)
                case _:
                    pass
        return carried

    def _carry(self, executable: Executable, end: int, carried: Relations) -> None:
        left_pattern, right_pattern = executable.bodies
        left, right = (self._of(self.state.window, p.predicate) for p in executable.bodies)
        going_on = left.take(left.hi >= end)
        wide = Relation(going_on.arguments, *closure(going_on.lo, going_on.hi))
        on = tuple(
            (left_pattern.places[left_pattern.variables.index(v)], right_pattern.places[i])
            for i, v in enumerate(right_pattern.variables)
            if v in left_pattern.variables
        )
        a, b = join_pairs(wide, right, on)
        first = _first_of_each(right.arguments[b], np.maximum(wide.lo[a], right.lo[b]))
        for name, rows in (
            (left_pattern.predicate, going_on.take(np.unique(a))),
            (right_pattern.predicate, first),
        ):
            carried[name] = union(self._of(carried, name), rows)


def _is_eternal(rows: Relation) -> np.ndarray:
    return (rows.lo == PAST) & (rows.hi == FUTURE)  # type: ignore[no-any-return]


def _eternal(rows: Relation) -> Relation:
    return rows.take(_is_eternal(rows))


def _first_of_each(arguments: np.ndarray, lo: np.ndarray) -> Relation:
    """Per tuple, a single cut where it first holds."""
    every = relation(arguments, lo, lo + 1)
    if len(every) == 0:
        return every
    changes = np.ones(len(every), bool)
    changes[1:] = (every.arguments[1:] != every.arguments[:-1]).any(axis=1)
    first = every.take(changes)
    return Relation(first.arguments, first.lo, first.lo + 1)
