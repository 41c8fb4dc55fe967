"""DISTINCT and the set operations, by counting how often each row is on each side."""

from __future__ import annotations

from typing import assert_never

import numpy as np
import pyarrow as pa

from horae.kernels.cql.columns import Ints, codes, column
from horae.languages.cql.tree import SetOperator
from horae.plan.cql.algebra import SetOperation


def distinct(table: pa.Table) -> pa.Table:
    _, first = np.unique(row_codes(table), return_index=True)
    return table.take(np.sort(first))


def row_codes(table: pa.Table) -> Ints:
    return codes([column(table, name) for name in table.column_names], table.num_rows)


def combine(node: SetOperation, left: pa.Table, right: pa.Table) -> pa.Table:
    both = pa.concat_tables([left, right.select(left.column_names)])
    if node.operator is SetOperator.UNION:
        return both if node.all else distinct(both)
    _, first, groups = np.unique(row_codes(both), return_index=True, return_inverse=True)
    sizes = [np.bincount(side, minlength=len(first)) for side in np.split(groups, [left.num_rows])]
    return both.take(np.repeat(first, _multiplicity(node, *sizes)))


def _multiplicity(node: SetOperation, left: Ints, right: Ints) -> Ints:
    """How often a row is in the result, by how often it is on each side."""
    if not node.all:
        left, right = np.minimum(left, 1), np.minimum(right, 1)
    match node.operator:
        case SetOperator.UNION:
            result = left + right
        case SetOperator.EXCEPT:
            result = np.maximum(left - right, 0)
        case SetOperator.INTERSECT:
            result = np.minimum(left, right)
        case _:
            assert_never(node.operator)
    return result
