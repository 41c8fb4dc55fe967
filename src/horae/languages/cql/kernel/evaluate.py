"""A plan over tables: the answers at the given evaluation times, part by part.

What one part must know of those before it is its `Memory`; so an evaluation can stop after any part,
and go on later.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from types import MappingProxyType
from typing import assert_never

import numpy as np
import pyarrow as pa

from horae.data.columns import Ints
from horae.data.rows_of_inputs import TIME
from horae.languages.cql.kernel.answers import answer_schema, answer_table, no_answers
from horae.languages.cql.kernel.columns import one_zero
from horae.languages.cql.kernel.faults import Failure
from horae.languages.cql.kernel.memory import Memory
from horae.languages.cql.kernel.nodes import Nodes
from horae.languages.cql.kernel.parts import BUDGET, parts
from horae.languages.cql.kernel.room import TooManyRowsError
from horae.languages.cql.kernel.scan import Timed, chosen, timed
from horae.languages.cql.kernel.spans import Spans, span_columns, spanned, spans_of, without_spans
from horae.languages.cql.kernel.streams import QueryRows, by_places, stream
from horae.languages.cql.plan.algebra import Algebra, QueryPlan, Read, TableScan
from horae.languages.cql.plan.walk import table_scans
from horae.source.errors import InputError


@dataclass(frozen=True)
class Answered:
    """A query whose shards answer it by themselves."""


Found = pa.Table | Failure
Elsewhere = Found | Answered

UNTIL = "until"
"""The last evaluation time of a row that goes to another place."""

EMPTY: Mapping[str, Elsewhere] = MappingProxyType({})


def evaluate(plan: Algebra, rows: Mapping[str, pa.Table], times: Ints) -> pa.Table:
    """With the columns of `answer_schema`."""
    return pa.concat_tables([no_answers(plan.program), *evaluate_parts(plan, rows, times)])


def evaluate_parts(
    plan: Algebra, rows: Mapping[str, pa.Table], times: Ints, budget: int = BUDGET
) -> Iterator[pa.Table]:
    """The answers as they are found, from earlier to later times."""
    yield from continue_evaluation(Memory.empty(plan), rows, np.unique(times), budget)


def continue_evaluation(
    memory: Memory,
    rows: Mapping[str, pa.Table],
    times: Ints,
    budget: int = BUDGET,
    *,
    elsewhere: Mapping[str, Elsewhere] = EMPTY,
) -> Iterator[pa.Table]:
    """At increasing times after all those that the memory knows; it knows these ones afterwards.

    `rows` has all rows that the windows hold at these times; `elsewhere` what became of queries that
    were evaluated elsewhere, whose rows the plan reads as rows of a query.
    """
    run = _Run(memory, _plain(rows), times, elsewhere)
    yield from run.answers(budget)


def evaluate_rows(
    memory: Memory,
    rows: Mapping[str, pa.Table],
    times: Ints,
    answered: Container[str] = (),
    budget: int = BUDGET,
) -> Iterator[tuple[QueryPlan, Found]]:
    """Queries that read no others, part by part, for another place to go on with.

    Of a query that is `answered` here, its answers as `stream` gives them, without ranks; of others the
    rows: `time` and `until`, the first and the last evaluation time of a row, and the columns that are
    gathered, by their places. A query that fails is left there; the others go on.
    """
    yield from _Run(memory, _plain(rows), times).rows(answered, budget)


def _plain(rows: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    return {name: one_zero(table) for name, table in rows.items()}


@dataclass
class _Run:
    memory: Memory
    inputs: dict[str, pa.Table]
    times: Ints
    elsewhere: Mapping[str, Elsewhere] = field(default_factory=dict)
    streams: dict[int, Timed] = field(init=False)  # by identity of the scan
    current: dict[str, pa.Table] = field(default_factory=dict)  # rows of queries in this part

    def __post_init__(self) -> None:
        self.streams = {
            id(scan): timed(scan, self.inputs[scan.name], self.times)
            for scan in table_scans(self.memory.plan)
            if scan.read is Read.STREAM
        }

    @cached_property
    def schema(self) -> pa.Schema:
        return answer_schema(self.memory.plan.program)

    def answers(self, budget: int) -> Iterator[pa.Table]:
        for begin, end in parts(self.streams.values(), len(self.times), budget):
            yield from self._answers(begin, end, budget)

    def _answers(self, begin: int, end: int, budget: int) -> list[pa.Table]:
        """Where joins have too many rows for a part, it is cut into two."""
        memory = self.memory.copy()
        part = _Part(self, begin, end)
        try:
            found = [t for query in self.memory.plan.queries for t in part.answers(query, budget)]
        except TooManyRowsError:
            self.memory.become(memory)
            middle = (begin + end) // 2
            return [*self._answers(begin, middle, budget), *self._answers(middle, end, budget)]
        self.memory.forget(int(self.times[end - 1]) + 1)
        return found

    def rows(self, answered: Container[str], budget: int) -> Iterator[tuple[QueryPlan, Found]]:
        waiting = list(self.memory.plan.queries)
        for begin, end in parts(self.streams.values(), len(self.times), budget):
            for query in tuple(waiting):
                for part, table in self._tables(query, begin, end):
                    if isinstance(table, Failure):
                        waiting.remove(query)
                        yield query, table
                    elif query.name in answered:
                        yield from ((query, given) for given in part.given(query, table, budget))
                    else:
                        yield query, part.rows(query, table)

    def _tables(self, query: QueryPlan, begin: int, end: int) -> Iterator[tuple[_Part, Found]]:
        """The rows of a query, in parts for which there is room; a failure is the last one."""
        part = _Part(self, begin, end)
        try:
            found = part.found(query)
        except TooManyRowsError:
            middle = (begin + end) // 2
            yield from self._halves(query, (begin, middle), (middle, end))
        else:
            yield part, found

    def _halves(self, query: QueryPlan, *halves: tuple[int, int]) -> Iterator[tuple[_Part, Found]]:
        for half in halves:
            for part, found in self._tables(query, *half):
                yield part, found
                if isinstance(found, Failure):
                    return


@dataclass
class _Part:
    """Some of the times. What it computes goes when it does: nothing in it refers back to it."""

    run: _Run
    begin: int
    end: int
    nodes: Nodes = field(init=False)

    def __post_init__(self) -> None:
        times = self.run.times[self.begin : self.end]
        self.nodes = Nodes(times, partial(_read, self.run, self.begin, self.end))

    def answers(self, query: QueryPlan, budget: int) -> Iterator[pa.Table]:
        if self._take(query.name):
            return
        rows = QueryRows(query, by_places(query, self._table(query)), self.nodes.times)
        self.run.current[query.name] = rows.table
        for given in self._streamed(rows, budget):
            self.run.memory.give(query, given)
            if query.is_answered:
                yield answer_table(query, given, self.run.schema)

    def given(self, query: QueryPlan, table: pa.Table, budget: int) -> Iterator[pa.Table]:
        """The answers to a query that no other one reads, without ranks."""
        rows = QueryRows(query, by_places(query, table), self.nodes.times, is_ranked=False)
        yield from self._streamed(rows, budget)

    def _streamed(self, rows: QueryRows, budget: int) -> Iterator[pa.Table]:
        memory = self.run.memory
        yield from stream(rows, memory.before[rows.query.name], budget)
        memory.remember(rows.query, rows)

    def _table(self, query: QueryPlan) -> pa.Table:
        try:
            return self.nodes.table(query.node)
        except TooManyRowsError as error:
            if len(self.nodes.times) == 1:
                raise error.of(query, str(self.nodes.times[0])) from None
            raise

    def _take(self, name: str) -> bool:
        """The rows of a query that was evaluated elsewhere, if it is one; or whether it is answered."""
        match self.run.elsewhere.get(name):
            case None:
                return False
            case Answered():
                return True
            case Failure(error=error):
                raise error
            case rows:
                self.run.current[name] = self._of_these_times(rows)
                return False

    def _of_these_times(self, rows: pa.Table) -> pa.Table:
        first = np.searchsorted(self.nodes.times, rows.column(TIME).to_numpy())
        after = np.searchsorted(self.nodes.times, rows.column(UNTIL).to_numpy(), "right")
        there = np.flatnonzero(first < after)
        bare = rows.drop_columns([TIME, UNTIL]).take(there)
        return spanned(bare, Spans(first[there], after[there]))

    def found(self, query: QueryPlan) -> Found:
        """The rows of the query with their spans."""
        try:
            return self._table(query)
        except InputError as error:
            return Failure(self.nodes.computed, error)

    def rows(self, query: QueryPlan, table: pa.Table) -> pa.Table:
        """As they go to another place."""
        rows, times = by_places(query, table), self.nodes.times
        spans = spans_of(rows)
        ends = {TIME: pa.array(times[spans.first]), UNTIL: pa.array(times[spans.after - 1])}
        return pa.table({**ends, **span_columns(without_spans(rows))})


def _read(run: _Run, begin: int, end: int, scan: TableScan) -> pa.Table:
    """The rows of a scan at these evaluation times."""
    match scan.read:
        case Read.STREAM:
            return run.streams[id(scan)].part(begin, end)
        case Read.RELATION:
            return chosen(scan, run.inputs[scan.name])
        case Read.ROWS_OF_QUERY:
            return chosen(scan, run.current[scan.name])
        case Read.ANSWERS_OF_QUERY:
            given = run.memory.given[scan.name].rows
            return timed(scan, given, run.times[begin:end]).part(0, end - begin)
        case _:
            assert_never(scan.read)
