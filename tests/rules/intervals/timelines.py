"""Intervals the slow way: the set of all cut cells they cover, on a short piece of the timeline.

A cell is a time point (even) or the gap after it (odd); the cut c begins the cell c. The first and the
last cell stand for all that lies before and after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from horae.data.cuts import FUTURE, PAST
from horae.rules.intervals.relation import Relation

FIRST, LAST = -41, 81
Cells = frozenset[int]
Tuples = dict[tuple[int, ...], Cells]
Row = tuple[tuple[int, ...], int, int]


def cells(lo: int, hi: int) -> Cells:
    return frozenset(range(max(lo, FIRST), min(hi, LAST + 1)))


def covered(rows: Iterable[Row]) -> Tuples:
    found: dict[tuple[int, ...], Cells] = {}
    for arguments, lo, hi in rows:
        if lo < hi:
            found[arguments] = found.get(arguments, frozenset()) | cells(lo, hi)
    return {arguments: seen for arguments, seen in found.items() if seen}


def runs(seen: Cells) -> Iterator[tuple[int, int]]:
    """Maximal intervals as cuts, the outermost cells being without end."""
    for lo in sorted(c for c in seen if c - 1 not in seen):
        hi = lo
        while hi in seen:
            hi += 1
        yield PAST if lo == FIRST else lo, FUTURE if hi == LAST + 1 else hi


def rows_of(tuples: Tuples) -> list[Row]:
    return [(arguments, *run) for arguments in sorted(tuples) for run in runs(tuples[arguments])]


def listed(r: Relation) -> list[Row]:
    pairs = zip(r.arguments.tolist(), r.lo.tolist(), r.hi.tolist(), strict=True)
    return [(tuple(arguments), lo, hi) for arguments, lo, hi in pairs]


def columns(rows: Sequence[Row], width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    arguments = np.array([row[0] for row in rows], np.int64).reshape(len(rows), width)
    lo, hi = (np.array([row[i] for row in rows], np.int64) for i in (1, 2))
    return arguments, lo, hi
