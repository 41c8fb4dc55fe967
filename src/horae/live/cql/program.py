"""A CQL program over live rows. It runs in one shard.

The `rank` of an answer is its place among all answers of its query at that time; no part of the rows
tells it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import assert_never

import pyarrow as pa

from horae.inputs.rows_of_inputs import schema_of
from horae.inputs.time_points import AtEvents, AtEvery, AtPoints, EvaluationTimes
from horae.kernels.cql.answers import SCHEMA
from horae.kernels.cql.columns import one_zero
from horae.kernels.cql.kept_rows import table_to_bytes
from horae.kernels.cql.kernel import CQLKernel
from horae.languages.cql.program import Input
from horae.live.contract import LiveKernel, Wants
from horae.live.cql.kernel import LiveCQLKernel
from horae.live.cql.row_layout import RowLayout
from horae.live.evaluation_times import ReachedTimes
from horae.plan.cql.algebra import Plan


@dataclass(frozen=True)
class LiveCQL:
    """`relations` have their registered names and the columns `c0`, `c1`, …; one not given is empty."""

    plan: Plan
    at: EvaluationTimes = AtEvents()
    relations: Mapping[str, pa.Table] = field(default_factory=dict)

    @cached_property
    def layout(self) -> RowLayout:
        return RowLayout(tuple(item for item in self.plan.program.inputs if item.is_stream))

    @property
    def rows(self) -> pa.Schema:
        return self.layout.schema

    @property
    def answers(self) -> pa.Schema:
        return SCHEMA

    @property
    def wants(self) -> Wants:
        match self.at:
            case AtEvents():
                return Wants.ALL
            case AtEvery():
                return Wants.ENDS
            case AtPoints():
                return Wants.NOTHING
            case _:
                assert_never(self.at)

    @cached_property
    def fingerprint(self) -> str:
        """Two programs with the same one can go on with each other's state."""
        found = hashlib.sha256(f"{self.plan.program.source.text}\n{self.at!r}".encode())
        for name, table in sorted(self._relations.items()):
            keys = table.column_names
            ordered = one_zero(table).sort_by([(key, "ascending") for key in keys])
            found.update(f"\n{name} {table.num_rows}\n".encode() + table_to_bytes(ordered))
        return found.hexdigest()

    @property
    def width(self) -> int:
        return 1

    @property
    def later(self) -> None:
        return None

    def route(self, rows: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        yield 0, rows

    def start(self, shard: int) -> LiveKernel:
        kernel = CQLKernel.start(self.plan, self._relations)
        return LiveCQLKernel(self.layout, kernel, ReachedTimes(self.at))

    def restore(self, shard: int, chunks: Mapping[str, bytes]) -> LiveKernel:
        kernel = CQLKernel.restore(self.plan, self._relations, chunks)
        return LiveCQLKernel(self.layout, kernel, ReachedTimes.load(self.at, chunks))

    @property
    def _relations(self) -> dict[str, pa.Table]:
        registered = [item for item in self.plan.program.inputs if not item.is_stream]
        return {item.name: self._relation(item) for item in registered}

    def _relation(self, item: Input) -> pa.Table:
        schema = schema_of(item)
        given = self.relations.get(item.name, schema.empty_table())
        return given.select(schema.names).cast(schema)
