"""Joins of interval relations: tuples that agree on a key, where their intervals overlap.

The right side is sorted by key, and within a key by tuple and time; the intervals of one tuple are
disjoint, so those that overlap a given interval are found by one binary search per tuple.
"""

from __future__ import annotations

import numpy as np

from horae.data.cuts import Cuts, Rows
from horae.engine.compiled import compiled
from horae.rules.intervals.relation import Relation
from horae.rules.intervals.wide import cut_ranks, is_wide

# From so many times more rows on the right on, those that cannot match are left out first.
_MANY = 8
_ROOM = 2**62  # a key is below

# A join that has more pairs than this does not fit into the memory of a small machine.
MOST_PAIRS = 2**24


class TooManyPairsError(Exception):
    """A join has more pairs of rows than its budget; whoever knows the rule or query names it."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(f"more than {most:,} pairs of rows")


def join_pairs(
    left: Relation, right: Relation, on: tuple[tuple[int, int], ...], most: int = MOST_PAIRS
) -> tuple[Rows, Rows]:
    """The pairs of rows (left, right) that agree on `on` and overlap in time.

    `on` pairs a column of the left side with one of the right side. Raises `TooManyPairsError` before
    more than `most` pairs take up memory.
    """
    if len(left) == 0 or len(right) == 0:
        nothing = np.empty(0, np.int64)
        return nothing, nothing
    if on and len(right) > _MANY * len(left):
        candidates = _mentioned(left, right, on[0])
        if candidates is not None:
            left_rows, places = _join(left, right.take(candidates), on, most)
            return left_rows, candidates[places]
    return _join(left, right, on, most)


def _mentioned(left: Relation, right: Relation, on: tuple[int, int]) -> Rows | None:
    """Rows of a large right side whose first key the small left side has: sorting few is cheaper.

    None where the codes are too scattered for a table.
    """
    keys = right.arguments[:, on[1]]
    least, largest = int(keys.min()), int(keys.max())
    if largest - least > 4 * len(right):
        return None
    wanted = np.zeros(largest - least + 1, bool)
    known = left.arguments[:, on[0]]
    wanted[known[(least <= known) & (known <= largest)] - least] = True
    return np.flatnonzero(wanted[keys - least])


def _join(
    left: Relation, right: Relation, on: tuple[tuple[int, int], ...], most: int
) -> tuple[Rows, Rows]:
    if len(right) == 0:
        nothing = np.empty(0, np.int64)
        return nothing, nothing
    left_key, right_key = _keys(left, right, on)
    order = np.argsort(right_key, kind="stable")  # within a key, tuples and times stay sorted
    groups = tuple_ends(right.arguments[order], right_key[order])
    columns = [left.lo, left.hi, right.lo[order], right.hi[order]]
    if is_wide(*columns):
        _, columns = cut_ranks(*columns)
    left_lo, left_hi, lo, hi = columns
    left_rows, right_places = _overlaps(
        left_key, left_lo, left_hi, right_key[order], groups, lo, hi, most
    )
    if len(left_rows) > most:
        raise TooManyPairsError(most)
    return left_rows, order[right_places]


def _keys(left: Relation, right: Relation, on: tuple[tuple[int, int], ...]) -> tuple[Rows, Rows]:
    """One integer per row; equal iff the rows agree on all key columns."""
    left_key = np.zeros(len(left), np.int64)
    right_key = np.zeros(len(right), np.int64)
    card = 1
    for a, b in on:
        x, y, base = _from_zero(left.arguments[:, a], right.arguments[:, b])
        if card > _ROOM // base:
            left_key, right_key, card = _dense(left_key, right_key)
        if card > _ROOM // base:
            x, y, base = _dense(x, y)
        left_key, right_key = left_key * base + x, right_key * base + y
        card *= base
    return left_key, right_key


def _from_zero(x: Rows, y: Rows) -> tuple[Rows, Rows, int]:
    """Two columns moved so that their least value is 0, and how many values there may be."""
    least = int(min(x.min(), y.min()))
    return x - least, y - least, int(max(x.max(), y.max())) - least + 1


def _dense(left_key: Rows, right_key: Rows) -> tuple[Rows, Rows, int]:
    """Number the values that occur, so that they and another column fit into one integer."""
    distinct, numbers = np.unique(np.concatenate([left_key, right_key]), return_inverse=True)
    return numbers[: len(left_key)], numbers[len(left_key) :], len(distinct)


@compiled
def tuple_ends(arguments: Rows, key: Rows) -> Rows:
    """For each row, where the rows of the next tuple begin."""
    n, width = arguments.shape
    after = np.empty(n, np.int64)
    end = n
    for i in range(n - 1, -1, -1):
        if i < n - 1:
            same = key[i] == key[i + 1]
            for k in range(width):
                if arguments[i, k] != arguments[i + 1, k]:
                    same = False
                    break
            if not same:
                end = i + 1
        after[i] = end
    return after


@compiled
def _overlaps(
    left_key: Rows,
    left_lo: Cuts,
    left_hi: Cuts,
    key: Rows,
    after: Rows,
    lo: Cuts,
    hi: Cuts,
    most: int,
) -> tuple[Rows, Rows]:
    """The pairs; one more than `most` where there are more."""
    n = len(left_key)
    starts = np.searchsorted(key, left_key, side="left")
    room = max(16, 2 * n)
    left_rows = np.empty(room, np.int64)
    right_rows = np.empty(room, np.int64)
    count = 0
    for i in range(n):
        at = starts[i]
        while at < len(key) and key[at] == left_key[i]:
            end = after[at]
            # the first interval of this tuple that ends after ours begins
            low, high = at, end
            while low < high:
                middle = (low + high) // 2
                if hi[middle] > left_lo[i]:
                    high = middle
                else:
                    low = middle + 1
            while low < end and lo[low] < left_hi[i]:
                if count > most:
                    return left_rows[:count], right_rows[:count]
                if count == room:
                    room *= 2
                    more = np.empty(room, np.int64)
                    more[:count] = left_rows
                    left_rows = more
                    more = np.empty(room, np.int64)
                    more[:count] = right_rows
                    right_rows = more
                left_rows[count] = i
                right_rows[count] = low
                count += 1
                low += 1
            at = end
    return left_rows[:count], right_rows[:count]


def subtract(
    left: Relation, right: Relation, on: tuple[tuple[int, int], ...]
) -> tuple[Rows, Cuts, Cuts]:
    """Rows of the left side with what is left of their intervals where no right tuple holds.

    `on` covers all columns of the right side, so one key is one tuple.
    """
    if len(left) == 0 or len(right) == 0:
        return np.arange(len(left)), left.lo, left.hi
    left_key, right_key = _keys(left, right, on)
    order = np.argsort(right_key, kind="stable")
    columns = [left.lo, left.hi, right.lo[order], right.hi[order]]
    if not is_wide(*columns):
        left_lo, left_hi, lo, hi = columns
        return _without(left_key, left_lo, left_hi, right_key[order], lo, hi)
    cuts, (left_lo, left_hi, lo, hi) = cut_ranks(*columns)
    rows, low, high = _without(left_key, left_lo, left_hi, right_key[order], lo, hi)
    return rows, cuts[low], cuts[high]


@compiled
def _without(
    left_key: Rows, left_lo: Cuts, left_hi: Cuts, key: Rows, lo: Cuts, hi: Cuts
) -> tuple[Rows, Cuts, Cuts]:
    n = len(left_key)
    starts = np.searchsorted(key, left_key, side="left")
    ends = np.searchsorted(key, left_key, side="right")
    room = n
    for i in range(n):
        room += ends[i] - starts[i]
    rows = np.empty(room, np.int64)
    low = np.empty(room, np.int64)
    high = np.empty(room, np.int64)
    count = 0
    for i in range(n):
        a, b = starts[i], ends[i]
        while a < b:  # the first interval that ends after ours begins
            middle = (a + b) // 2
            if hi[middle] > left_lo[i]:
                b = middle
            else:
                a = middle + 1
        start = left_lo[i]
        while a < ends[i] and lo[a] < left_hi[i]:
            if lo[a] > start:
                rows[count] = i
                low[count] = start
                high[count] = lo[a]
                count += 1
            start = max(start, hi[a])
            a += 1
        if start < left_hi[i]:
            rows[count] = i
            low[count] = start
            high[count] = left_hi[i]
            count += 1
    return rows[:count], low[:count], high[:count]
