"""Line 13 of Algorithm 1: after each chunk only what can still matter is kept (Tables 3 and 5).

An interval of which a part matters is kept whole: so it does not change while time moves on.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from horae.data.cuts import FUTURE, PAST, Cuts, Rows, closure
from horae.data.intervals import Interval
from horae.languages.datalogmtl.analysis.windows import Horizons, Memory
from horae.languages.datalogmtl.check.normal import Link
from horae.languages.datalogmtl.kernel.ends import DecidedEnds
from horae.languages.datalogmtl.kernel.fixpoint import Relations
from horae.languages.datalogmtl.kernel.rules import Executable
from horae.languages.datalogmtl.kernel.state import State
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.languages.datalogmtl.syntax.tree import BinaryOperator
from horae.rules.intervals.join import join_pairs
from horae.rules.intervals.relation import Relation, bridge, empty, relation, union

# An atom that ever held before the window is kept as if it had held at the beginning of time.
_EVER = (PAST, PAST + 1)


class Forgetting:
    """`gap` is the granularity in doubled ticks, or 0 to keep every fact instead of # facts."""

    def __init__(
        self,
        rules: list[Executable],
        horizons: Horizons,
        timeline: Timeline,
        ends: DecidedEnds,
        widths: Mapping[str, int],
        gap: int,
    ) -> None:
        self._unbounded = [rule for rule in rules if _is_unbounded_since(rule)]
        self._horizons, self._timeline, self._ends = horizons, timeline, ends
        self._widths, self._gap = widths, gap

    def forget(self, state: State, end: int) -> None:
        """All facts up to the cut `end` are there, and what follows from them is."""
        carried = self._carried(state, end)
        for name in list(state.window):
            memory = self._horizons.memory.get(name, Memory())
            rows = state.window[name]
            start = self._start(memory, self._ends.of(name, end))
            if memory.history:
                self._remember(state, name, rows, start)
            if self._gap and name in self._horizons.memory:
                self._note_often(state, name, rows, start)
            kept = self._long_enough(rows.take(rows.hi > start), start, end)
            state.window[name] = union(union(kept, eternal(rows)), self._of(carried, name))

    def _of(self, relations: Relations, name: str) -> Relation:
        return relations.get(name, empty(self._widths[name]))

    def _start(self, memory: Memory, end: int) -> int:
        """(c1), with a window per predicate."""
        return end if memory.reach is None else end - 1 - 2 * self._timeline.ticks(memory.reach)

    def _remember(self, state: State, name: str, rows: Relation, start: int) -> None:
        """(H): the atom held before the window."""
        old = rows.take((rows.lo < start) & ~_is_eternal(rows))
        lo, hi = (np.full(len(old), cut, np.int64) for cut in _EVER)
        ever = relation(old.arguments, lo, hi)
        state.history[name] = union(self._of(state.history, name), ever)

    def _note_often(self, state: State, name: str, rows: Relation, start: int) -> None:
        """(@→#), (#∪), (c3)."""
        both = union(self._of(state.often, name), rows.take(~_is_eternal(rows)))
        bridged = bridge(both, self._gap)
        if self._horizons.memory[name].history:
            self._remember(state, name, bridged, start)
        state.often[name] = bridged.take(bridged.hi > start)

    def _long_enough(self, rows: Relation, start: int, end: int) -> Relation:
        """(c5): what is shorter than the granularity serves no box once it is over.

        What began before all time did so for ever: ⊟[a,∞) asks for that.
        """
        if not self._gap:
            return rows
        begins = np.where(rows.lo == PAST, PAST, np.maximum(rows.lo, start))
        length = (rows.hi & ~1) - (begins & ~1)
        return rows.take((length >= self._gap) | (rows.hi >= end))

    # --- Since without end

    def _carried(self, state: State, end: int) -> Relations:
        """Left intervals that go on, and for each of them where a right tuple first holds in it."""
        carried: Relations = {}
        for rule in self._unbounded:
            left, right = (self._of(state.window, p.predicate) for p in rule.bodies)
            own = self._ends.of(rule.head.predicate, end)
            goes_on, first = _reached(rule, left.take(left.hi >= own), right)
            for pattern, rows in zip(rule.bodies, (goes_on, first), strict=True):
                carried[pattern.predicate] = union(self._of(carried, pattern.predicate), rows)
        return carried


def _is_unbounded_since(executable: Executable) -> bool:
    match executable.rule:
        case Link(operator=BinaryOperator.SINCE, interval=Interval(high=None)):
            return True
        case _:
            return False


def _reached(rule: Executable, left: Relation, right: Relation) -> tuple[Relation, Relation]:
    """The left intervals in which a right tuple holds, and the first such times."""
    on = _shared_places(rule)
    wide = Relation(left.arguments, *closure(left.lo, left.hi))
    a, b = join_pairs(wide, right, on)
    each = np.column_stack([a, right.arguments[b]])
    first = _first_of_each(each, np.maximum(wide.lo[a], right.lo[b]))
    return left.take(np.unique(a)), relation(first.arguments[:, 1:], first.lo, first.hi)


def _shared_places(rule: Executable) -> tuple[tuple[int, int], ...]:
    left, right = rule.bodies
    return tuple(
        (left.places[left.variables.index(name)], right.places[i])
        for i, name in enumerate(right.variables)
        if name in left.variables
    )


def _first_of_each(arguments: Rows, lo: Cuts) -> Relation:
    """Per tuple, a single cut where it first holds."""
    every = relation(arguments, lo, lo + 1)
    changes = np.ones(len(every), bool)
    changes[1:] = (every.arguments[1:] != every.arguments[:-1]).any(axis=1)
    first = every.take(changes)
    return Relation(first.arguments, first.lo, first.lo + 1)


def _is_eternal(rows: Relation) -> np.ndarray:
    return (rows.lo == PAST) & (rows.hi == FUTURE)  # type: ignore[no-any-return]


def eternal(rows: Relation) -> Relation:
    """The rows that hold at all times."""
    return rows.take(_is_eternal(rows))
