"""The stream as a kernel keeps it: background data, and atoms at time points as long as they matter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from horae.languages.lars.analysis.reach import Reach
from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.kernel.codes import Codes
from horae.languages.lars.kernel.held import AtomSource, points_of_spans, source
from horae.languages.lars.kernel.tuple_windows import (
    AtomLog,
    Selection,
    atoms_in_order,
    has_constant_counts,
    value_ranks,
)
from horae.rules.intervals.relation import Relation, relation, union


@dataclass
class HeldStream:
    """`spans` has input atoms, and with `history` derived ones; `logs` only input atoms.

    Logs are kept where windows count atoms or the solver needs their order.
    """

    static: dict[str, Relation] = field(default_factory=dict)
    spans: dict[str, Relation] = field(default_factory=dict)
    logs: dict[str, AtomLog] = field(default_factory=dict)

    def add_static(self, static: Mapping[str, Relation]) -> None:
        for name, rows in static.items():
            self.static[name] = union(self.static[name], rows) if name in self.static else rows

    def add(self, logs: Mapping[str, AtomLog], codes: Codes, *, keep_logs: bool) -> None:
        for name, log in logs.items():
            spans = relation(log.arguments, log.times, log.times + 1)
            self.add_spans(name, spans)
            if keep_logs:
                old = self.logs.get(name)
                self.logs[name] = _distinct(log if old is None else joined(old, log), codes)

    def add_spans(self, name: str, spans: Relation) -> None:
        self.spans[name] = union(self.spans[name], spans) if name in self.spans else spans

    def source(self, name: str, width: int) -> AtomSource:
        return source(width, self.static.get(name), self.spans.get(name))

    # --- forgetting

    def forget(self, until: int, reach: Reach, codes: Codes) -> None:
        """Drop what no evaluation after `until` looks at."""
        self.forget_spans(until, reach)
        if self.logs:
            self._forget_logs(until, reach, codes)

    def forget_spans(self, until: int, reach: Reach) -> None:
        """The same, of spans alone: logs must be sorted for it."""
        for name, spans in self.spans.items():
            past = reach.past(name)
            if past is not None:
                self.spans[name] = _since(spans, max(until + 1 - past, 0))

    def _forget_logs(self, until: int, reach: Reach, codes: Codes) -> None:
        if not all(c.anchored and has_constant_counts(c.window) for c in reach.counted):
            return
        gone = [Selection(c.window, self.logs, codes).expired(until) for c in reach.counted]
        for name, log in self.logs.items():
            past = reach.past(name)
            if past is None:
                continue
            mask = log.times < max(until + 1 - past, 0)
            for expired in gone:
                mask &= expired.get(name, np.ones(len(log), bool))
            self.logs[name] = log.take(~mask)

    @property
    def size(self) -> int:
        """Stored elements: intervals of atoms, and atoms of the logs."""
        return sum(map(len, self.spans.values())) + sum(map(len, self.logs.values()))

    @property
    def bytes(self) -> int:
        spans = sum(r.arguments.nbytes + 16 * len(r) for r in self.spans.values())
        return spans + sum(log.arguments.nbytes + 16 * len(log) for log in self.logs.values())


def _since(spans: Relation, first: int) -> Relation:
    """Runs that reach to `first` or behind it; what lies before is cut off."""
    kept = spans.take(spans.hi > first)
    return Relation(kept.arguments, np.maximum(kept.lo, first), kept.hi)


def joined(old: AtomLog, new: AtomLog) -> AtomLog:
    return AtomLog(
        np.concatenate([old.arguments, new.arguments]),
        np.concatenate([old.times, new.times]),
        np.concatenate([old.order, new.order]),
    )


def _distinct(log: AtomLog, codes: Codes) -> AtomLog:
    """A stream is a set: an atom is at a time point once, with the greatest `order`."""
    keys = np.concatenate([log.arguments, log.times.reshape(-1, 1)], axis=1)
    by_order = np.lexsort((value_ranks(log.order, codes), *reversed(keys.T)))
    sorted_keys = keys[by_order]
    last = np.ones(len(log), bool)
    last[:-1] = (sorted_keys[1:] != sorted_keys[:-1]).any(axis=1)
    return log.take(by_order[last])


# --- for the solver


def timed_atoms(logs: Mapping[str, AtomLog], codes: Codes) -> list[TimedAtom]:
    """All input atoms, by time and in the order of ties."""
    decoded = {name: _atoms(name, log.arguments, log.times, codes) for name, log in logs.items()}
    return [decoded[name][row] for name, row in atoms_in_order(logs, codes)]


def span_atoms(name: str, spans: Relation, codes: Codes) -> list[TimedAtom]:
    return _atoms(name, *points_of_spans(spans), codes)


def _atoms(name: str, arguments: np.ndarray, times: np.ndarray, codes: Codes) -> list[TimedAtom]:
    rows: Iterable[list[int]] = arguments.tolist()
    return [
        TimedAtom(time, name, tuple(map(codes.value, row)))
        for row, time in zip(rows, times.tolist(), strict=True)
    ]
