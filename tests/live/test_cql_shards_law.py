"""Whatever columns a query may be spread by: the rows of all shards together are those of the query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pyarrow as pa
import pytest
from tests.cql_facts import read_facts
from tests.languages.cql.kernel.driving import checked
from tests.live.cql_streams import live, typed
from tests.live.test_cql_law import in_order
from tests.strategies.cql_queries import random_queries

from horae.languages.cql.kernel.evaluate import Found, evaluate_rows
from horae.languages.cql.kernel.faults import Failure
from horae.languages.cql.kernel.memory import Memory
from horae.languages.cql.live.parts import Part
from horae.languages.cql.live.program import LiveCQL
from horae.languages.cql.plan.algebra import Algebra
from horae.languages.cql.plan.placement import Obstacle
from horae.languages.cql.plan.spread import find_query_pivots

Tables = dict[str, pa.Table]


def together(found: Iterable[Found], times: Sequence[int]) -> str | list[str]:
    """All rows at each of the times, in any order; or the failure that counts."""
    parts = list(found)
    failures = [part for part in parts if isinstance(part, Failure)]
    if failures:
        return str(min(failures, key=lambda failure: failure.place).error)
    tables = [part for part in parts if isinstance(part, pa.Table)]
    rows = [row for table in tables for row in table.to_pylist()]
    ends = [(row.pop("time"), row.pop("until"), row) for row in rows]
    return sorted(repr((t, row)) for start, last, row in ends for t in times if start <= t <= last)


def rows_of(plan: Algebra, inputs: Tables, times: Sequence[int]) -> list[Found]:
    found = evaluate_rows(Memory.empty(plan), inputs, np.array(times, np.int64))
    return [part for _, part in found]


def in_shards(live: LiveCQL, rows: pa.Table, part: Part, times: Sequence[int]) -> list[Found]:
    """Also shards without rows are evaluated."""
    routed = dict(part.route(rows, live.layout))
    own = [routed.get(shard, rows.slice(0, 0)) for shard in range(part.shards)]
    inputs = [{**live.relations, **live.layout.unpack(table)} for table in own]
    return [found for tables in inputs for found in rows_of(part.plan, tables, times)]


def check(seed: int) -> int:
    """How many ways of spreading the queries have."""
    rng = Random(f"shards {seed}")
    text, data, times = random_queries(rng, core=rng.random() < 0.2)
    program = checked(text)
    facts = in_order(rng, read_facts(program, data))
    found, rows = live(program, facts, "events")
    count = 0
    for query in found.plan.queries:
        choices = find_query_pivots(found.plan, query)
        if isinstance(choices, Obstacle):
            continue
        plan = replace(found.plan, queries=(query,))
        expected = together(rows_of(plan, typed(program, facts), times), times)
        for pivots in choices:
            part = Part(plan, pivots, rng.randint(2, 5))
            shards = in_shards(found, rows, part, times)
            assert together(shards, times) == expected, (text, pivots)
            count += 1
    return count


def test_rows_of_all_shards():
    assert sum(check(seed) for seed in range(100)) > 30


@pytest.mark.long
def test_rows_of_all_shards_many_times():
    assert sum(check(seed) for seed in range(100, 1500)) > 500
