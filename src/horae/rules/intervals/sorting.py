"""The order of rows by their tuples, then by where their intervals begin.

Codes are small numbers and rows mostly come by time already: so many rows are sorted digit by digit,
which takes one pass for a column of a few thousand constants and none for sorted beginnings.
"""

from __future__ import annotations

import numpy as np

from horae.data.cuts import Cuts, Rows
from horae.engine.compiled import compiled
from horae.rules.intervals.wide import cut_ranks, is_wide

_FEW = 1024
"""Up to so many rows a comparison sort is faster."""

_DIGIT = 13
"""Bits that one pass sorts by; their counters fit into a processor's first cache."""


def sort_order(arguments: Rows, lo: Cuts) -> Rows:
    """The numbers of the rows, in order; equal rows keep theirs."""
    if is_wide(lo):
        _, (lo,) = cut_ranks(lo)
    columns = [arguments[:, i] for i in range(arguments.shape[1])]
    if not (lo[1:] >= lo[:-1]).all():
        columns.append(lo)
    if len(lo) <= _FEW:
        return np.lexsort(columns[::-1]) if columns else np.arange(len(lo))
    order = np.arange(len(lo))
    for column in reversed(columns):
        order = _sorted_by(column, order)
    return order


def _sorted_by(column: Rows, order: Rows) -> Rows:
    """Rows that are in some order, by a column; the order decides between equal ones."""
    least = int(column.min())
    for shift in range(0, (int(column.max()) - least).bit_length(), _DIGIT):
        order = _sorted_by_digit(column, order, least, shift)
    return order


@compiled
def _sorted_by_digit(column: Rows, order: Rows, least: int, shift: int) -> Rows:
    """A difference beyond 63 bits wraps around; its digits are right all the same."""
    mask = 2**_DIGIT - 1
    ends = np.zeros(mask + 2, np.int64)
    for value in column:
        ends[(((value - least) >> shift) & mask) + 1] += 1
    for digit in range(mask + 1):
        ends[digit + 1] += ends[digit]
    following = np.empty_like(order)
    for row in order:
        digit = ((column[row] - least) >> shift) & mask
        following[ends[digit]] = row
        ends[digit] += 1
    return following
