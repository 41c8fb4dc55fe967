"""Tuple and partition windows as columns: at which reference times is an input atom selected?

The atoms stand in one order (time, `order` column, predicate, arguments), in each substream apart. The
l newest up to r are selected: so atom k is, from its own time until the time of atom k + l. Among
the next u after r, those at the last time point are the greatest ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from horae.data.constants import sort_key
from horae.data.cuts import Cuts, Rows
from horae.languages.lars.analysis.reads import CountingWindow
from horae.languages.lars.kernel.codes import NOTHING, Codes
from horae.languages.lars.kernel.held import with_column
from horae.languages.lars.kernel.time_windows import FUTURE
from horae.languages.lars.syntax.tree import PartitionWindow
from horae.rules.intervals.relation import Relation, empty, relation
from horae.rules.terms import Constant, Variable


@dataclass(frozen=True, slots=True)
class AtomLog:
    """Input atoms of one predicate at time points; `order` has codes, or `NOTHING`."""

    arguments: Rows
    times: Cuts
    order: Rows

    def __len__(self) -> int:
        return len(self.times)

    def take(self, rows: Rows | np.ndarray) -> AtomLog:
        return AtomLog(self.arguments[rows], self.times[rows], self.order[rows])


AtomLogs = Mapping[str, AtomLog]


@dataclass(frozen=True, slots=True)
class _Ordered:
    """The atoms that a window counts, in order, substream by substream."""

    predicates: tuple[str, ...]
    predicate: Rows  # per atom, its place in `predicates`
    row: Rows  # per atom, its row in the log of its predicate
    times: Cuts
    group: Rows  # per atom, the number of its substream; ascending

    @property
    def bounds(self) -> tuple[Rows, Rows]:
        """For each atom, where its substream begins and ends."""
        first = np.searchsorted(self.group, self.group, side="left")
        return first, np.searchsorted(self.group, self.group, side="right")


class Selection:
    """One window over the logs of all input predicates."""

    def __init__(self, window: CountingWindow, logs: AtomLogs, codes: Codes) -> None:
        self._logs = logs
        self.past, self.future = _number(window.past), _number(window.future)
        self._atoms = _ordered(window, logs, codes)
        self._is_partition = isinstance(window, PartitionWindow)

    def rows(self, predicate: str, width: int) -> Relation:
        """Tuples with their time point behind, and the reference times that select them."""
        atoms = self._atoms
        if predicate not in atoms.predicates:
            return empty(width + 1)
        own = np.flatnonzero(atoms.predicate == atoms.predicates.index(predicate))
        log = self._logs[predicate].take(atoms.row[own])
        tuples = with_column(log.arguments, log.times)
        lo, hi = self._validity()
        return relation(
            np.concatenate([tuples, tuples]),
            np.concatenate([lo[0][own], lo[1][own]]),
            np.concatenate([hi[0][own], hi[1][own]]),
        )

    def _validity(self) -> tuple[tuple[Cuts, Cuts], tuple[Cuts, Cuts]]:
        """[lo, hi) of each atom, as one of the past and as one of the future."""
        times, (first, end) = self._atoms.times, self._atoms.bounds
        place = np.arange(len(times))
        padded = np.append(times, FUTURE)
        until = np.where(
            place + self.past < end, padded[np.minimum(place + self.past, len(times))], FUTURE
        )
        same = _same_time(self._atoms)
        needed = same[0] - first - (self.future - (same[1] - place))
        since = np.where(needed >= 1, padded[np.clip(first + needed - 1, 0, len(times))], 0)
        reached = self.future >= same[1] - place
        return (times, np.where(reached, since, times)), (until, times)

    def expired(self, until: int) -> dict[str, np.ndarray]:
        """Per predicate, which atoms of its log no reference time after `until` selects."""
        _, (past, _) = self._validity()
        gone = (past <= until + 1) & (self._atoms.times <= until)
        found = {}
        for number, name in enumerate(self._atoms.predicates):
            mask = np.ones(len(self._logs[name]), bool)
            own = self._atoms.predicate == number
            mask[self._atoms.row[own]] = gone[own]
            found[name] = mask
        return found

    def timeline(self, references: Cuts) -> tuple[Cuts, Cuts]:
        """[lo, hi) around each reference time."""
        if not self._is_partition:
            return self._timeline_of(self._atoms.times, references)
        lo, hi = references.copy(), references + 1
        for group in range(int(self._atoms.group[-1]) + 1 if len(self._atoms.group) else 0):
            times = self._atoms.times[self._atoms.group == group]
            until = np.searchsorted(times, references, side="right")
            some = ((until > 0) & (self.past > 0)) | ((until < len(times)) & (self.future > 0))
            low, high = self._timeline_of(times, references)
            lo = np.where(some, np.minimum(lo, low), lo)
            hi = np.where(some, np.maximum(hi, high), hi)
        return lo, hi

    def _timeline_of(self, times: Cuts, references: Cuts) -> tuple[Cuts, Cuts]:
        until = np.searchsorted(times, references, side="right")
        padded = np.append(times, 0)
        lo = np.where(until >= self.past, padded[np.clip(until - self.past, 0, len(times))], 0)
        last = until + self.future - 1
        hi = np.where(last < len(times), padded[np.clip(last, 0, len(times))] + 1, FUTURE)
        return (
            references if self.past == 0 else lo,
            references + 1 if self.future == 0 else hi,
        )


def has_constant_counts(window: CountingWindow) -> bool:
    return isinstance(window.past, Constant) and isinstance(window.future, Constant)


def _number(parameter: object) -> int:
    assert isinstance(parameter, Constant), "the fast path has constant numbers of tuples"
    assert isinstance(parameter.value, int), "the checker has seen to it"
    return min(parameter.value, FUTURE)


def _same_time(atoms: _Ordered) -> tuple[Rows, Rows]:
    """For each atom, where the atoms of its time in its substream begin, and where they end."""
    change = np.ones(len(atoms.times), bool)
    change[1:] = (atoms.times[1:] != atoms.times[:-1]) | (atoms.group[1:] != atoms.group[:-1])
    starts = np.flatnonzero(change)
    run = np.cumsum(change) - 1
    ends = np.append(starts[1:], len(atoms.times))
    return starts[run], ends[run]


# --- the order of atoms


def atoms_in_order(logs: AtomLogs, codes: Codes) -> list[tuple[str, int]]:
    """All atoms of the logs: predicate and row."""
    chosen = {name: np.arange(len(log)) for name, log in sorted(logs.items())}
    atoms = _sorted(chosen, logs, codes, None)
    names = [atoms.predicates[number] for number in atoms.predicate.tolist()]
    return list(zip(names, atoms.row.tolist(), strict=True))


def _ordered(window: CountingWindow, logs: AtomLogs, codes: Codes) -> _Ordered:
    if isinstance(window, PartitionWindow):
        name = window.pattern.predicate
        log = logs.get(name)
        rows = np.empty(0, np.int64) if log is None else _matching(window, log, codes)
        chosen = {} if log is None else {name: rows}
    else:
        chosen = {name: np.arange(len(log)) for name, log in sorted(logs.items())}
    return _sorted(chosen, logs, codes, window)


def _matching(window: PartitionWindow, log: AtomLog, codes: Codes) -> Rows:
    """The atoms that match the pattern: constants, and variables that occur twice."""
    mask = np.ones(len(log), bool)
    seen: dict[str, int] = {}
    for place, term in enumerate(window.pattern.arguments):
        if isinstance(term, Constant):
            mask &= log.arguments[:, place] == codes.code(term.value)
        elif term.name in seen:
            mask &= log.arguments[:, place] == log.arguments[:, seen[term.name]]
        else:
            seen[term.name] = place
    return np.flatnonzero(mask)


def _sorted(
    chosen: dict[str, Rows], logs: AtomLogs, codes: Codes, window: CountingWindow | None
) -> _Ordered:
    names = tuple(chosen)
    predicate = _joined(np.full(len(rows), i) for i, rows in enumerate(chosen.values()))
    row = _joined(chosen.values())
    times = _joined(logs[n].times[rows] for n, rows in chosen.items())
    keys = _value_order(chosen, logs, codes)
    group = _groups(chosen, logs, window)
    order = np.lexsort((*reversed(keys[1:]), predicate, keys[0], times, group))
    return _Ordered(names, predicate[order], row[order], times[order], group[order])


def _joined(parts: Iterable[Rows]) -> Rows:
    return np.concatenate([np.empty(0, np.int64), *parts])


def _value_order(chosen: dict[str, Rows], logs: AtomLogs, codes: Codes) -> list[Rows]:
    """Per atom, numbers in the order of: the `order` column, each argument."""
    width = max((logs[n].arguments.shape[1] for n in chosen), default=0)
    columns = [_joined(logs[n].order[rows] for n, rows in chosen.items())]
    for place in range(width):
        parts = [
            logs[n].arguments[rows, place]
            if place < logs[n].arguments.shape[1]
            else np.full(len(rows), NOTHING)
            for n, rows in chosen.items()
        ]
        columns.append(_joined(parts))
    return [value_ranks(column, codes) for column in columns]


def value_ranks(column: Rows, codes: Codes) -> Rows:
    """Numbers before text, by value; nothing before both."""
    distinct, places = np.unique(column, return_inverse=True)
    known = [c for c in distinct.tolist() if c != NOTHING]
    by_value = sorted(known, key=lambda code: sort_key(codes.value(code)))
    rank = {code: number for number, code in enumerate(by_value)}
    ranks = np.array([rank.get(code, -1) for code in distinct.tolist()], np.int64)
    return ranks[places] if len(column) else column


def _groups(chosen: dict[str, Rows], logs: AtomLogs, window: CountingWindow | None) -> Rows:
    """The number of the substream of each atom."""
    count = sum(map(len, chosen.values()))
    if not isinstance(window, PartitionWindow) or not window.by or not count:
        return np.zeros(count, np.int64)
    (name, rows), *_ = chosen.items()
    terms = window.pattern.arguments
    places = [
        next(i for i, t in enumerate(terms) if isinstance(t, Variable) and t.name == v.name)
        for v in window.by
    ]
    keys = logs[name].arguments[rows][:, places]
    _, groups = np.unique(keys, axis=0, return_inverse=True)
    return np.asarray(groups).reshape(-1)
