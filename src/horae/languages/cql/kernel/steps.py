"""What changes with time: per key, the places where a row comes or goes. In between, all stays.

Counts and sums over all rows of a key are numbers that are added up from place to place, so they cost as
much as there are rows, however long these stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from horae.languages.cql.kernel.columns import Bools, Ints
from horae.languages.cql.kernel.spans import Spans

Keyed = tuple[Ints, Spans]
"""Rows as their keys, small natural numbers, and their spans."""


@dataclass(frozen=True)
class Steps:
    """Sorted by key, then place. A step lasts until the next one; the last one of a key has no rows."""

    codes: Ints
    limit: int

    @classmethod
    def of(cls, rows: Sequence[Keyed]) -> Steps:
        limit = max((spans.end for _, spans in rows), default=0) + 1
        ends = [keys * limit + end for keys, s in rows for end in (s.first, s.after)]
        return cls(np.unique(np.concatenate([np.zeros(0, np.int64), *ends])), limit)

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def keys(self) -> Ints:
        return self.codes // self.limit

    @property
    def places(self) -> Ints:
        return self.codes % self.limit

    def at(self, rows: Keyed) -> Spans:
        """The steps at which rows come and go."""
        keys, spans = rows
        base = keys * self.limit
        first = np.searchsorted(self.codes, base + spans.first)
        return Spans(first, np.searchsorted(self.codes, base + spans.after))

    def totals(self, rows: Keyed, weights: Ints | None = None) -> Ints:
        """At each step the number of rows that are there, or the sum of their weights."""
        there = self.at(rows)
        changes = np.zeros(len(self) + 1, np.int64)
        ones = np.ones(len(there.first), np.int64) if weights is None else weights
        np.add.at(changes, there.first, ones)
        np.subtract.at(changes, there.after, ones)
        return np.cumsum(changes)[: len(self)]

    def spans(self, chosen: Bools) -> tuple[Ints, Spans]:
        """Steps, none of them the last of its key, and their spans."""
        which = np.flatnonzero(chosen)
        places = self.places
        return which, Spans(places[which], places[which + 1])

    def stacked(self, counts: Ints) -> tuple[Ints, Spans]:
        """Spans of which so many are there at each step, as few as possible; and the keys of them."""
        keys, places = self.keys, self.places
        changes = np.diff(counts, prepend=0)
        found: list[tuple[int, int, int]] = []
        waiting: list[int] = []
        for step in np.flatnonzero(changes).tolist():
            change, place = int(changes[step]), int(places[step])
            waiting += [place] * change
            for _ in range(-change):
                found.append((int(keys[step]), waiting.pop(), place))
        table = np.array(found, np.int64).reshape(-1, 3)
        return table[:, 0], Spans(table[:, 1], table[:, 2])
