"""A CQL program over live rows.

Shards answer queries in which rows of other shards have no say. The `rank` of an answer is its place
among all answers of its query at that time, and no part of the rows tells it; it is null there. What
shards find of other queries that can be spread comes to a second stage, the join, which evaluates all
the rest, too. If nothing can be spread, or one shard is asked for, there is one stage with one shard.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import pyarrow as pa

from horae.data.row_layout import RowLayout, are_of
from horae.data.rows_of_inputs import schema_of
from horae.data.schema import RegisteredInput
from horae.data.time_points import AtEvents, EvaluationTimes
from horae.engine.contract import Kernel, Wants
from horae.engine.evaluation_times import ReachedTimes, wanted_times
from horae.languages.cql.kernel.answers import answer_schema, answer_table
from horae.languages.cql.kernel.columns import one_zero
from horae.languages.cql.kernel.evaluate import Found
from horae.languages.cql.kernel.faults import Failure
from horae.languages.cql.kernel.kept_rows import table_to_bytes
from horae.languages.cql.kernel.kernel import CQLKernel
from horae.languages.cql.live.gathered import pack_found
from horae.languages.cql.live.join import LiveCQLJoin
from horae.languages.cql.live.kernel import LiveCQLKernel
from horae.languages.cql.live.parts import Part, parts_of
from horae.languages.cql.plan.algebra import Algebra, QueryPlan
from horae.languages.cql.plan.spread import Spreading, find_spreading


@dataclass(frozen=True)
class LiveCQL:
    """`relations` have their registered names and the columns `c0`, `c1`, …; one not given is empty."""

    plan: Algebra
    at: EvaluationTimes = AtEvents()
    relations: Mapping[str, pa.Table] = field(default_factory=dict)
    shards: int = 1

    @cached_property
    def layout(self) -> RowLayout:
        return RowLayout(tuple(item for item in self.plan.program.inputs if item.is_stream))

    @property
    def rows(self) -> pa.Schema:
        return self.layout.schema

    @property
    def answers(self) -> pa.Schema:
        return answer_schema(self.plan.program)

    @property
    def wants(self) -> Wants:
        return wanted_times(self.at)

    @cached_property
    def fingerprint(self) -> str:
        """Two programs with the same one can go on with each other's state."""
        found = hashlib.sha256(
            f"{self.plan.program.source.text}\n{self.at!r}\n"
            f"{self.width} {len(self.parts)} {sorted(self.answered)}".encode()
        )
        found.update(
            repr([query.name for query in self.plan.queries if query.is_answered]).encode()
        )
        for name, table in sorted(self._relations.items()):
            keys = table.column_names
            ordered = one_zero(table).sort_by([(key, "ascending") for key in keys])
            found.update(f"\n{name} {table.num_rows}\n".encode() + table_to_bytes(ordered))
        return found.hexdigest()

    # --- rows to shards

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Groups of shards, one after the other."""
        if self.shards == 1:
            return ()
        return tuple(parts_of(self.plan, self._spreading, self.shards))

    @cached_property
    def _spreading(self) -> Spreading:
        return find_spreading(self.plan)

    @cached_property
    def answered(self) -> frozenset[str]:
        """The queries that shards answer by themselves."""
        if not self.parts:
            return frozenset()
        return self._spread - self._spreading.gathered.keys()

    @property
    def _spread(self) -> frozenset[str]:
        return frozenset(query.name for part in self.parts for query in part.plan.queries)

    @property
    def width(self) -> int:
        return self.shards * len(self.parts) or 1

    @cached_property
    def later(self) -> LiveCQLJoin | None:
        if len(self.answered) == len(self.plan.queries) or not self.parts:
            return None
        known = self.layout, self.at, self.wants, self._relations, self.fingerprint
        return LiveCQLJoin(self.plan, self._spread, self._spread - self.answered, *known)

    def route(self, rows: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        """Also rows that nothing reads, since they may be late."""
        for number, part in enumerate(self.parts):
            for shard, own in part.route(rows, self.layout):
                yield number * self.shards + shard, own
        left = ~are_of(rows, self._read)
        if left.any():
            yield 0, rows if left.all() else rows.filter(pa.array(left))

    @cached_property
    def _read(self) -> frozenset[str]:
        """Streams whose rows have a place."""
        own = frozenset(name for part in self.parts for name in part.pivots)
        return own if self.later is None else own | self.later.reads

    # --- shards

    def start(self, shard: int) -> Kernel:
        return self._kernel(shard, {}, ReachedTimes(self.at))

    def restore(self, shard: int, chunks: Mapping[str, bytes]) -> Kernel:
        return self._kernel(shard, chunks, ReachedTimes.load(self.at, chunks))

    def _kernel(
        self, shard: int, chunks: Mapping[str, bytes], times: ReachedTimes
    ) -> LiveCQLKernel:
        if not self.parts:
            kernel = CQLKernel.restore(self.plan, self._relations, chunks)
            return LiveCQLKernel(self.layout, kernel, times)
        part = self.parts[shard // self.shards]
        kernel = CQLKernel.restore(part.plan, self._relations, chunks)
        return SpreadShard(self.layout, kernel, times, self.answered, self.later is None)

    @property
    def _relations(self) -> dict[str, pa.Table]:
        registered = [item for item in self.plan.program.inputs if not item.is_stream]
        return {item.name: self._relation(item) for item in registered}

    def _relation(self, item: RegisteredInput) -> pa.Table:
        schema = schema_of(item)
        given = self.relations.get(item.name, schema.empty_table())
        return given.select(schema.names).cast(schema)


@dataclass
class SpreadShard(LiveCQLKernel):
    """A shard of spread queries: it answers some, and hands on what it finds of the others.

    It hands on failures too, if there is a stage after it: then the first one of all shards is told.
    """

    answered: frozenset[str]
    is_last: bool
    found: list[tuple[str, Found]] = field(default_factory=list)

    def derived(self) -> pa.Table:
        found, self.found = self.found, []
        return pack_found(found)

    def _evaluate(self, until: int) -> pa.Table:
        due = self.times.decide(until)
        rows = self.kernel.rows(due, self.answered) if len(due) else ()
        return pa.concat_tables([self._schema.empty_table(), *self._answers(rows)])

    @cached_property
    def _schema(self) -> pa.Schema:
        return answer_schema(self.kernel.plan.program)

    def _answers(self, rows: Iterable[tuple[QueryPlan, Found]]) -> Iterator[pa.Table]:
        for query, found in rows:
            if isinstance(found, Failure) and self.is_last:
                raise found.error
            if isinstance(found, pa.Table) and query.name in self.answered:
                yield answer_table(query, found, self._schema)
            elif isinstance(found, Failure) or found.num_rows:
                self.found.append((query.name, found))
