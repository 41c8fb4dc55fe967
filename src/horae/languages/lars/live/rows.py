"""Facts as rows of a kernel program, and which shards they go to.

A row has the columns of a fact, and the time point at which it comes: a fact with an interval comes at
its beginning; its later time points wait for their time.

Every shard must also know at which time points the whole input has facts. The beginnings of facts it is
told; a fact that goes on for several time points comes to all shards as a *mark* too, a row about
no predicate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from horae.data import catalogue_facts as catalogue
from horae.data.cuts import Cuts
from horae.data.fact_columns import (
    ARGS,
    PREDICATE,
    SCHEMA,
    background_rows,
    ends_of_rows,
    rows_by_predicate,
    to_facts,
)
from horae.data.key_homes import homes_of_texts
from horae.languages.lars.kernel.facts import time_points_of, time_spans
from horae.languages.lars.plan.routes import Route, RoutedProgram
from horae.source.errors import InputError

TIME = "time"
ROWS = SCHEMA.append(pa.field(TIME, pa.int64()))

MARK = ""  # the predicate of marks


def to_rows(facts: pa.Table, derived: Collection[str]) -> pa.Table:
    """From the columns of `data.fact_columns`. An interval without a time point says nothing."""
    timeless = background_rows(facts)
    if len(timeless):
        raise _background(str(timeless.column(PREDICATE)[0]))
    for name in facts.column(PREDICATE).unique().to_pylist():
        if name in derived:
            raise catalogue.derived_in_stream(str(name))
    first, last = _time_spans(facts)
    rows = facts.append_column(TIME, pa.array(first, pa.int64()))
    some = first <= last
    return rows if some.all() else rows.filter(pa.array(some))


def _time_spans(rows: pa.Table) -> tuple[Cuts, Cuts]:
    """The first and the last time point of each row; an error if they are no natural numbers."""
    first, last, wrong = time_spans(ends_of_rows(rows, "low"), ends_of_rows(rows, "high"))
    if wrong.any():
        (batch,) = rows.slice(int(np.argmax(wrong)), 1).combine_chunks().to_batches()
        (fact,) = to_facts(batch)
        time_points_of(fact)
    return first, last


def _background(predicate: str) -> InputError:
    return catalogue.TIMELESS_IN_STREAM(
        predicate=predicate,
        remedy="give it a time, or give it as background data before the stream starts",
    )


# --- to the shards

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
    for name, own in rows_by_predicate(rows):
        route = routes.get(name)
        goes = _first(own, count) if route is None else _shards(own, route, background, count)
        for shard in range(count):
            yield shard, own.filter(pa.array(goes[:, shard]))


def marks(rows: pa.Table) -> pa.Table:
    """Facts with several time points, as rows that say nothing but these."""
    first, last = _time_spans(rows)
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
    return np.equal.outer(homes_of_texts(keys, count), np.arange(count))
