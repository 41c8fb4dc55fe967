"""The stage that gathers the rows of spread queries: it answers them, and evaluates all other queries.

Rows of a query are ranked, and compared with those before, among the rows of all shards. What shards
found in a micro-batch is decided, so nothing waits here but the rows of its own queries. Of queries that
shards answer by themselves, it learns what failed: the first failure of all queries is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import pyarrow as pa

from horae.data.row_layout import RowLayout, are_of
from horae.data.rows_of_inputs import TIME, place_name
from horae.data.time_points import EvaluationTimes
from horae.data.values import ARROW_TYPES
from horae.engine.contract import Wants
from horae.engine.evaluation_times import ReachedTimes
from horae.languages.cql.kernel.answers import answer_schema, no_answers
from horae.languages.cql.kernel.evaluate import UNTIL
from horae.languages.cql.kernel.kernel import CQLKernel
from horae.languages.cql.live.gathered import Gathered
from horae.languages.cql.live.kernel import LiveCQLKernel
from horae.languages.cql.plan.algebra import Algebra, QueryPlan, Read
from horae.languages.cql.plan.spread import gather, gathered_columns
from horae.languages.cql.plan.walk import table_scans


@dataclass(frozen=True)
class LiveCQLJoin:
    """`whole` is the plan of the program; `spread` are the queries that shards evaluate, `gathered`
    those whose rows come from there.
    """

    whole: Algebra
    spread: frozenset[str]
    gathered: frozenset[str]
    layout: RowLayout
    at: EvaluationTimes
    wants: Wants
    relations: Mapping[str, pa.Table]
    fingerprint: str

    @cached_property
    def plan(self) -> Algebra:
        return gather(self.whole, self.spread)

    @cached_property
    def reads(self) -> frozenset[str]:
        """The streams of its own queries."""
        return frozenset(s.name for s in table_scans(self.plan) if s.read is Read.STREAM)

    @property
    def rows(self) -> pa.Schema:
        return self.layout.schema

    @property
    def answers(self) -> pa.Schema:
        return answer_schema(self.whole.program)

    @property
    def width(self) -> int:
        return 1

    @property
    def later(self) -> None:
        return None

    def route(self, rows: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        own = are_of(rows, self.reads)
        if own.any():
            yield 0, rows.filter(pa.array(own))

    def route_derived(self, derived: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        yield 0, derived

    def start(self, shard: int) -> JoinShard:
        kernel = CQLKernel.start(self.plan, self.relations)
        return JoinShard(self.layout, kernel, ReachedTimes(self.at), self._schemas)

    def restore(self, shard: int, chunks: Mapping[str, bytes]) -> JoinShard:
        kernel = CQLKernel.restore(self.plan, self.relations, chunks)
        return JoinShard(self.layout, kernel, ReachedTimes.load(self.at, chunks), self._schemas)

    @property
    def _schemas(self) -> dict[str, pa.Schema | None]:
        return {
            query.name: found_schema(query) if query.name in self.gathered else None
            for query in self.whole.queries
            if query.name in self.spread
        }


def found_schema(query: QueryPlan) -> pa.Schema:
    """The schema of the rows that shards find of a query."""
    columns = enumerate(gathered_columns(query))
    types = [(place_name(place), ARROW_TYPES[ref.type]) for place, ref in columns]
    return pa.schema([(TIME, pa.int64()), (UNTIL, pa.int64()), *types])


@dataclass
class JoinShard(LiveCQLKernel):
    """`schemas` of the rows that shards find of each query; None where they answer it."""

    schemas: Mapping[str, pa.Schema | None]
    gathered: Gathered = field(default_factory=Gathered)

    def add_derived(self, rows: pa.Table) -> None:
        self.gathered.add(rows)

    def save(self) -> Iterator[tuple[str, bytes]]:
        assert self.gathered.is_empty, "shards and the join decide the same"
        yield from super().save()

    def _evaluate(self, until: int) -> pa.Table:
        due = self.times.decide(until)
        if not len(due):
            return no_answers(self.kernel.plan.program)
        return self.kernel.evaluate(due, self.gathered.take(due, self.schemas))
