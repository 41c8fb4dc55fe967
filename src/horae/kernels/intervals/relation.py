"""Interval relations: tuples of integers, each with the intervals in which it holds.

Rows are sorted by their arguments, then by time, and *coalesced*: the intervals of one tuple
neither overlap nor touch. So equality of relations is equality of arrays, and a tuple's intervals
are a slice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from horae.kernels.compiled import compiled
from horae.kernels.intervals.cuts import Cuts

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Relation:
    """`arguments` has a row per interval and a column per argument."""

    arguments: Rows
    lo: Cuts
    hi: Cuts

    def __len__(self) -> int:
        return len(self.lo)

    @property
    def width(self) -> int:
        return int(self.arguments.shape[1])

    def take(self, rows: Rows | npt.NDArray[np.bool_]) -> Relation:
        """Some of the rows, in order: still a relation."""
        return Relation(self.arguments[rows], self.lo[rows], self.hi[rows])


def empty(width: int) -> Relation:
    nothing = np.empty(0, np.int64)
    return Relation(np.empty((0, width), np.int64), nothing, nothing)


def relation(arguments: Rows, lo: Cuts, hi: Cuts) -> Relation:
    """Any rows, with overlaps and empty intervals, as a relation."""
    filled = lo < hi
    if not filled.all():
        arguments, lo, hi = arguments[filled], lo[filled], hi[filled]
    if len(lo) == 0:
        return empty(arguments.shape[1])
    order = sort_order(arguments, lo)
    return _coalesced(Relation(arguments[order], lo[order], hi[order]), 0)


def sort_order(arguments: Rows, lo: Cuts) -> Rows:
    columns = [lo, *(arguments[:, i] for i in reversed(range(arguments.shape[1])))]
    return np.lexsort(columns)


def union(left: Relation, right: Relation) -> Relation:
    """Both together; a merge, since both are sorted."""
    if len(left) == 0:
        return right
    if len(right) == 0:
        return left
    take, lo, hi = _merged(left.arguments, left.lo, left.hi, right.arguments, right.lo, right.hi)
    both = np.concatenate([left.arguments, right.arguments])
    return Relation(both[take], lo, hi)


@compiled
def _before(a: Rows, i: int, b: Rows, j: int) -> int:
    """The order of two tuples: -1, 0 or 1."""
    for k in range(a.shape[1]):
        if a[i, k] != b[j, k]:
            return -1 if a[i, k] < b[j, k] else 1
    return 0


@compiled
def _merged(
    left: Rows, left_lo: Cuts, left_hi: Cuts, right: Rows, right_lo: Cuts, right_hi: Cuts
) -> tuple[Rows, Cuts, Cuts]:
    """Rows of the concatenation, with coalesced intervals."""
    n, m = len(left_lo), len(right_lo)
    take = np.empty(n + m, np.int64)
    lo = np.empty(n + m, np.int64)
    hi = np.empty(n + m, np.int64)
    count = 0
    i = j = 0
    while i < n or j < m:
        order = -1
        if i == n:
            order = 1
        elif j < m:
            order = _before(left, i, right, j)
            if order == 0:
                order = -1 if left_lo[i] <= right_lo[j] else 1
        if order < 0:
            row, low, high = i, left_lo[i], left_hi[i]
            i += 1
        else:
            row, low, high = n + j, right_lo[j], right_hi[j]
            j += 1
        joins = count > 0 and low <= hi[count - 1]
        if joins:
            last = take[count - 1]
            if row < n:
                joins = (
                    _before(left, last, left, row)
                    if last < n
                    else _before(right, last - n, left, row)
                ) == 0
            else:
                joins = (
                    _before(left, last, right, row - n)
                    if last < n
                    else _before(right, last - n, right, row - n)
                ) == 0
        if joins:
            hi[count - 1] = max(hi[count - 1], high)
        else:
            take[count] = row
            lo[count] = low
            hi[count] = high
            count += 1
    return take[:count], lo[:count], hi[:count]


def count_tuples(r: Relation) -> int:
    """Different tuples, whatever their intervals."""
    return len(r) and 1 + int((r.arguments[1:] != r.arguments[:-1]).any(axis=1).sum())


def bridge(r: Relation, gap: int) -> Relation:
    """Merge intervals of a tuple whose ends lie less than `gap` apart (in doubled ticks)."""
    return _coalesced(r, gap)


def clip(r: Relation, lo: int, hi: int) -> Relation:
    """What lies within [lo, hi) on cuts."""
    low, high = np.maximum(r.lo, lo), np.minimum(r.hi, hi)
    kept = low < high
    return Relation(r.arguments[kept], low[kept], high[kept])


def _coalesced(r: Relation, gap: int) -> Relation:
    first, high = _runs(r.arguments, r.lo, r.hi, gap)
    return Relation(r.arguments[first], r.lo[first], high)


@compiled
def _runs(arguments: Rows, lo: Cuts, hi: Cuts, gap: int) -> tuple[Rows, Cuts]:
    """The first row of each run of touching intervals, and the end of the run."""
    n = len(lo)
    first = np.empty(n, np.int64)
    high = np.empty(n, np.int64)
    count = 0
    for i in range(n):
        joins = False
        if count > 0:
            end = high[count - 1]
            joins = lo[i] <= end or (gap > 0 and (lo[i] & ~1) - (end & ~1) < gap)
            joins = joins and _before(arguments, i, arguments, first[count - 1]) == 0
        if joins:
            if hi[i] > high[count - 1]:
                high[count - 1] = hi[i]
        else:
            first[count] = i
            high[count] = hi[i]
            count += 1
    return first[:count], high[:count]


def grown(old: Relation, new: Relation) -> tuple[Relation, Relation]:
    """The union of both, and those of its intervals, whole, that `old` does not have."""
    whole = union(old, new)
    if len(old) == 0:
        return whole, whole
    return whole, whole.take(
        _not_in(whole.arguments, whole.lo, whole.hi, old.arguments, old.lo, old.hi)
    )


@compiled
def _not_in(
    arguments: Rows, lo: Cuts, hi: Cuts, old_arguments: Rows, old_lo: Cuts, old_hi: Cuts
) -> npt.NDArray[np.bool_]:
    """A merge of two sorted relations: which rows of the first are no rows of the second."""
    n = len(lo)
    m = len(old_lo)
    fresh = np.ones(n, np.bool_)
    j = 0
    for i in range(n):
        while j < m:
            order = _before(old_arguments, j, arguments, i)
            if order == 0 and old_lo[j] != lo[i]:
                order = -1 if old_lo[j] < lo[i] else 1
            if order >= 0:
                if order == 0 and old_hi[j] == hi[i]:
                    fresh[i] = False
                break
            j += 1
    return fresh
