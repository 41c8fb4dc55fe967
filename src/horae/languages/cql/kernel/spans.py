"""Rows that stay: a row with the evaluation times at which it is there, as a span of their places.

A window holds a row at many evaluation times, one after the other. Tables have such a row once, with
the place of the first of these times, FIRST, and the place after the last, AFTER. So work is in
proportion to the changes of windows, not to what they hold at all times together. Relations hold
always: their tables have neither column.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from horae.data.columns import Array, Ints, Mask
from horae.languages.cql.kernel.columns import begins, classes, codes, sorting, whole_column
from horae.languages.cql.kernel.matching import spread
from horae.languages.cql.kernel.room import check_room
from horae.languages.cql.plan.algebra import TAU

FIRST, AFTER = "first", "after"


@dataclass(frozen=True)
class Spans:
    """The evaluation times of rows, each from a first place to before another; no span is empty."""

    first: Ints
    after: Ints

    def take(self, rows: Ints | Mask | slice) -> Spans:
        return Spans(self.first[rows], self.after[rows])

    @property
    def end(self) -> int:
        """No span reaches beyond it."""
        return int(self.after.max(initial=0))


def is_timed(table: pa.Table) -> bool:
    return FIRST in table.column_names


def spans_of(table: pa.Table) -> Spans:
    return Spans(_places(table, FIRST), _places(table, AFTER))


def _places(table: pa.Table, name: str) -> Ints:
    return whole_column(table, name).to_numpy(zero_copy_only=False).astype(np.int64)


def spanned(table: pa.Table, spans: Spans) -> pa.Table:
    """The rows with other spans."""
    ends = {FIRST: pa.array(spans.first, pa.int64()), AFTER: pa.array(spans.after, pa.int64())}
    return pa.table({**span_columns(without_spans(table)), **ends})


def without_spans(table: pa.Table) -> pa.Table:
    return table.drop_columns([FIRST, AFTER]) if is_timed(table) else table


def span_columns(table: pa.Table) -> dict[str, Any]:
    """The columns by name; a table without columns does not know how many rows it has."""
    return dict(zip(table.column_names, table.columns, strict=True))


def cut_spans(table: pa.Table, begin: int, end: int) -> pa.Table:
    """The rows that are there between two places."""
    spans = spans_of(table)
    first, after = np.maximum(spans.first, begin), np.minimum(spans.after, end)
    kept = first < after
    return spanned(table.filter(pa.array(kept)), Spans(first[kept], after[kept]))


def at_each_time(table: pa.Table, times: Ints) -> pa.Table:
    """One row for each evaluation time at which it is there, with the time as TAU."""
    spans = spans_of(table)
    owners, places = spread(spans.first, spans.after - spans.first)
    rows = without_spans(table).take(owners)
    return pa.table({TAU.name: pa.array(times[places], pa.int64()), **span_columns(rows)})


def sizes(table: pa.Table, count: int) -> Ints:
    """How many rows are there at each of the times."""
    spans = spans_of(table)
    change = np.bincount(spans.first, minlength=count + 1)
    change = change - np.bincount(spans.after, minlength=count + 1)
    return np.cumsum(change)[:count]


def row_codes(table: pa.Table) -> Ints:
    """Equal rows have equal codes, whatever their spans are."""
    columns: list[Array] = [whole_column(table, name) for name in without_spans(table).column_names]
    return codes(columns, table.num_rows)


# --- spans of equal keys


def united(keys: Ints, spans: Spans) -> tuple[Ints, Spans]:
    """Per key, spans that neither meet nor touch; and for each of them a row of that key."""
    order = sorting(spans.first)
    order = order[sorting(keys[order])]
    ordered, limit = spans.take(order), spans.end + 1
    base = np.cumsum(begins(keys[order])) * limit
    reach = np.maximum.accumulate(base + ordered.after) if len(base) else base
    is_new = np.ones(len(order), bool)
    is_new[1:] = (base + ordered.first)[1:] > reach[:-1]
    starts = np.flatnonzero(is_new)
    ends = np.append(starts[1:], len(order))[: len(starts)] - 1
    return order[starts], Spans(ordered.first[starts], (reach - base)[ends])


@dataclass(frozen=True)
class Overlaps:
    """Pairs of rows of two tables, and the times that both share."""

    left: Ints
    right: Ints
    spans: Spans


def overlapping_pairs(left_keys: Ints, left: Spans, right_keys: Ints, right: Spans) -> Overlaps:
    """All pairs with equal keys whose spans meet: the right one begins within the left one, or
    the left one begins within the right one, but later.
    """
    _, dense = classes(np.concatenate([left_keys, right_keys]))
    limit = max(left.end, right.end) + 1
    a, b = dense[: len(left_keys)] * limit, dense[len(left_keys) :] * limit
    mine_first, other_first = a + left.first, b + right.first
    mine_order, other_order = sorting(mine_first), sorting(other_first)
    inside = _Inside(mine_first, a + left.after, mine_order, other_first, other_order)
    around = _Inside(other_first + 1, b + right.after, other_order, mine_first, mine_order)
    check_room(inside.count + around.count)
    (mine, other), (others, mines) = inside.pairs, around.pairs
    pairs = np.concatenate([mine, mines]), np.concatenate([other, others])
    first = np.maximum(left.first[pairs[0]], right.first[pairs[1]])
    after = np.minimum(left.after[pairs[0]], right.after[pairs[1]])
    return Overlaps(*pairs, Spans(first, after))


@dataclass(frozen=True)
class _Inside:
    """For each row, the others that begin from `low` until before `high`.

    `order` sorts the rows by `low`, `others` their beginnings: numbers that are looked up in their order
    are found several times as fast.
    """

    low: Ints
    high: Ints
    order: Ints
    begins: Ints
    others: Ints

    @cached_property
    def _range(self) -> tuple[Ints, Ints]:
        """The place of the first one in order, and how many there are."""
        ordered = self.begins[self.others]
        first, after = np.empty((2, len(self.order)), np.int64)
        first[self.order] = np.searchsorted(ordered, self.low[self.order])
        after[self.order] = np.searchsorted(ordered, self.high[self.order])
        return first, np.maximum(after - first, 0)

    @property
    def count(self) -> int:
        return int(self._range[1].sum())

    @property
    def pairs(self) -> tuple[Ints, Ints]:
        """Rows, and those that begin within them."""
        owners, places = spread(*self._range)
        return owners, self.others[places]
