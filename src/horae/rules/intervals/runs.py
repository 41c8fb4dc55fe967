"""Sorted runs of intervals: what touches them, what overlaps them, and what they leave over.

The rows of a run are sorted by tuple and time; those of one tuple are disjoint, so each search is a
binary one.
"""

from __future__ import annotations

import numpy as np

from horae.data.columns import Mask
from horae.data.cuts import FUTURE, Cuts, Rows
from horae.engine.compiled import compiled
from horae.rules.intervals.merge import order_of


@compiled
def _first_touching(args: Rows, hi: Cuts, n: int, new: Rows, j: int, lo: int) -> int:
    """The first row that is not before tuple j, nor ends before `lo`."""
    first, last = 0, n
    while first < last:
        middle = (first + last) // 2
        order = order_of(args, middle, new, j)
        if order < 0 or (order == 0 and hi[middle] < lo):
            first = middle + 1
        else:
            last = middle
    return first


@compiled
def absorb(
    args: Rows, lo: Cuts, hi: Cuts, dead: Mask, new: Rows, new_lo: Cuts, new_hi: Cuts, known: Mask
) -> int:
    """Widen new rows by the old ones that they touch, which die; mark those that are known."""
    n, killed = len(lo), 0
    for j in range(len(new_lo)):
        low, high = new_lo[j], new_hi[j]
        i = _first_touching(args, hi, n, new, j, low)
        while not known[j] and i < n and lo[i] <= high and order_of(args, i, new, j) == 0:
            if not dead[i]:
                if lo[i] <= low and high <= hi[i]:
                    known[j] = True
                else:
                    dead[i] = True
                    killed += 1
                    new_lo[j] = min(new_lo[j], lo[i])
                    new_hi[j] = max(new_hi[j], hi[i])
            i += 1
    return killed


@compiled
def _first_with_key(index_keys: Rows, keys: Rows, i: int, near: int) -> int:
    """The first row whose key is not before key i; `near` is that of the key before.

    Keys that ascend, as those of a relation do, are found not far from each other.
    """
    first, last = 0, len(index_keys)
    if i > 0 and order_of(keys, i - 1, keys, i) <= 0:
        first, step = near, 1
        while first + step <= last and order_of(index_keys, first + step - 1, keys, i) < 0:
            first += step
            step *= 2
        last = min(last, first + step - 1)
    while first < last:
        middle = (first + last) // 2
        if order_of(index_keys, middle, keys, i) < 0:
            first = middle + 1
        else:
            last = middle
    return first


@compiled
def overlaps(
    keys: Rows,
    left_lo: Cuts,
    left_hi: Cuts,
    lo: Cuts,
    hi: Cuts,
    index_keys: Rows,
    rows: Rows,
    after: Rows,
    dead: Mask,
    widened: bool,
    most: int,
) -> tuple[Rows, Rows]:
    """The pairs; one more than `most` where there are more."""
    m = len(rows)
    room = max(16, 2 * len(left_lo))
    found = np.empty((2, room), np.int64)
    count = first = 0
    for i in range(len(left_lo)):
        first = at = _first_with_key(index_keys, keys, i, first)
        while at < m and order_of(index_keys, at, keys, i) == 0:
            end = after[at]
            low, high = at, end
            while low < high:  # the first interval of this tuple that ends after ours begins
                middle = (low + high) // 2
                if _right(hi[rows[middle]], widened) > left_lo[i]:
                    high = middle
                else:
                    low = middle + 1
            while low < end and _left(lo[rows[low]], widened) < left_hi[i]:
                if not dead[rows[low]]:
                    if count > most:
                        return found[0, :count], found[1, :count]
                    if count == room:
                        room *= 2
                        more = np.empty((2, room), np.int64)
                        more[:, :count] = found
                        found = more
                    found[0, count] = i
                    found[1, count] = rows[low]
                    count += 1
                low += 1
            at = end
    return found[0, :count], found[1, :count]


@compiled
def remains(
    keys: Rows, index_keys: Rows, after: Rows, left_lo: Cuts, left_hi: Cuts, lo: Cuts, hi: Cuts
) -> tuple[Rows, Cuts, Cuts]:
    n, m = len(left_lo), len(lo)
    room = max(16, 2 * n)
    found = np.empty((3, room), np.int64)
    count = first = 0
    for i in range(n):
        first = at = _first_with_key(index_keys, keys, i, first)
        last = m if at == m or order_of(index_keys, at, keys, i) else after[at]
        while at < last:  # the first interval of the tuple that ends after ours begins
            middle = (at + last) // 2
            if hi[middle] <= left_lo[i]:
                at = middle + 1
            else:
                last = middle
        start = left_lo[i]
        while start < left_hi[i]:
            meets = at < m and lo[at] < left_hi[i] and order_of(index_keys, at, keys, i) == 0
            end = lo[at] if meets else left_hi[i]
            if start < end:
                if count == room:
                    room *= 2
                    more = np.empty((3, room), np.int64)
                    more[:, :count] = found
                    found = more
                found[0, count], found[1, count], found[2, count] = i, start, end
                count += 1
            if not meets:
                break
            start = hi[at]
            at += 1
    return found[0, :count], found[1, :count], found[2, :count]


@compiled
def _left(lo: int, widened: bool) -> int:
    return lo & ~1 if widened else lo


@compiled
def _right(hi: int, widened: bool) -> int:
    return hi | 1 if widened and hi != FUTURE else hi
