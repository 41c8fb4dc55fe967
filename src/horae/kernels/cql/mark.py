"""EXISTS and IN as a column: does a row agree? True, false, or null where only a null decides."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from horae.kernels.cql.columns import Bools, Ints, codes, column, masked, taken, validity
from horae.kernels.cql.compare import comparable
from horae.kernels.cql.matching import Pair, keys_of, matches
from horae.plan.cql.algebra import Mark


def mark(node: Mark, rows: pa.Table, query: pa.Table) -> pa.Table:
    keys = keys_of(rows, query, node.keys, node.values)
    found = np.isin(keys.left, keys.right[keys.right_open]) & keys.left_open
    known = np.ones(rows.num_rows, bool)
    if node.result.nullable:
        known = found | ~_perhaps(node, rows, query)
    return rows.append_column(node.result.name, masked(found, known))


def _perhaps(node: Mark, rows: pa.Table, query: pa.Table) -> Bools:
    """Some row of the query disagrees in no pair."""
    mine, other = matches(keys_of(rows, query, node.keys, ()))
    possible = np.ones(len(mine), bool)
    for pair in node.values:
        possible &= _may_agree(pair, rows, query, mine, other)
    result = np.zeros(rows.num_rows, bool)
    result[mine[possible]] = True
    return result


def _may_agree(pair: Pair, rows: pa.Table, query: pa.Table, mine: Ints, other: Ints) -> Bools:
    left = taken(column(rows, pair[0].name), mine)
    right = taken(column(query, pair[1].name), other)
    a, b = comparable(left, right)
    both = codes([pa.concat_arrays([a, b])], 2 * len(a))
    equal: Bools = (both[: len(a)] == both[len(a) :]) & validity(a) & validity(b)
    return equal | ~validity(left) | ~validity(right)
