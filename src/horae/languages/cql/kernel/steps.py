"""What changes with time: per key, the places where a row comes or goes. In between, all stays.

Counts and sums over all rows of a key are numbers that are added up from place to place, so they cost as
much as there are rows, however long these stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from horae.data.columns import Ints, Mask
from horae.languages.cql.kernel.columns import classes
from horae.languages.cql.kernel.spans import Spans

Keyed = tuple[Ints, Spans]
"""Rows as their keys, small natural numbers, and their spans."""


@dataclass(frozen=True)
class Steps:
    """Sorted by key, then place. A step lasts until the next one; the last one of a key has no rows.

    `rows` are the given rows, each from the step at which it comes to the one at which it goes.
    """

    codes: Ints
    limit: int
    rows: tuple[Spans, ...]

    @classmethod
    def of(cls, rows: Sequence[Keyed]) -> Steps:
        limit = max((spans.end for _, spans in rows), default=0) + 1
        ends = [keys * limit + end for keys, s in rows for end in (s.first, s.after)]
        codes = np.concatenate([np.zeros(0, np.int64), *ends])
        first, steps = classes(codes)
        parts = np.split(steps, np.cumsum([len(part) for part in ends[:-1]]))
        return cls(codes[first], limit, tuple(map(Spans, parts[::2], parts[1::2])))

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def keys(self) -> Ints:
        return self.codes // self.limit

    @property
    def places(self) -> Ints:
        return self.codes % self.limit

    def at(self, rows: Keyed) -> Spans:
        """The steps at which other rows come and go, at places where one of the given rows does."""
        keys, spans = rows
        base = keys * self.limit
        first = np.searchsorted(self.codes, base + spans.first)
        return Spans(first, np.searchsorted(self.codes, base + spans.after))

    def totals(self, rows: Spans, weights: Ints | None = None) -> Ints:
        """At each step the number of rows that are there, or the sum of their weights."""
        size = len(self) + 1
        if weights is None:
            changes = np.bincount(rows.first, minlength=size)
            changes -= np.bincount(rows.after, minlength=size)
        else:
            changes = np.zeros(size, np.int64)
            np.add.at(changes, rows.first, weights)
            np.subtract.at(changes, rows.after, weights)
        return np.cumsum(changes)[: len(self)]

    def spans(self, chosen: Mask) -> tuple[Ints, Spans]:
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
