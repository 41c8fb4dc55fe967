"""The rows of each shard, by the routes of a plan: what Spark's shuffle does in batch.

In a stream every shard must also know at which time points the whole stream has input. The beginnings of
facts it is told; a fact that goes on for several time points comes to all shards as a *mark* too, a
row about no predicate.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.fact_columns import ARGS, PREDICATE, by_predicate
from horae.data.key_homes import homes
from horae.languages.lars.kernel.encode_rows import time_spans
from horae.languages.lars.plan.routes import Route, RoutedProgram

MARK = ""  # the predicate of marks

Shards = npt.NDArray[np.bool_]
"""A row per row, a column per shard: whether it goes there."""


def route_rows(
    rows: pa.Table, plan: RoutedProgram, background: frozenset[str], count: int
) -> Iterator[tuple[int, pa.Table]]:
    """Facts that no rule reads go to the first shard: there they are known if they are late."""
    if not plan.is_spread or count == 1:
        yield 0, rows
        return
    routes = {route.predicate: route for route in plan.routes}
    for name, own in by_predicate(rows):
        route = routes.get(name)
        goes = _first(own, count) if route is None else _shards(own, route, background, count)
        for shard in range(count):
            yield shard, own.filter(pa.array(goes[:, shard]))


def marks(rows: pa.Table) -> pa.Table:
    """Facts with several time points, as rows that say nothing but these."""
    first, last = time_spans(rows)
    longer = rows.filter(pa.array(first < last))
    nothing = pa.array([[]] * len(longer), pa.list_(pa.string()))
    marked = longer.set_column(0, PREDICATE, pa.repeat(pa.scalar(MARK), len(longer)))
    return marked.set_column(1, ARGS, nothing).cast(rows.schema)


def _first(rows: pa.Table, count: int) -> Shards:
    return np.tile(np.arange(count) == 0, (len(rows), 1))


def _shards(rows: pa.Table, route: Route, background: frozenset[str], count: int) -> Shards:
    if route.place is None or route.unless & background:
        return np.ones((len(rows), count), bool)
    keys = pc.list_element(rows.column(ARGS).combine_chunks(), route.place)
    return np.equal.outer(homes(keys, count), np.arange(count))
