"""Joins: each row with those rows of the other side that agree with it, while both are there."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from horae.languages.cql.kernel.matching import Keys, keys_of, matching_pairs
from horae.languages.cql.kernel.spans import (
    Overlaps,
    is_timed,
    overlapping_pairs,
    span_columns,
    spanned,
    spans_of,
    without_spans,
)
from horae.languages.cql.plan.algebra import TAU, Join


def join(node: Join, left: pa.Table, right: pa.Table) -> pa.Table:
    shared = [ref for ref in node.shared if ref != TAU]
    keys = keys_of(left, right, shared, node.on)
    names = {ref.name for ref in shared}
    added = right.select([name for name in right.column_names if name not in names])
    if is_timed(left) and is_timed(right):
        found = overlapping(keys, left, right)
        rows = _beside(without_spans(left).take(found.left), without_spans(added).take(found.right))
        return spanned(rows, found.spans)
    mine, other = matching_pairs(keys)
    return _beside(left.take(mine), added.take(other))


def overlapping(keys: Keys, left: pa.Table, right: pa.Table) -> Overlaps:
    mine, other = np.flatnonzero(keys.left_open), np.flatnonzero(keys.right_open)
    found = overlapping_pairs(
        keys.left[mine], spans_of(left).take(mine), keys.right[other], spans_of(right).take(other)
    )
    return Overlaps(mine[found.left], other[found.right], found.spans)


def _beside(left: pa.Table, right: pa.Table) -> pa.Table:
    return pa.table({**span_columns(left), **span_columns(right)})
