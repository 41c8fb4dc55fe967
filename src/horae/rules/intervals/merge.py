"""Merging two interval relations: both are sorted, so rows are copied in blocks between the new ones.

Few rows are added to many in most rounds of a fixpoint: the places of the few are found by
searching, the many are copied without being looked at.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from horae.data.cuts import Cuts, Rows
from horae.engine.compiled import compiled

Merged = tuple[Rows, Cuts, Cuts, npt.NDArray[np.bool_]]


@compiled
def order_of(a: Rows, i: int, b: Rows, j: int) -> int:
    """The order of two tuples: -1, 0 or 1."""
    for k in range(a.shape[1]):
        if a[i, k] != b[j, k]:
            return -1 if a[i, k] < b[j, k] else 1
    return 0


@compiled
def _comes_first(a: Rows, lo: Cuts, i: int, b: Rows, low: Cuts, j: int) -> bool:
    """By tuple, then by where they begin; a tie goes to the first."""
    order = order_of(a, i, b, j)
    return order < 0 or (order == 0 and lo[i] <= low[j])


@compiled
def _end_of_block(a: Rows, lo: Cuts, i: int, b: Rows, low: Cuts, j: int) -> int:
    """The first row from i on that does not come before row j of the other side."""
    n = len(lo)
    step = 1
    while i + step <= n and _comes_first(a, lo, i + step - 1, b, low, j):
        step *= 2
    first, last = i + step // 2, min(i + step - 1, n)
    while first < last:
        middle = (first + last) // 2
        if _comes_first(a, lo, middle, b, low, j):
            first = middle + 1
        else:
            last = middle
    return first


@compiled
def merge(old: Rows, old_lo: Cuts, old_hi: Cuts, new: Rows, new_lo: Cuts, new_hi: Cuts) -> Merged:
    """The rows of both, coalesced, and which of them `old` does not have."""
    n, m = len(old_lo), len(new_lo)
    rows = np.empty((n + m, old.shape[1]), np.int64)
    lo = np.empty(n + m, np.int64)
    hi = np.empty(n + m, np.int64)
    fresh = np.zeros(n + m, np.bool_)
    count = i = j = 0
    while i < n or j < m:
        end = n if j == m else _end_of_block(old, old_lo, i, new, new_lo, j)
        while i < end:
            if count and old_lo[i] <= hi[count - 1] and order_of(old, i, rows, count - 1) == 0:
                hi[count - 1] = max(hi[count - 1], old_hi[i])
                i += 1
                continue
            size = end - i  # this row touches nothing before it, so neither do the next ones
            rows[count : count + size] = old[i:end]
            lo[count : count + size] = old_lo[i:end]
            hi[count : count + size] = old_hi[i:end]
            count += size
            i = end
        if j < m:
            if count and new_lo[j] <= hi[count - 1] and order_of(new, j, rows, count - 1) == 0:
                if new_hi[j] > hi[count - 1]:
                    hi[count - 1] = new_hi[j]
                    fresh[count - 1] = True
            else:
                rows[count] = new[j]
                lo[count] = new_lo[j]
                hi[count] = new_hi[j]
                fresh[count] = True
                count += 1
            j += 1
    return rows[:count], lo[:count], hi[:count], fresh[:count]
