"""Which rows of two tables agree: the heart of joins, marks and set operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from horae.data.columns import Array, Ints, Mask
from horae.languages.cql.kernel.columns import codes, sorting, validity, whole_column
from horae.languages.cql.kernel.compare import comparable
from horae.languages.cql.kernel.room import check_room
from horae.languages.cql.plan.expressions import Ref

Pair = tuple[Ref, Ref]


@dataclass(frozen=True)
class Keys:
    """Codes of the rows of two tables; rows that are not `open` agree with none."""

    left: Ints
    right: Ints
    left_open: Mask
    right_open: Mask


def keys_of(left: pa.Table, right: pa.Table, shared: Sequence[Ref], pairs: Sequence[Pair]) -> Keys:
    """Null equals null in the shared columns, and nothing in the pairs."""
    left_open, right_open = np.ones(left.num_rows, bool), np.ones(right.num_rows, bool)
    columns = [_joined(whole_column(left, r.name), whole_column(right, r.name)) for r in shared]
    for mine, other in pairs:
        a, b = comparable(whole_column(left, mine.name), whole_column(right, other.name))
        left_open &= validity(a)
        right_open &= validity(b)
        columns.append(_joined(a, b))
    both = codes(columns, left.num_rows + right.num_rows)
    return Keys(both[: left.num_rows], both[left.num_rows :], left_open, right_open)


def _joined(left: Array, right: Array) -> Array:
    return pa.concat_arrays([left, right])


def matching_pairs(keys: Keys) -> tuple[Ints, Ints]:
    """All pairs of rows that agree, by the left row."""
    rows = np.flatnonzero(keys.right_open)
    rows = rows[sorting(keys.right[rows])]
    ordered = keys.right[rows]
    first = np.searchsorted(ordered, keys.left, "left")
    counts = np.searchsorted(ordered, keys.left, "right") - first
    counts = np.where(keys.left_open, counts, 0)
    check_room(int(counts.sum()))
    owners, places = spread(first, counts)
    return owners, rows[places]


def spread(first: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """`first`, `first` + 1, …, `counts` numbers per row, and the rows they belong to."""
    owners = np.repeat(np.arange(len(first)), counts)
    within = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
    return owners, first[owners] + within
