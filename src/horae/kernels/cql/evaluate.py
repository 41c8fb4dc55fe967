"""A plan over tables: the answers at the given evaluation times, part by part.

From one part to the next go the rows at the last evaluation time, for ISTREAM and DSTREAM, and
those answers of queries that are still in the window of a later query.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import assert_never

import numpy as np
import pyarrow as pa

from horae.kernels.cql.answers import answer_table, no_answers
from horae.kernels.cql.columns import ARROW_TYPES, Ints, one_zero
from horae.kernels.cql.nodes import Nodes
from horae.kernels.cql.order import places
from horae.kernels.cql.parts import BUDGET, parts
from horae.kernels.cql.scan import Timed, chosen, timed
from horae.kernels.cql.streams import RANK, stream
from horae.kernels.cql.windows import TIME, lives, place_name
from horae.plan.cql.algebra import TAU, Plan, QueryPlan, Read, Scan
from horae.plan.cql.walk import scans_of


def evaluate(plan: Plan, rows: Mapping[str, pa.Table], times: Ints) -> pa.Table:
    """`time`, `query`, `kind`, `row` (JSON text), and `rank`, by which rows of a query are ordered."""
    return pa.concat_tables([no_answers(), *evaluate_parts(plan, rows, times)])


def evaluate_parts(
    plan: Plan, rows: Mapping[str, pa.Table], times: Ints, budget: int = BUDGET
) -> Iterator[pa.Table]:
    """The answers as they are found, from earlier to later times."""
    run = _Run(plan, {name: one_zero(table) for name, table in rows.items()}, np.unique(times))
    yield from run.answers(budget)


@dataclass
class _Run:
    plan: Plan
    inputs: dict[str, pa.Table]
    times: Ints
    streams: dict[int, Timed] = field(init=False)  # by identity of the scan
    before: dict[str, pa.Table] = field(init=False)  # the rows of a query at the last time
    given: dict[str, pa.Table] = field(init=False)  # its answers that later queries may see
    current: dict[str, pa.Table] = field(default_factory=dict)  # its rows at the times of this part

    def __post_init__(self) -> None:
        scans = scans_of(self.plan)
        self.streams = {
            id(scan): timed(scan, self.inputs[scan.name], self.times)
            for scan in scans
            if scan.read is Read.STREAM
        }
        self.before = {query.name: _nothing(query) for query in self.plan.queries}
        self.given = {name: table.drop_columns(RANK) for name, table in self.before.items()}

    def answers(self, budget: int) -> Iterator[pa.Table]:
        for begin, end in parts(self.streams.values(), len(self.times), budget):
            part = _Part(self, begin, end)
            for query in self.plan.queries:
                yield part.answers(query)
            self._forget(int(self.times[end - 1]))

    def _forget(self, last: int) -> None:
        """Answers stay while a window may see them after the last evaluation time."""
        for name, table in self.given.items():
            needed = np.zeros(table.num_rows, bool)
            for scan in scans_of(self.plan):
                if scan.read is Read.ANSWERS_OF_QUERY and scan.name == name:
                    assert scan.window is not None
                    needed |= lives(scan.window, scan.window_places, table)[1] > last + 1
            self.given[name] = table.filter(pa.array(needed))


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
        rows = _ranked(query, self.nodes.table(query.node))
        given = stream(query.stream, rows, self.run.before[name], times)
        self.run.current[name] = rows
        self.run.before[name] = rows.filter(pa.array(rows.column(TIME).to_numpy() == times[-1]))
        self.run.given[name] = pa.concat_tables([self.run.given[name], given.drop_columns(RANK)])
        return answer_table(query, given)

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
                found = timed(scan, self.run.given[scan.name], self.nodes.times)
                return found.part(0, len(self.nodes.times), self.nodes.times)
            case _:
                assert_never(scan.read)


def _ranked(query: QueryPlan, table: pa.Table) -> pa.Table:
    """`time`, the outputs by their places, and `rank`."""
    outputs = {place_name(i): table.column(ref.name) for i, ref in enumerate(query.outputs)}
    rank = pa.array(places(table, (TAU,), query.order), pa.int64())
    return pa.table({TIME: table.column(TAU.name), **outputs, RANK: rank})


def _nothing(query: QueryPlan) -> pa.Table:
    outputs = [(place_name(i), ARROW_TYPES[ref.type]) for i, ref in enumerate(query.outputs)]
    return pa.schema([(TIME, pa.int64()), *outputs, (RANK, pa.int64())]).empty_table()
