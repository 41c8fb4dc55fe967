"""A group of shards with the same queries, and which rows come to each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pyarrow as pa

from horae.data.columns import Array, Ints
from horae.data.key_homes import hash_column
from horae.data.row_layout import RowLayout, are_of
from horae.languages.cql.kernel.columns import sorting, validity
from horae.languages.cql.kernel.compare import doubles_as_ints
from horae.languages.cql.plan.algebra import Algebra
from horae.languages.cql.plan.placement import StreamPivots
from horae.languages.cql.plan.spread import Spreading


@dataclass(frozen=True)
class Part:
    """`plan` has the queries that these shards evaluate; `pivots` the streams that they read."""

    plan: Algebra
    pivots: StreamPivots
    shards: int

    def route(self, rows: pa.Table, layout: RowLayout) -> Iterator[tuple[int, pa.Table]]:
        homes = self._homes(rows, layout)
        order = sorting(homes + 1)
        ordered = rows.take(order)
        ends = np.searchsorted(homes[order], np.arange(self.shards + 1))
        for shard, (begin, end) in enumerate(pairwise(ends.tolist())):
            if begin < end:
                yield shard, ordered.slice(begin, end - begin)

    def _homes(self, rows: pa.Table, layout: RowLayout) -> Ints:
        """-1 for rows that these shards do not read."""
        found = np.full(rows.num_rows, -1)
        for item in layout.streams:
            if item.name in self.pivots:
                own = are_of(rows, (item.name,))
                key = layout.columns(item)[self.pivots[item.name]]
                keys = rows.column(key).filter(pa.array(own)).combine_chunks()
                found[own] = homes_of_rows(keys, self.shards)
        return found


def parts_of(plan: Algebra, spreading: Spreading, shards: int) -> Iterator[Part]:
    for found in spreading.shards:
        yield Part(replace(plan, queries=found.queries), found.pivots, shards)


def homes_of_rows(column: Array, shards: int) -> Ints:
    """The number of each row's shard: equal values have the same one, as CQL compares them.

    An int and a double are equal if they are the same number, so whole doubles are hashed as ints. Null
    is a value of its own: rows without a value are together.
    """
    return np.where(validity(column), _hashes(column), 0) % shards


def _hashes(column: Array) -> Ints:
    if not pa.types.is_floating(column.type):
        return hash_column(column)
    whole = doubles_as_ints(column)
    return np.where(validity(whole), hash_column(whole), hash_column(column))
