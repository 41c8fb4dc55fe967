"""Interval relations: tuples of integers, each with the intervals in which it holds.

Rows are sorted by their arguments, then by time, and *coalesced*: the intervals of one tuple
neither overlap nor touch. So equality of relations is equality of arrays, and a tuple's intervals
are a slice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from horae.data.cuts import Cuts, Rows
from horae.engine.compiled import compiled
from horae.rules.intervals.merge import Merged, merge, order_of
from horae.rules.intervals.sorting import sort_order
from horae.rules.intervals.wide import cut_ranks, is_wide


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
        places = np.flatnonzero(rows) if rows.dtype == bool else rows
        return Relation(self.arguments.take(places, axis=0), self.lo[places], self.hi[places])


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
    if is_wide(lo) or not _are_sorted(arguments, lo):
        order = sort_order(arguments, lo)
        arguments, lo, hi = arguments.take(order, axis=0), lo[order], hi[order]
    return _coalesced(Relation(arguments, lo, hi), 0)


def union(left: Relation, right: Relation) -> Relation:
    """The union of two relations; a merge, since both are sorted."""
    if len(left) == 0:
        return right
    if len(right) == 0:
        return left
    arguments, lo, hi, _ = _merge(left, right)
    return Relation(arguments, lo, hi)


def grown(old: Relation, new: Relation) -> tuple[Relation, Relation]:
    """The union of both, and those of its intervals, whole, that `old` does not have."""
    if len(old) == 0 or len(new) == 0:
        return union(old, new), new
    arguments, lo, hi, fresh = _merge(old, new)
    if not fresh.any():
        return old, empty(old.width)
    whole = Relation(arguments, lo, hi)
    return whole, whole.take(fresh)


def _merge(left: Relation, right: Relation) -> Merged:
    if not is_wide(left.lo, right.lo):
        return merge(left.arguments, left.lo, left.hi, right.arguments, right.lo, right.hi)
    cuts, (a, b, c, d) = cut_ranks(left.lo, left.hi, right.lo, right.hi)
    arguments, lo, hi, fresh = merge(left.arguments, a, b, right.arguments, c, d)
    return arguments, cuts[lo], cuts[hi], fresh


def count_tuples(r: Relation) -> int:
    """Different tuples, whatever their intervals."""
    return len(r) and 1 + int((r.arguments[1:] != r.arguments[:-1]).any(axis=1).sum())


def bridge(r: Relation, gap: int) -> Relation:
    """Merge intervals of a tuple whose ends lie less than `gap` apart (in doubled ticks)."""
    return _coalesced(r, gap)


def clip(r: Relation, lo: int, hi: int) -> Relation:
    """The parts of intervals that lie within [lo, hi) on cuts."""
    if len(r) == 0 or (lo <= r.lo.min() and r.hi.max() <= hi):
        return r
    low, high = np.maximum(r.lo, lo), np.minimum(r.hi, hi)
    kept = low < high
    return Relation(r.arguments[kept], low[kept], high[kept])


def _coalesced(r: Relation, gap: int) -> Relation:
    if not is_wide(r.lo):
        first, high = _runs(r.arguments, r.lo, r.hi, gap)
        high = high if len(high) == len(r) else high.copy()  # else all of the array stays
        return Relation(r.arguments.take(first, axis=0), r.lo[first], high)
    assert gap == 0, "ranks do not tell distances"
    cuts, (lo, hi) = cut_ranks(r.lo, r.hi)
    first, high = _runs(r.arguments, lo, hi, gap)
    return Relation(r.arguments[first], r.lo[first], cuts[high])


@compiled
def _are_sorted(arguments: Rows, lo: Cuts) -> bool:
    """As they are where they come from another relation."""
    for i in range(1, len(lo)):
        order = order_of(arguments, i - 1, arguments, i)
        if order > 0 or (order == 0 and lo[i - 1] > lo[i]):
            return False
    return True


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
            joins = joins and order_of(arguments, i, arguments, first[count - 1]) == 0
        if joins:
            if hi[i] > high[count - 1]:
                high[count - 1] = hi[i]
        else:
            first[count] = i
            high[count] = hi[i]
            count += 1
    return first[:count], high[:count]
