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
from horae.languages.lars.kernel.encode_rows import Spans, each_point
from horae.languages.lars.kernel.renumber import Renumbering
from horae.languages.lars.kernel.saving import load_tables, save_tables
from horae.languages.lars.kernel.tuple_windows import Log

_PREFIX = "waiting/"
_CODES = slice(2, None)  # columns with codes


@dataclass
class Waiting:
    """Per predicate a table, sorted by its first column: first and last time point, order, arguments."""

    tables: dict[str, Rows] = field(default_factory=dict)

    def add(self, name: str, spans: Spans) -> None:
        columns = [spans.first, spans.last, spans.order, spans.arguments]
        table = np.column_stack(columns)[spans.first <= spans.last]
        if name in self.tables:
            table = np.concatenate([self.tables[name], table])
        self.tables[name] = table[np.argsort(table[:, 0], kind="stable")]

    def take(self, until: int) -> dict[str, Log]:
        """The atoms up to a time point; they wait no longer."""
        due: dict[str, Log] = {}
        for name, table in self.tables.items():
            end = int(np.searchsorted(table[:, 0], until, side="right"))
            if end:
                due[name] = _atoms(table[:end], until)
                self.tables[name] = np.concatenate([_later(table[:end], until), table[end:]])
        self.tables = {name: table for name, table in self.tables.items() if len(table)}
        return due

    @property
    def size(self) -> int:
        return sum(map(len, self.tables.values()))

    @property
    def nbytes(self) -> int:
        return sum(table.nbytes for table in self.tables.values())

    # --- codes and chunks

    def codes(self) -> Iterator[Rows]:
        return (table[:, _CODES] for table in self.tables.values())

    def renumber(self, renumbering: Renumbering) -> None:
        for table in self.tables.values():
            table[:, _CODES] = renumbering(table[:, _CODES])

    def save(self) -> Iterator[tuple[str, bytes]]:
        return save_tables(_PREFIX, self.tables)

    @classmethod
    def load(cls, chunks: Mapping[str, bytes]) -> Self:
        tables = load_tables(_PREFIX, chunks)
        return cls({name: t[np.argsort(t[:, 0], kind="stable")] for name, t in tables.items()})


def _atoms(table: Rows, until: int) -> Log:
    each, times = each_point(table[:, 0], np.minimum(table[:, 1], until))
    return Log(table[each, 3:], times, table[each, 2])


def _later(table: Rows, until: int) -> Rows:
    """What is left of intervals that go on."""
    longer = table[table[:, 1] > until]
    longer[:, 0] = until + 1
    return longer
