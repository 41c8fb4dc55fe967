"""Which queries of a stream are spread over shards, and by which columns of its streams.

Queries whose pivots agree share their shards. A shard answers a query if no row of another shard has a
say in it. The rows of other spread queries are gathered in one place, which ranks them, compares them
with those before, and evaluates all other queries: `gather` is the plan of that place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from horae.data.schema import RegisteredInput
from horae.data.types import Type
from horae.languages.cql.plan.algebra import Algebra, Join, QueryPlan, Read, TableScan
from horae.languages.cql.plan.expressions import Ref
from horae.languages.cql.plan.placement import Obstacle, Placing, Spread, StreamPivots
from horae.languages.cql.plan.walk import nodes_of, table_scans
from horae.languages.cql.syntax.tree import StreamOperator

Rank = tuple[bool, bool, int]

_OF_QUERIES = (Read.ROWS_OF_QUERY, Read.ANSWERS_OF_QUERY)

_TRIES = 2000
"""Of so many choices of pivots, the first that works is taken."""


@dataclass(frozen=True)
class Shards:
    """Queries that are spread alike; `pivots` has all streams that they read."""

    pivots: StreamPivots
    queries: tuple[QueryPlan, ...]


@dataclass(frozen=True)
class Spreading:
    """`gathered`: why the rows of a spread query are gathered; `whole`: why a query is not spread."""

    shards: tuple[Shards, ...]
    gathered: Mapping[str, str]
    whole: Mapping[str, str]


def find_spreading(plan: Algebra) -> Spreading:
    shards: list[Shards] = []
    whole: dict[str, str] = {}
    for query in plan.queries:
        found = find_query_pivots(plan, query)
        if isinstance(found, Obstacle):
            whole[query.name] = found.why
        else:
            _add(shards, query, _best_first(plan, query, found))
    return Spreading(tuple(shards), _gathered_queries(plan, shards), whole)


def _best_first(
    plan: Algebra, query: QueryPlan, choices: tuple[StreamPivots, ...]
) -> tuple[StreamPivots, ...]:
    """Those with which shards answer the query come before the others."""
    return tuple(sorted(choices, key=lambda own: _why_gathered(plan, query, own) is not None))


def _gathered_queries(plan: Algebra, shards: Sequence[Shards]) -> dict[str, str]:
    found = {q.name: _why_gathered(plan, q, own.pivots) for own in shards for q in own.queries}
    return {name: why for name, why in found.items() if why is not None}


def _why_gathered(plan: Algebra, query: QueryPlan, pivots: StreamPivots) -> str | None:
    """None: its shards answer it."""
    if any(scan.name == query.name for scan in table_scans(plan) if scan.read in _OF_QUERIES):
        return "other queries read it"
    if len(query.order) > len(query.outputs):
        return "its rows are ordered among those of all shards"
    if query.stream is not StreamOperator.RSTREAM and not _keeps_equals(query, pivots):
        return "equal rows may be in several shards"
    return None


def _keeps_equals(query: QueryPlan, pivots: StreamPivots) -> bool:
    """Whether equal rows are in one shard: they agree in an output by which they are spread."""
    found = Placing(pivots).of(query.node)
    return isinstance(found, Spread) and bool(found.columns & set(query.outputs))


def _add(shards: list[Shards], query: QueryPlan, choices: tuple[StreamPivots, ...]) -> None:
    """To the first shards whose pivots agree with one of the choices, else to new ones."""
    for place, known in enumerate(shards):
        for pivots in choices:
            if all(known.pivots.get(name, column) == column for name, column in pivots.items()):
                queries = (*known.queries, query)
                shards[place] = Shards({**known.pivots, **pivots}, queries)
                return
    shards.append(Shards(choices[0], (query,)))


def find_query_pivots(plan: Algebra, query: QueryPlan) -> tuple[StreamPivots, ...] | Obstacle:
    """All that work, or what is in the way of those with which most of the query would work."""
    if not any(scan.read is Read.STREAM for scan in _scans(plan, query)):
        return _without_streams(query)
    good: list[StreamPivots] = []
    reached, obstacle = -1, Obstacle("")
    for pivots in islice(_choices(plan, query), _TRIES):
        placing = Placing(pivots)
        found = placing.of(query.node)
        if not isinstance(found, Obstacle):
            good.append(pivots)
        elif placing.reached > reached:
            reached, obstacle = placing.reached, found
    return tuple(good) or obstacle


def _without_streams(query: QueryPlan) -> Obstacle:
    found = Placing({}).of(query.node)
    return found if isinstance(found, Obstacle) else Obstacle("it reads no stream")


def _choices(plan: Algebra, query: QueryPlan) -> Iterator[StreamPivots]:
    """Of the columns that the query reads: those of joins first, those with few values last."""
    inputs = {item.name: item for item in plan.program.inputs}
    joined = _joined(plan, query)
    ranks: dict[str, dict[int, Rank]] = {}
    for scan in _scans(plan, query):
        if scan.read is Read.STREAM:
            of_stream = ranks.setdefault(scan.name, {})
            for place, rank in _ranks(inputs[scan.name], scan, joined):
                of_stream[place] = min(rank, of_stream.get(place, rank))
    columns = [sorted(found, key=found.__getitem__) for found in ranks.values()]
    return (dict(zip(ranks, chosen, strict=True)) for chosen in product(*columns))


def _ranks(
    item: RegisteredInput, scan: TableScan, joined: frozenset[Ref]
) -> Iterator[tuple[int, Rank]]:
    refs = dict(zip(scan.places, scan.columns, strict=True))
    for place in (*scan.places, *scan.window_places):
        has_few = item.columns[place].type is Type.BOOL
        yield place, (has_few, refs.get(place) not in joined, place)


def _joined(plan: Algebra, query: QueryPlan) -> frozenset[Ref]:
    joins = (node for node in nodes_of(_alone(plan, query)) if isinstance(node, Join))
    return frozenset(ref for join in joins for pair in join.on for ref in pair)


def _scans(plan: Algebra, query: QueryPlan) -> tuple[TableScan, ...]:
    return table_scans(_alone(plan, query))


def _alone(plan: Algebra, query: QueryPlan) -> Algebra:
    return replace(plan, queries=(query,))


# --- the place where rows are gathered


def gather(plan: Algebra, spread: frozenset[str]) -> Algebra:
    """q: project … → q: the rows of q, which shards have found."""
    queries = tuple(_gathered(q) if q.name in spread else q for q in plan.queries)
    return replace(plan, queries=queries)


def _gathered(query: QueryPlan) -> QueryPlan:
    columns = gathered_columns(query)
    places = tuple(range(len(columns)))
    return replace(query, node=TableScan(Read.ROWS_OF_QUERY, query.name, None, (), places, columns))


def gathered_columns(query: QueryPlan) -> tuple[Ref, ...]:
    """The outputs, then what the order needs beside them."""
    return tuple(dict.fromkeys((*query.outputs, *(key.column for key in query.order))))
