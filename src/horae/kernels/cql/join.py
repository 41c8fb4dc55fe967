"""Rows of two tables that agree, side by side."""

from __future__ import annotations

import pyarrow as pa

from horae.kernels.cql.matching import keys_of, matches
from horae.plan.cql.algebra import Join


def join(node: Join, left: pa.Table, right: pa.Table) -> pa.Table:
    mine, other = matches(keys_of(left, right, node.shared, node.on))
    shared = {ref.name for ref in node.shared}
    added = right.select([name for name in right.column_names if name not in shared])
    joined, found = left.take(mine), added.take(other)
    for name in found.column_names:
        joined = joined.append_column(name, found.column(name))
    return joined
