"""ORDER BY and LIMIT: the place of each row among the rows of its context."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from horae.data.columns import Array, Ints
from horae.languages.cql.kernel.columns import array_ranks, codes, whole_column
from horae.languages.cql.kernel.spans import Spans, spanned, spans_of
from horae.languages.cql.plan.algebra import TAU, Limit, OrderKey
from horae.languages.cql.plan.expressions import Ref


def limit_rows(node: Limit, rows: pa.Table) -> pa.Table:
    keys = [whole_column(rows, key.name) for key in node.keys if key != TAU]
    context = codes(keys, rows.num_rows)
    ordered = np.lexsort((*_by(rows, node.order), context))
    spans = spans_of(rows)
    found = [
        (int(own[row]), begin, end)
        for own in np.split(ordered, np.flatnonzero(np.diff(context[ordered])) + 1)
        for row, begin, end in _first_ones(spans.take(own), node.count)
    ]
    chosen = np.array(found, np.int64).reshape(-1, 3)
    return spanned(rows.take(chosen[:, 0]), Spans(chosen[:, 1], chosen[:, 2]))


def _first_ones(spans: Spans, count: int) -> Iterator[tuple[int, int, int]]:
    """Which rows are among the first `count` of those that are there: row, from, until.

    One row comes or goes at a time, and takes or leaves its place to one other at most.
    """
    there: list[int] = []
    since: dict[int, int] = {}
    for place, row, comes in _events(spans):
        at = bisect_left(there, row)
        if comes:
            there.insert(at, row)
        else:
            del there[at]
        if at >= count:
            continue
        other = _other(there, count, comes)
        entering, leaving = (row, other) if comes else (other, row)
        if entering is not None:
            since[entering] = place
        if leaving is not None and since[leaving] < place:
            yield leaving, since[leaving], place


def _other(there: Sequence[int], count: int, comes: bool) -> int | None:
    """The row that is pushed out of the first ones, or the one that follows into them."""
    place = count if comes else count - 1
    return there[place] if place < len(there) else None


def _events(spans: Spans) -> Iterator[tuple[int, int, bool]]:
    """Rows that come and go, by place."""
    size = len(spans.first)
    places = np.concatenate([spans.after, spans.first])
    for event in np.argsort(places, kind="stable").tolist():
        yield int(places[event]), event % size, event >= size


def places(rows: pa.Table, keys: Sequence[Ref], order: Sequence[OrderKey]) -> Ints:
    """The place of each row in the order, from 0, among those with the same keys."""
    context = codes([whole_column(rows, key.name) for key in keys], rows.num_rows)
    return occurrence(context, np.lexsort((*_by(rows, order), context)))


def _by(rows: pa.Table, order: Sequence[OrderKey]) -> list[Ints]:
    """Last key first, as they are sorted by."""
    return [_rank(whole_column(rows, key.column.name), key.descending) for key in reversed(order)]


def _rank(array: Array, descending: bool) -> Ints:
    found = array_ranks(array)
    return -found if descending else found


def occurrence(groups: Ints, sorted_rows: Ints) -> Ints:
    """How many rows of the same group stand before each row; `sorted_rows` has groups together."""
    ordered = groups[sorted_rows]
    begins = np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - 1))
    sizes = np.diff(begins, append=len(ordered))
    result = np.empty(len(groups), np.int64)
    result[sorted_rows] = np.arange(len(ordered)) - np.repeat(begins, sizes)
    return result
