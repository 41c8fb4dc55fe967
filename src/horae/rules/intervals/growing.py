"""Interval relations that grow: a few sorted runs, each much larger than the next.

Adding rows costs as much as there are new ones, not as much as there are old ones: they become a run
of their own, and runs of similar size are merged. The live intervals of all runs together are
coalesced; a row that a wider one replaces is marked as dead and left out when its run is merged.

Joins look rows up in indexes of the runs, which stay until a run is merged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from horae.data.columns import Mask
from horae.data.cuts import Cuts, Rows, closure
from horae.rules.intervals.join import MOST_PAIRS, TooManyPairsError, tuple_ends
from horae.rules.intervals.relation import Relation, bridge, empty, grown, union
from horae.rules.intervals.runs import absorb, overlaps, remains
from horae.rules.intervals.wide import cut_ranks, is_wide


@dataclass(frozen=True, slots=True)
class GrownSelection:
    """Rows with given codes at some places and equal ones at others, by the key `places`."""

    places: tuple[int, ...] = ()
    constants: tuple[tuple[int, int], ...] = ()
    repeats: tuple[tuple[int, int], ...] = ()

    def of(self, arguments: Rows) -> Rows:
        """The numbers of the rows, in order."""
        kept = np.ones(len(arguments), bool)
        for place, code in self.constants:
            kept &= arguments[:, place] == code
        for a, b in self.repeats:
            kept &= arguments[:, a] == arguments[:, b]
        return np.flatnonzero(kept)


@dataclass(frozen=True, slots=True)
class Index:
    """Rows of a run sorted by key, then by tuple and time; `after`: where the next tuple begins."""

    keys: Rows
    rows: Rows
    after: Rows


@dataclass
class SortedRun:
    """Sorted rows, disjoint where they have the same tuple. Dead ones no longer count."""

    rows: Relation
    dead: Mask
    alive: int
    indexes: dict[GrownSelection, Index] = field(default_factory=dict)

    def live(self) -> Relation:
        return self.rows if self.alive == len(self.rows) else self.rows.take(~self.dead)

    def index(self, selection: GrownSelection) -> Index:
        known = self.indexes.get(selection)
        if known is None:
            known = self.indexes[selection] = _index(self.rows.arguments, selection)
        return known


def _run(rows: Relation) -> SortedRun:
    return SortedRun(rows, np.zeros(len(rows), bool), len(rows))


def _index(arguments: Rows, selection: GrownSelection) -> Index:
    rows = selection.of(arguments)
    places = list(selection.places)
    if places and places != list(range(len(places))):
        columns = [arguments[rows, place] for place in reversed(places)]
        rows = rows[np.lexsort(columns)]  # stable: within a key, tuples and times stay sorted
    kept = arguments[rows]
    keys = np.ascontiguousarray(kept[:, places])
    return Index(keys, rows, tuple_ends(kept, np.zeros(len(rows), np.int64)))


class Growing:
    """A relation to which rows are added, and in which they are looked up."""

    def __init__(self, rows: Relation) -> None:
        self.width = rows.width
        self._runs = [_run(rows)] if len(rows) else []

    def __len__(self) -> int:
        return sum(run.alive for run in self._runs)

    @property
    def largest(self) -> Relation:
        """The rows of the largest run, dead ones too."""
        return self._runs[0].rows if self._runs else empty(self.width)

    def relation(self) -> Relation:
        """All rows, in one relation."""
        while len(self._runs) > 1:
            self._merge_last()
        if not self._runs:
            return empty(self.width)
        self._drop_dead()
        return self._runs[0].rows

    def add(self, rows: Relation) -> Relation:
        """Add coalesced rows; the intervals, whole, that were not there."""
        if len(rows) == 0:
            return rows
        if is_wide(rows.lo):
            whole, new = grown(self.relation(), rows)
            self._runs = [_run(whole)]
            return new
        lo, hi = rows.lo.copy(), rows.hi.copy()
        known = np.zeros(len(rows), bool)
        for run in self._runs:
            old = run.rows
            run.alive -= absorb(
                old.arguments, old.lo, old.hi, run.dead, rows.arguments, lo, hi, known
            )
        new = bridge(Relation(rows.arguments[~known], lo[~known], hi[~known]), 0)
        if len(new):
            self._runs.append(_run(new))
            self._tidy()
        return new

    def matches(
        self,
        selection: GrownSelection,
        keys: Rows,
        lo: Cuts,
        hi: Cuts,
        *,
        widened: bool = False,
        most: int = MOST_PAIRS,
    ) -> Iterator[tuple[Rows, Relation]]:
        """Run by run, the given rows that meet some of its rows in key and time, and these.

        `widened`: the intervals of this relation count with their ends, also with open ones.
        """
        keys = np.ascontiguousarray(keys)
        for run in self._runs:
            index, rows = run.index(selection), run.rows
            times, wider = (lo, hi, rows.lo, rows.hi), widened
            if is_wide(*times):
                ends = closure(rows.lo, rows.hi) if widened else (rows.lo, rows.hi)
                times, wider = _ranked(lo, hi, *ends), False
            a, b = overlaps(
                keys, *times, index.keys, index.rows, index.after, run.dead, wider, most
            )
            if len(a) > most:
                raise TooManyPairsError(most)
            most -= len(a)
            if len(a):
                yield a, rows.take(b)

    def without(
        self, selection: GrownSelection, keys: Rows, lo: Cuts, hi: Cuts
    ) -> tuple[Rows, Cuts, Cuts]:
        """The given rows, and what is left of their intervals where no row with their key holds.

        The key is the whole tuple of a selected row.
        """
        if len(self) == 0:
            return np.arange(len(lo)), lo, hi
        rows = self.relation()
        index = self._runs[0].index(selection)
        keys = np.ascontiguousarray(keys)
        low, high = rows.lo[index.rows], rows.hi[index.rows]
        if not is_wide(lo, low):
            return remains(keys, index.keys, index.after, lo, hi, low, high)
        cuts, (lo, hi, low, high) = cut_ranks(lo, hi, low, high)
        left, first, last = remains(keys, index.keys, index.after, lo, hi, low, high)
        return left, cuts[first], cuts[last]

    def missing(self, rows: Relation) -> Relation:
        """The parts of rows that this relation does not have."""
        every = GrownSelection(tuple(range(self.width)))
        kept, lo, hi = self.without(every, rows.arguments, rows.lo, rows.hi)
        return Relation(rows.arguments[kept], lo, hi)

    def _tidy(self) -> None:
        runs = self._runs
        while len(runs) > 1 and runs[-2].alive < 2 * runs[-1].alive:
            self._merge_last()
        if runs[0].alive * 2 < len(runs[0].rows):
            self._drop_dead()

    def _merge_last(self) -> None:
        last = self._runs.pop().live()
        self._runs[-1] = _run(union(self._runs[-1].live(), last))

    def _drop_dead(self) -> None:
        if self._runs[0].alive < len(self._runs[0].rows):
            self._runs[0] = _run(self._runs[0].live())


def _ranked(lo: Cuts, hi: Cuts, low: Cuts, high: Cuts) -> tuple[Cuts, Cuts, Cuts, Cuts]:
    """Cuts in the same order that compiled functions can read."""
    _, (a, b, c, d) = cut_ranks(lo, hi, low, high)
    return a, b, c, d
