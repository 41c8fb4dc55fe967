"""Facts that have come, and whose time points are not needed yet.

A fact with an interval waits as a whole, however long it is; its time points become atoms when they
are due.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from horae.data.cuts import Rows
from horae.languages.lars.kernel.facts import Spans
from horae.languages.lars.kernel.renumber import Renumbering
from horae.languages.lars.kernel.saving import load_tables, save_tables
from horae.languages.lars.kernel.tuple_windows import Log

_PREFIX = "waiting/"
_CODES = slice(2, None)  # columns with codes


@dataclass
class Waiting:
    """Per predicate a table of its facts: first and last time point, order, arguments.

    `ahead` is sorted by the first column, so that taking some leaves a slice of it. `running` are
    facts of which some time points were taken, and the others are still to come.
    """

    ahead: dict[str, Rows] = field(default_factory=dict)
    running: dict[str, Rows] = field(default_factory=dict)

    def add(self, name: str, spans: Spans) -> None:
        table = np.column_stack([spans.first, spans.last, spans.order, spans.arguments])
        some = spans.first <= spans.last
        if not some.all():
            table = table[some]
        if name in self.ahead:
            table = np.concatenate([self.ahead[name], table])
        self.ahead[name] = _sorted(table)

    def take(self, until: int) -> dict[str, Log]:
        """The atoms up to a time point; they wait no longer."""
        due: dict[str, Log] = {}
        for name in {**self.running, **self.ahead}:
            table = self._begun(name, until)
            if len(table):
                due[name] = Spans(table[:, 3:], table[:, 2], table[:, 0], table[:, 1]).log(until)
                self.running[name] = _rest(table, until)
        self.running = {name: table for name, table in self.running.items() if len(table)}
        self.ahead = {name: table for name, table in self.ahead.items() if len(table)}
        return due

    def _begun(self, name: str, until: int) -> Rows:
        """The facts that begin up to a time point; they are not ahead any more."""
        running, ahead = self.running.get(name), self.ahead.get(name)
        if ahead is None:
            assert running is not None, "a predicate is in one of both"
            return running
        end = int(np.searchsorted(ahead[:, 0], until, side="right"))
        self.ahead[name] = ahead[end:]
        return ahead[:end] if running is None else np.concatenate([running, ahead[:end]])

    @property
    def size(self) -> int:
        return sum(map(len, self._tables()))

    @property
    def nbytes(self) -> int:
        return sum(table.nbytes for table in self._tables())

    def _tables(self) -> Iterator[Rows]:
        yield from self.running.values()
        yield from self.ahead.values()

    # --- codes and chunks

    def codes(self) -> Iterator[Rows]:
        return (table[:, _CODES] for table in self._tables())

    def renumber(self, renumbering: Renumbering) -> None:
        for table in self._tables():
            table[:, _CODES] = renumbering(table[:, _CODES])

    def save(self) -> Iterator[tuple[str, bytes]]:
        names = {**self.running, **self.ahead}
        return save_tables(_PREFIX, {name: self._whole(name) for name in names})

    def _whole(self, name: str) -> Rows:
        parts = [part[name] for part in (self.running, self.ahead) if name in part]
        return np.concatenate(parts)

    @classmethod
    def load(cls, chunks: Mapping[str, bytes]) -> Self:
        tables = load_tables(_PREFIX, chunks)
        return cls({name: _sorted(table) for name, table in tables.items()})


def _sorted(table: Rows) -> Rows:
    first = table[:, 0]
    if (first[1:] >= first[:-1]).all():
        return table
    return table.take(np.argsort(first, kind="stable"), axis=0)


def _rest(table: Rows, until: int) -> Rows:
    """What is left of intervals that go on."""
    longer = table[table[:, 1] > until]
    longer[:, 0] = until + 1
    return longer
