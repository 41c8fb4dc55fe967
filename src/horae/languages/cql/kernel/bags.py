"""DISTINCT and the set operations, by counting how often each row is on each side."""

from __future__ import annotations

from typing import assert_never

import numpy as np
import pyarrow as pa

from horae.data.columns import Ints
from horae.languages.cql.kernel.columns import classes
from horae.languages.cql.kernel.spans import row_codes, spanned, spans_of, united
from horae.languages.cql.kernel.steps import Steps
from horae.languages.cql.plan.algebra import SetOperation
from horae.languages.cql.syntax.tree import SetOperator


def distinct(table: pa.Table) -> pa.Table:
    rows, spans = united(row_codes(table), spans_of(table))
    return spanned(table.take(rows), spans)


def combine(node: SetOperation, left: pa.Table, right: pa.Table) -> pa.Table:
    both = pa.concat_tables([left, right.select(left.column_names)])
    if node.operator is SetOperator.UNION:
        return both if node.all else distinct(both)
    first, groups = classes(row_codes(both))
    sides = [(groups[: left.num_rows], spans_of(left)), (groups[left.num_rows :], spans_of(right))]
    steps = Steps.of(sides)
    counts = _multiplicity(node, *map(steps.totals, steps.rows))
    keys, spans = steps.stacked(counts)
    return spanned(both.take(first[keys]), spans)


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
