"""A plan over tables: the answers at the given evaluation times, part by part.

What one part must know of those before it is its `Memory`; so an evaluation can stop after any part,
and go on later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import assert_never

import numpy as np
import pyarrow as pa

from horae.kernels.cql.answers import answer_table, no_answers
from horae.kernels.cql.columns import Ints, one_zero
from horae.kernels.cql.faults import Failure
from horae.kernels.cql.memory import Memory
from horae.kernels.cql.nodes import Nodes
from horae.kernels.cql.order import places
from horae.kernels.cql.parts import BUDGET, parts
from horae.kernels.cql.scan import Timed, chosen, timed
from horae.kernels.cql.streams import RANK, stream
from horae.kernels.cql.windows import TIME, place_name
from horae.plan.cql.algebra import TAU, Plan, QueryPlan, Read, Scan
from horae.plan.cql.spread import gathered_columns
from horae.plan.cql.walk import scans_of
from horae.source.errors import InputError

Found = pa.Table | Failure

EMPTY: Mapping[str, Found] = MappingProxyType({})


def evaluate(plan: Plan, rows: Mapping[str, pa.Table], times: Ints) -> pa.Table:
    """`time`, `query`, `kind`, `row` (JSON text), and `rank`, by which rows of a query are ordered."""
    return pa.concat_tables([no_answers(), *evaluate_parts(plan, rows, times)])


def evaluate_parts(
    plan: Plan, rows: Mapping[str, pa.Table], times: Ints, budget: int = BUDGET
) -> Iterator[pa.Table]:
    """The answers as they are found, from earlier to later times."""
    yield from continue_evaluation(Memory.empty(plan), rows, np.unique(times), budget)


def continue_evaluation(
    memory: Memory,
    rows: Mapping[str, pa.Table],
    times: Ints,
    budget: int = BUDGET,
    *,
    elsewhere: Mapping[str, Found] = EMPTY,
) -> Iterator[pa.Table]:
    """At increasing times after all those that the memory knows; it knows these ones afterwards.

    `rows` has all rows that the windows hold at these times; `elsewhere` the rows of queries that were
    evaluated elsewhere, which the plan reads as rows of a query.
    """
    run = _Run(memory, _plain(rows), times, elsewhere)
    yield from run.answers(budget)


def evaluate_rows(
    plan: Plan, rows: Mapping[str, pa.Table], times: Ints, budget: int = BUDGET
) -> Iterator[tuple[str, Found]]:
    """The rows of queries that read no others, part by part, for another place to go on with.

    `time`, and the columns that are gathered by their places. A query that fails is left there; the
    others go on.
    """
    yield from _Run(Memory.empty(plan), _plain(rows), times).rows(budget)


def _plain(rows: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    return {name: one_zero(table) for name, table in rows.items()}


@dataclass
class _Run:
    memory: Memory
    inputs: dict[str, pa.Table]
    times: Ints
    elsewhere: Mapping[str, Found] = field(default_factory=dict)
    streams: dict[int, Timed] = field(init=False)  # by identity of the scan
    current: dict[str, pa.Table] = field(default_factory=dict)  # rows of queries in this part

    def __post_init__(self) -> None:
        self.streams = {
            id(scan): timed(scan, self.inputs[scan.name], self.times)
            for scan in scans_of(self.memory.plan)
            if scan.read is Read.STREAM
        }

    def answers(self, budget: int) -> Iterator[pa.Table]:
        for begin, end in parts(self.streams.values(), len(self.times), budget):
            part = _Part(self, begin, end)
            for query in self.memory.plan.queries:
                yield part.answers(query)
            self.memory.forget(int(self.times[end - 1]) + 1)

    def rows(self, budget: int) -> Iterator[tuple[str, Found]]:
        waiting = list(self.memory.plan.queries)
        for begin, end in parts(self.streams.values(), len(self.times), budget):
            for query in tuple(waiting):
                found = _Part(self, begin, end).rows(query)
                if isinstance(found, Failure):
                    waiting.remove(query)
                yield query.name, found


@dataclass
class _Part:
    run: _Run
    begin: int
    end: int
    nodes: Nodes = field(init=False)

    def __post_init__(self) -> None:
        self.nodes = Nodes(self.run.times[self.begin : self.end], self.read)

    def answers(self, query: QueryPlan) -> pa.Table:
        times, name = self.nodes.times, query.name
        self._take(name)
        rows = _ranked(query, self.nodes.table(query.node))
        given = stream(query.stream, rows, self.run.memory.before[name], times)
        self.run.current[name] = rows
        self.run.memory.remember(query, rows, given, int(times[-1]))
        return answer_table(query, given)

    def _take(self, name: str) -> None:
        """The rows of a query that was evaluated elsewhere, if it is one."""
        match self.run.elsewhere.get(name):
            case None:
                pass
            case Failure(error=error):
                raise error
            case rows:
                at = rows.column(TIME).to_numpy()
                here = (at >= self.nodes.times[0]) & (at <= self.nodes.times[-1])
                self.run.current[name] = rows.filter(pa.array(here))

    def rows(self, query: QueryPlan) -> Found:
        try:
            table = self.nodes.table(query.node)
        except InputError as error:
            return Failure(self.nodes.computed, error)
        columns = [table.column(ref.name) for ref in gathered_columns(query)]
        named = {place_name(i): found for i, found in enumerate(columns)}
        return pa.table({TIME: table.column(TAU.name), **named})

    def read(self, scan: Scan) -> pa.Table:
        match scan.read:
            case Read.STREAM:
                found = self.run.streams[id(scan)]
                return found.part(self.begin, self.end, self.run.times)
            case Read.RELATION:
                return chosen(scan, self.run.inputs[scan.name])
            case Read.ROWS_OF_QUERY:
                rows = self.run.current[scan.name]
                return chosen(scan, rows.append_column(TAU.name, rows.column(TIME)))
            case Read.ANSWERS_OF_QUERY:
                found = timed(scan, self.run.memory.given[scan.name].rows, self.nodes.times)
                return found.part(0, len(self.nodes.times), self.nodes.times)
            case _:
                assert_never(scan.read)


def _ranked(query: QueryPlan, table: pa.Table) -> pa.Table:
    """`time`, the outputs by their places, and `rank`."""
    outputs = {place_name(i): table.column(ref.name) for i, ref in enumerate(query.outputs)}
    rank = pa.array(places(table, (TAU,), query.order), pa.int64())
    return pa.table({TIME: table.column(TAU.name), **outputs, RANK: rank})
