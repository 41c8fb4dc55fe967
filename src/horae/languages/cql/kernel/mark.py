"""EXISTS and IN as a column: does a row agree? True, false, or null where only a null decides.

A row for which that changes while it is there becomes several rows, one after the other.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from horae.data.columns import Ints, Mask
from horae.languages.cql.kernel.columns import codes, masked, taken, validity, whole_column
from horae.languages.cql.kernel.compare import comparable
from horae.languages.cql.kernel.join import overlapping
from horae.languages.cql.kernel.matching import Keys, Pair, keys_of
from horae.languages.cql.kernel.spans import row_codes, spanned, spans_of, united
from horae.languages.cql.kernel.steps import Keyed, Steps
from horae.languages.cql.plan.algebra import TAU, SubqueryMark


def mark(node: SubqueryMark, rows: pa.Table, query: pa.Table) -> pa.Table:
    """Equal rows of the query count once."""
    own: Keyed = (np.arange(rows.num_rows), spans_of(rows))
    found = _agreeing(node, rows, query)
    perhaps = _perhaps(node, rows, query) if node.result.nullable else found
    steps = Steps.of([own, found, perhaps])
    own_count, agreeing, undecided = map(steps.totals, steps.rows)
    which, spans = steps.spans(own_count > 0)
    truth = (agreeing > 0)[which]
    known = truth | (undecided == 0)[which]
    marked = spanned(rows.take(steps.keys[which]), spans)
    return marked.append_column(node.result.name, masked(truth, known))


def _agreeing(node: SubqueryMark, rows: pa.Table, query: pa.Table) -> Keyed:
    """Rows with the times at which some row of the query agrees with them."""
    shared = [ref for ref in node.keys if ref != TAU]
    keys = keys_of(rows, query, shared, node.values)
    few, spans = united(keys.right, spans_of(query))
    found = overlapping(_chosen(keys, few), rows, spanned(query.take(few), spans))
    return found.left, found.spans


def _chosen(keys: Keys, rows: Ints) -> Keys:
    return Keys(keys.left, keys.right[rows], keys.left_open, keys.right_open[rows])


def _perhaps(node: SubqueryMark, rows: pa.Table, query: pa.Table) -> Keyed:
    """Rows with the times at which some row of the query disagrees in no pair."""
    shared = [ref for ref in node.keys if ref != TAU]
    few, spans = united(row_codes(query), spans_of(query))
    others = spanned(query.take(few), spans)
    found = overlapping(keys_of(rows, others, shared, ()), rows, others)
    possible = np.ones(len(found.left), bool)
    for pair in node.values:
        possible &= _may_agree(pair, rows, others, found.left, found.right)
    mine, spans = united(found.left[possible], found.spans.take(possible))
    return found.left[possible][mine], spans


def _may_agree(pair: Pair, rows: pa.Table, query: pa.Table, mine: Ints, other: Ints) -> Mask:
    left = taken(whole_column(rows, pair[0].name), mine)
    right = taken(whole_column(query, pair[1].name), other)
    a, b = comparable(left, right)
    both = codes([pa.concat_arrays([a, b])], 2 * len(a))
    equal: Mask = (both[: len(a)] == both[len(a) :]) & validity(a) & validity(b)
    return equal | ~validity(left) | ~validity(right)
