"""The rows of each shard, by the routes of a stage: what Spark's shuffle does in batch.

The shard of a key is a hash of its text (`data/key_homes.py`). Where answers are wanted at points, every
shard must know those of the whole stream. The beginnings of facts it is told; the end of a longer fact
comes as a *mark*, a row about no predicate.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.fact_columns import ARGS, PREDICATE, rows_by_predicate
from horae.data.key_homes import homes_of_texts
from horae.languages.datalogmtl.plan.stages import Route, RuleStage, Spread

MARK = ""  # the predicate of marks

_IS_POINT = (pc.field("low") == pc.field("high")) & (pc.field("low_unit") == pc.field("high_unit"))

ShardRows = Iterator[tuple[int, pa.Table]]


def route_rows(rows: pa.Table, stage: RuleStage, shards: int) -> ShardRows:
    """Each row to all its shards, under the name that the stage has for it."""
    for name, own in rows_by_predicate(rows):
        for route in stage.routes:
            if route.predicate == name:
                renamed = own if route.name == name else _renamed(own, route.name)
                yield from _by_route(renamed, route, shards)


def marks(rows: pa.Table) -> pa.Table:
    """Facts that end later than they begin, as rows that say only that."""
    longer = _renamed(rows.filter(~pc.is_null(pc.field("high")) & ~_IS_POINT), MARK)
    nothing = pa.array([[]] * len(longer), pa.list_(pa.string()))
    return longer.set_column(1, rows.schema.field(ARGS), nothing)


def _by_route(rows: pa.Table, route: Route, shards: int) -> ShardRows:
    if route.place is Spread.EVERYWHERE:
        yield from ((shard, rows) for shard in range(shards))
        return
    lists = rows.column(ARGS).combine_chunks()
    is_place = isinstance(route.place, int)
    keys = pc.list_element(lists, route.place) if is_place else pc.binary_join(lists, "\n")
    own = homes_of_texts(keys, shards)
    for shard in range(shards):
        yield shard, rows.filter(pa.array(own == shard))


def _renamed(rows: pa.Table, name: str) -> pa.Table:
    names: Any = pa.repeat(pa.scalar(name, pa.string()), len(rows))
    return rows.set_column(0, rows.schema.field(PREDICATE), names)
