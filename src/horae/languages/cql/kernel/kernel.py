"""A plan over rows that come as time goes on: only what later windows can see is kept.

kernel.push("tram", rows)       in any order, also of times that are evaluated much later
kernel.evaluate(times)          the answers at increasing times, once all rows up to them are there
kernel.forget(following)        no time before `following` is evaluated any more
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Self

import pyarrow as pa

from horae.data.columns import Ints
from horae.data.rows_of_inputs import ORDER, TIME, place_name
from horae.data.schema import RegisteredInput
from horae.data.values import ARROW_TYPES
from horae.engine.contract import StateSize
from horae.languages.cql.kernel.answers import no_answers
from horae.languages.cql.kernel.columns import one_zero
from horae.languages.cql.kernel.evaluate import (
    EMPTY,
    Elsewhere,
    Found,
    continue_evaluation,
    evaluate_rows,
)
from horae.languages.cql.kernel.kept_rows import KeptRows
from horae.languages.cql.kernel.memory import Memory, scans_reading, seen_later
from horae.languages.cql.plan.algebra import Algebra, QueryPlan, Read


@dataclass
class CQLKernel:
    """`relations` has a table for each registered relation; `streams` the kept rows of each stream."""

    plan: Algebra
    relations: Mapping[str, pa.Table]
    streams: dict[str, KeptRows]
    memory: Memory

    @classmethod
    def start(cls, plan: Algebra, relations: Mapping[str, pa.Table]) -> Self:
        return cls.restore(plan, relations, {})

    def push(self, name: str, rows: pa.Table) -> None:
        if scans_reading(self.plan, Read.STREAM, name):
            self.streams[name].add(one_zero(rows))

    def evaluate(self, times: Ints, elsewhere: Mapping[str, Elsewhere] = EMPTY) -> pa.Table:
        """`elsewhere` has the rows, at these times, of queries that are evaluated elsewhere."""
        found = continue_evaluation(self.memory, self._inputs(), times, elsewhere=elsewhere)
        return pa.concat_tables([no_answers(self.plan.program), *found])

    def rows(self, times: Ints, answered: Container[str] = ()) -> Iterator[tuple[QueryPlan, Found]]:
        """The rows of queries instead of their answers; answers of those that are answered here."""
        yield from evaluate_rows(self.memory, self._inputs(), times, answered)

    def _inputs(self) -> dict[str, pa.Table]:
        return {**self.relations, **{name: kept.rows for name, kept in self.streams.items()}}

    def forget(self, following: int) -> None:
        self.memory.forget(following)
        for name, kept in self.streams.items():
            scans = scans_reading(self.plan, Read.STREAM, name)
            kept.keep(seen_later(scans, kept.rows, following))

    # --- the state

    def state_size(self) -> StateSize:
        """One instance; each row that is kept has as many values as columns."""
        kept = [*self.streams.values(), *self.memory.given.values()]
        tables = [*(k.rows for k in kept), *self.memory.before.values()]
        values = sum(table.num_rows * table.num_columns for table in tables)
        return StateSize(1, values, sum(table.nbytes for table in tables))

    def snapshot(self) -> Iterator[tuple[str, bytes]]:
        for place, kept in enumerate(self.streams.values()):
            yield from kept.save(f"stream/{place}")
        yield from self.memory.save()

    @classmethod
    def restore(
        cls, plan: Algebra, relations: Mapping[str, pa.Table], chunks: Mapping[str, bytes]
    ) -> Self:
        inputs = [item for item in plan.program.inputs if item.is_stream]
        streams = {
            item.name: KeptRows.load(f"stream/{place}", stream_schema(item), chunks)
            for place, item in enumerate(inputs)
        }
        return cls(plan, relations, streams, Memory.load(plan, chunks))


def stream_schema(item: RegisteredInput) -> pa.Schema:
    """`order` is text that sorts as the rows of a time do."""
    columns = [(place_name(i), ARROW_TYPES[c.type]) for i, c in enumerate(item.columns)]
    return pa.schema([*columns, (TIME, pa.int64()), (ORDER, pa.string())])
