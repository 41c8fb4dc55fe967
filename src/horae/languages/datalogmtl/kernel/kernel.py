"""Algorithm 1: the facts of a chunk (t, t_end] at once, one fixpoint, then only what matters is kept.

After each chunk the state holds a window of facts per predicate (W), which atoms ever held where a
rule asks for that (H), and, in programs without punctual intervals, the *often* facts (#):
intervals in which an atom holds at least once in every stretch as long as the shortest interval of
the program. They stand for any number of points.

Where rules look ahead, each predicate has a delay (`forward.py`): once all up to t is there, it is
decided up to t − delay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

import numpy as np

from horae.data.cuts import FUTURE, PAST
from horae.data.symbols import Symbols
from horae.engine.chunks import load_texts, part, save_texts
from horae.engine.contract import StateSize
from horae.languages.datalogmtl import catalogue
from horae.languages.datalogmtl.analysis.windows import find_windows
from horae.languages.datalogmtl.check.normal import Link, NormalProgram, Step
from horae.languages.datalogmtl.kernel.complete import (
    Asked,
    EndlessComponent,
    EndlessError,
    complete,
)
from horae.languages.datalogmtl.kernel.endless import needs_horizon
from horae.languages.datalogmtl.kernel.ends import DecidedEnds
from horae.languages.datalogmtl.kernel.fixpoint import (
    Fixpoint,
    Relations,
    Strictly,
    Within,
    strictly,
)
from horae.languages.datalogmtl.kernel.forget import Forgetting, eternal
from horae.languages.datalogmtl.kernel.forward import bounded_delays
from horae.languages.datalogmtl.kernel.materialise import (
    components_of,
    count_constants,
    predicate_widths,
)
from horae.languages.datalogmtl.kernel.rules import Executable
from horae.languages.datalogmtl.kernel.state import Elements, State
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.languages.datalogmtl.syntax.tree import Operator
from horae.rules.intervals.relation import Relation, clip, count_tuples, empty, union

# Constants that are gone: so many do no harm.
_FEW = 1024


class DatalogMTLKernel:
    """A program that looks ahead by a bounded time at most, over a stream of facts; times are ticks.

    `widths` tells the arguments of predicates that no rule mentions. `often=False` keeps facts as
    they are, also where # facts would do. `delays` are given where the program is a part of a larger
    one: facts of its inputs may come delayed.
    """

    def __init__(
        self,
        normal: NormalProgram,
        symbols: Symbols,
        timeline: Timeline,
        widths: Mapping[str, int],
        *,
        often: bool | None = None,
        delays: Mapping[str, Fraction] | None = None,
    ) -> None:
        self.normal, self.symbols, self.timeline = normal, symbols, timeline
        delays = bounded_delays(normal) if delays is None else delays
        self.ends = DecidedEnds({name: timeline.ticks(delay) for name, delay in delays.items()})
        self.horizons = find_windows(normal, delays)
        self.widths = predicate_widths(normal, {}) | dict(widths)
        self._components = components_of(normal, symbols, timeline)
        rules = [rule for component in self._components for rule in component.rules]
        self._own = count_constants(normal)
        self._known = self._own
        gap = 0 if often is False else self._granularity()
        self._forgetting = Forgetting(rules, self.horizons, timeline, self.ends, self.widths, gap)
        self.state = State()

    def _granularity(self) -> int:
        """In doubled ticks; 0 where a punctual interval forbids # facts, or Since needs the points.

        Where all intervals are infinite, any length will do. To wait for another predicate is to look
        back at one point.
        """
        if self.ends.longest or any(isinstance(rule, Link) for rule in self.normal.rules):
            return 0
        shortest = self.horizons.granularity
        if shortest is None:
            shortest = self.horizons.w or Fraction(1)
        return 2 * self.timeline.ticks(shortest)

    # --- the contract

    def push(self, facts: Relations) -> None:
        """Facts that begin after what was decided; eternal facts only before the first chunk."""
        for name, rows in facts.items():
            self._refuse_late(name, rows)
            self.widths.setdefault(name, rows.width)
            self.state.waiting[name] = union(self._of(self.state.waiting, name), rows)

    def advance(self, until: int, horizon: int | None = None) -> Relations:
        """Decide all up to and including a time; answers that can no longer grow.

        Nothing is answered after a horizon.
        """
        return self.close(self.decide(until, horizon), horizon)

    def finish(self, horizon: int | None = None) -> Relations:
        """The stream has ended: answer what is open, to the end of time or to a horizon."""
        return self.close_all(self.decide_rest(horizon), horizon)

    def decide(self, until: int, horizon: int | None = None) -> Relations:
        """Decide all up to and including a time; what holds there, as far as that is new."""
        return up_to(horizon, self._decide(2 * until + 1))

    def decide_rest(self, horizon: int | None = None) -> Relations:
        """The stream has ended: what holds in the rest of time, or up to a horizon."""
        end = FUTURE if horizon is None else self.timeline.after(horizon + self.ends.longest)
        return up_to(horizon, self._decide(end))

    # --- one chunk

    def _decide(self, end: int) -> Relations:
        state = self.state
        if end <= state.decided:
            return {}
        if state.decided == PAST:
            self._close_eternal()
        self._load(end)
        within = self.ends.between(state.decided, end)
        for component in self._components:
            state.window |= self._saturated(component, within, end)
        fresh = {
            name: clip(self._of(state.window, name), *within(name))
            for name in self.normal.program.queries
            if name in self.widths
        }
        if end == FUTURE:
            self.state = State(open_answers=state.open_answers)
        else:
            self._forgetting.forget(state, end)
        self.state.decided = end
        return fresh

    def _saturated(self, component: EndlessComponent, within: Within, end: int) -> Relations:
        """What holds of a component: up to a cut, or to the end of time if there is one."""
        window = self.state.window
        if end != FUTURE:
            rules, names = component.rules, component.predicates
            fixpoint = Fixpoint(rules, names, window, window, self.widths)
            fixpoint.start(Strictly(within), self._view)
            return {name: fixpoint.relation(name) for name in names}
        decided, floor = self.state.decided, lambda name: within(name)[0]
        settings = (component, window, window, self.widths, Asked())
        try:
            done = complete(*settings, decided=decided, floor=floor, view=self._view)
        except EndlessError as error:
            raise needs_horizon(error, self.timeline) from None
        return done.found

    def _of(self, relations: Relations, name: str) -> Relation:
        return relations.get(name, empty(self.widths[name]))

    def _refuse_late(self, name: str, rows: Relation) -> None:
        late = rows.lo < self.ends.of(name, self.state.decided)
        if late.any():
            first = self.timeline.interval(int(rows.lo[late][0]), int(rows.hi[late][0]))
            decided = self.timeline.time(self.state.decided >> 1)
            raise catalogue.LATE_FACT(name=name, first=first, decided=decided)

    def _close_eternal(self) -> None:
        """What follows from eternal facts alone is eternal; operators do not change it."""
        facts = {name: eternal(rows) for name, rows in self.state.waiting.items()}
        for component in self._components:
            rules = [rule for rule in component.rules if not rule.negatives]
            fixpoint = Fixpoint(rules, component.predicates, facts, {}, self.widths)
            fixpoint.start(strictly(PAST, FUTURE))
            facts |= {name: fixpoint.relation(name) for name in component.predicates}
        self.state.window = {n: eternal(rows) for n, rows in facts.items() if len(rows)}

    def _load(self, end: int) -> None:
        state = self.state
        for name, rows in state.waiting.items():
            own = self.ends.of(name, end)
            state.window[name] = union(self._of(state.window, name), clip(rows, PAST, own))
            state.waiting[name] = clip(rows, own, FUTURE)

    def _view(self, rule: Executable) -> Callable[[str], Relation]:
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

    def close(self, fresh: Relations, horizon: int | None) -> Relations:
        """Maximal intervals: one that reaches the end of what is decided waits for more."""
        found: Relations = {}
        state, limit = self.state, _after(horizon)
        for name, rows in fresh.items():
            whole = union(self._of(state.open_answers, name), rows)
            end = self.ends.of(name, state.decided)
            waits = (whole.hi >= end) & (end < limit)
            state.open_answers[name] = whole.take(waits)
            found[name] = whole.take(~waits)
        return found

    def close_all(self, fresh: Relations, horizon: int | None) -> Relations:
        """Nothing waits any more."""
        answers = self.close(fresh, horizon)
        for name, rows in self.state.open_answers.items():
            answers[name] = union(self._of(answers, name), rows)
        self.state.open_answers = {}
        return up_to(horizon, answers)

    # --- state

    def elements(self) -> Elements:
        """What the theorems of the paper bound."""
        return self.state.elements()

    def state_size(self) -> StateSize:
        """Instances are ground atoms in the window."""
        atoms = sum(map(count_tuples, self.state.window.values()))
        return StateSize(atoms, self.elements().total, self.state.used_bytes())

    def tidy(self) -> None:
        """Give up the constants that the state no longer has, once they are many.

        Codes change, so answers must have been read. Constants of the program keep theirs.
        """
        if len(self.symbols) <= 2 * self._known + _FEW:
            return
        used = np.zeros(len(self.symbols), bool)
        used[: self._own] = True
        for codes in self.state.codes():
            used[codes] = True
        self.symbols.keep(np.flatnonzero(used).tolist())
        self.state.renumber(np.cumsum(used) - 1)
        self._known = len(self.symbols)

    def snapshot(self) -> dict[str, bytes]:
        """Everything needed to go on. Pushed facts that are not decided are part of it."""
        return dict(self._chunks())

    def changed_chunks(self, previous: Mapping[str, bytes]) -> dict[str, bytes]:
        """What a snapshot holds that an earlier one does not: together they are the new one."""
        return {name: data for name, data in self._chunks() if previous.get(name) != data}

    def _chunks(self) -> Iterator[tuple[str, bytes]]:
        yield "resolution", str(self.timeline.resolution).encode()
        yield "constants", str(len(self.symbols)).encode()
        yield from save_texts("symbols", self.symbols.to_texts())
        yield from save_texts("widths", [f"{width} {n}" for n, width in self.widths.items()])
        yield from ((f"state/{name}", data) for name, data in self.state.chunks(self.ends))

    @classmethod
    def restore(
        cls,
        normal: NormalProgram,
        chunks: Mapping[str, bytes],
        *,
        often: bool | None = None,
        delays: Mapping[str, Fraction] | None = None,
    ) -> DatalogMTLKernel:
        """A kernel that goes on where the one that made the snapshot was."""
        texts = load_texts("symbols", chunks)[: int(chunks["constants"])]
        symbols = Symbols.from_texts(texts)
        timeline = Timeline(int(chunks["resolution"]))
        pairs = (text.split(" ", 1) for text in load_texts("widths", chunks))
        widths = {name: int(width) for width, name in pairs}
        kernel = cls(normal, symbols, timeline, widths, often=often, delays=delays)
        kernel.state = State.restore(part("state/", chunks), kernel.ends)
        return kernel


def up_to(horizon: int | None, found: Relations) -> Relations:
    return {name: clip(rows, PAST, _after(horizon)) for name, rows in found.items()}


def _after(horizon: int | None) -> int:
    """The cut behind it."""
    return FUTURE if horizon is None else 2 * horizon + 1
