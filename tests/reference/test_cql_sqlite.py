"""The relational part of the reference against SQLite: both read the same windows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from random import Random

import pytest
from tests.cql_facts import read_facts
from tests.oracles.cql_sqlite import rows_by_sqlite
from tests.strategies.cql_queries import random_queries

from horae.languages.cql.check.check import load
from horae.reference.cql.moments import read_facts as fill
from horae.reference.cql.queries import Evaluator
from horae.reference.cql.windows import Timed
from horae.source.text import Source

Row = tuple[object, ...]
NORMAL, LONG = range(100), range(1000, 5000)


def test_the_same_rows_as_sqlite():
    assert sum(map(_compare, NORMAL)) > 500


@pytest.mark.long
def test_the_same_rows_as_sqlite_many_times():
    assert sum(map(_compare, LONG)) > 15_000


def _compare(seed: int) -> int:
    """How many relations were compared.

    SQLite adds doubles in some order and rounds each time: they are compared up to that.
    """
    text, data, times = random_queries(Random(seed), core=False)
    program, _ = load(Source("random.cql", text))
    assert program is not None
    contents = fill(program, read_facts(program, data))
    compared = 0
    for now in times:
        read = partial(contents.read, now=now)
        for query in program.queries:
            rows = Evaluator(read).rows(query.body)
            expected = rows_by_sqlite(query.body, read)
            if expected is not None:
                assert _are_close(rows, expected), (text, now, rows, expected)
                compared += 1
            contents.relations[query.name] = rows
            contents.streams[query.name] += [Timed(row, now) for row in rows]
    return compared


def _are_close(rows: Sequence[Row], expected: Sequence[Row]) -> bool:
    return len(rows) == len(expected) and all(map(_is_close, rows, expected))


def _is_close(left: Row, right: Row) -> bool:
    return all(
        math.isclose(a, b) if isinstance(a, float) and isinstance(b, float) else a == b
        for a, b in zip(left, right, strict=True)
    )
