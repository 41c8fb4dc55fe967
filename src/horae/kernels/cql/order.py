"""ORDER BY and LIMIT: the place of each row among the rows of its context."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from horae.kernels.cql.columns import Array, Ints, codes, column, ranks
from horae.plan.cql.algebra import Limit, OrderKey
from horae.plan.cql.expressions import Ref


def limit(node: Limit, rows: pa.Table) -> pa.Table:
    return rows.filter(pa.array(places(rows, node.keys, node.order) < node.count))


def places(rows: pa.Table, keys: Sequence[Ref], order: Sequence[OrderKey]) -> Ints:
    """From 0, per value of the keys."""
    context = codes([column(rows, key.name) for key in keys], rows.num_rows)
    by = [_rank(column(rows, key.column.name), key.descending) for key in reversed(order)]
    return occurrence(context, np.lexsort((*by, context)))


def _rank(array: Array, descending: bool) -> Ints:
    found = ranks(array)
    return -found if descending else found


def occurrence(groups: Ints, sorted_rows: Ints) -> Ints:
    """How many rows of the same group stand before each row; `sorted_rows` has groups together."""
    ordered = groups[sorted_rows]
    begins = np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - 1))
    sizes = np.diff(begins, append=len(ordered))
    result = np.empty(len(groups), np.int64)
    result[sorted_rows] = np.arange(len(ordered)) - np.repeat(begins, sizes)
    return result
