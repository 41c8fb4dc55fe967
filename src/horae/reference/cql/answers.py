"""From a relation to a stream: what a query answers at each evaluation time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, assert_never

from horae.languages.cql.program import Program, Query
from horae.languages.cql.syntax.tree import StreamOperator
from horae.reference.cql.moments import Contents
from horae.reference.cql.queries import Evaluator
from horae.reference.cql.rows import Row, subtract
from horae.reference.cql.windows import Timed

Answer = dict[str, Any]


def answer(program: Program, contents: Contents, times: Iterable[int]) -> list[Answer]:
    """The answers by time, then name of the query; rows in the order of the query."""
    answers: list[Answer] = []
    for now in times:
        found = {query.name: _answer_one(query, contents, now) for query in program.queries}
        for query in sorted(program.queries, key=lambda query: query.name):
            answers += [_written(query, row, now) for row in found[query.name]]
    return answers


def _answer_one(query: Query, contents: Contents, now: int) -> list[Row]:
    """The answers of a query, after which later queries can read it."""
    before = contents.relations[query.name]
    rows = Evaluator(partial(contents.read, now=now)).rows(query.body)
    given = _given(query.stream, rows, before)
    contents.relations[query.name] = rows
    contents.streams[query.name] += [Timed(row, now) for row in given]
    return given


def _given(stream: StreamOperator, rows: Sequence[Row], before: Sequence[Row]) -> list[Row]:
    match stream:
        case StreamOperator.RSTREAM:
            return list(rows)
        case StreamOperator.ISTREAM:
            return subtract(rows, before)
        case StreamOperator.DSTREAM:
            return subtract(before, rows)
        case _:
            assert_never(stream)


def _written(query: Query, row: Row, now: int) -> Answer:
    return {"time": now, "query": query.name, "row": list(row), "kind": query.stream.value.lower()}
