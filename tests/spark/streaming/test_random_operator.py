"""The law for the operator: late rows do not count, and all others do, however they come.

Rows come from several sources and in several partitions, beyond the lateness too, and micro-batches
are run again. The answers are those of a batch over the rows that were not late.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.cql_facts import read_facts
from tests.languages.cql.kernel.driving import checked
from tests.languages.rtlola.evaluating import evaluate_table
from tests.live import cql_streams, datalogmtl_streams, lars_streams, rtlola_streams
from tests.live.driving import arrivals, cuts
from tests.live.test_cql_law import in_order, random_at, written
from tests.spark.streaming.in_memory import Operator
from tests.strategies.cql_queries import random_queries

from horae.data.columns import fitted, plain_columns
from horae.data.predicate_facts import columns_of_facts
from horae.data.validate import in_order as events_in_order
from horae.engine.contract import Routed
from horae.languages.cql.kernel.answers import no_answers as no_cql_answers
from horae.languages.cql.kernel.answers import sorted_answers
from horae.languages.lars.answers import lars_answers
from horae.languages.lars.kernel.answers import no_answers
from horae.languages.lars.live import live_lars
from horae.languages.lars.plan.route_program import route_program
from horae.source.errors import InputError
from horae.spark.failures import MarkedError, recognise
from horae.spark.streaming.watermark import Watermark


@dataclass(frozen=True)
class Case:
    """`batch` answers the rows with these numbers; `read` makes the answers of a stream comparable."""

    shown: str
    program: Routed
    rows: pa.Table
    lateness: int
    batch: Callable[[Sequence[int]], object]
    read: Callable[[list[pa.Table]], object]


# --- how rows come


@dataclass(frozen=True)
class Came:
    """The numbers of the rows of each micro-batch, and the source of each row."""

    batches: list[list[int]]
    homes: list[int]
    watermark: Watermark

    def on_time(self, times: Sequence[int]) -> list[int]:
        """By the definition: not before the limit that the micro-batches before have set."""
        kept: list[int] = []
        greatest: list[int | None] = [None] * self.watermark.sources
        for batch in self.batches:
            limit = None if None in greatest else _least(greatest) - self.watermark.lateness
            kept += [n for n in batch if limit is None or times[n] >= limit]
            for n in batch:
                before = greatest[self.homes[n]]
                greatest[self.homes[n]] = times[n] if before is None else max(before, times[n])
        return kept


def _least(times: Iterable[int | None]) -> int:
    return min(time for time in times if time is not None)


def random_coming(rng: Random, times: Sequence[int], lateness: int) -> Came:
    """Half of the time no row is late."""
    spread = (max(times) - min(times)) // 3 if len(times) and rng.random() < 0.5 else 0
    batches = cuts(rng, arrivals(rng, times, lateness + spread))
    sources = rng.choice((1, 1, 2, 3))
    homes = [rng.randrange(sources) for _ in times]
    return Came(batches, homes, Watermark(lateness, sources))


def run(case: Case, came: Came, operator: Operator, rng: Random) -> object:
    try:
        for place, batch in enumerate(came.batches):
            parts = [
                (source, _taken(case.rows, [n for n in part if came.homes[n] == source]))
                for part in _partitions(rng, batch)
                for source in range(came.watermark.sources)
            ]
            operator.run(parts, is_last=place == len(came.batches) - 1)
    except MarkedError as error:
        found = recognise(str(error))
        assert found is not None
        return found.code
    return case.read(operator.answers)


def _partitions(rng: Random, batch: Sequence[int]) -> list[list[int]]:
    places = [rng.randrange(3) for _ in batch]
    return [[n for n, at in zip(batch, places, strict=True) if at == place] for place in range(3)]


def _taken(rows: pa.Table, numbers: Sequence[int]) -> pa.Table:
    return rows.take(pa.array(numbers, pa.int64())).combine_chunks()


# --- the languages


def _or_code(answers: Callable[[], object]) -> object:
    try:
        return answers()
    except InputError as error:
        return error.code


def lars(rng: Random) -> Case:
    case = lars_streams.random_case(rng)
    plan = route_program(case.program)

    def batch(numbers: Sequence[int]) -> object:
        facts = [*case.given, *(case.streamed[n] for n in numbers)]
        return _or_code(lambda: lars_streams.in_batch(case.program, facts, case.options))

    return Case(
        str(case),
        live_lars(plan, case.options, shards=case.shards, given=columns_of_facts(case.given)),
        lars_streams.rows_of(case.program, case.streamed),
        case.lateness,
        batch,
        lambda answers: lars_answers(pa.concat_tables([no_answers(), *answers])),
    )


def datalogmtl(rng: Random) -> Case:
    case = datalogmtl_streams.random_case(rng)
    live = case.live()

    def batch(numbers: Sequence[int]) -> object:
        facts = [*case.given, *(case.streamed[n] for n in numbers)]
        found = _or_code(
            lambda: datalogmtl_streams.in_batch(case.normal, facts, case.at, case.horizon)
        )
        return found if isinstance(found, str) else _sorted(found)

    return Case(
        str(case),
        live,
        datalogmtl_streams.rows_of(live, case.streamed),
        case.lateness * live.resolution // 2,
        batch,
        lambda answers: _sorted(a for table in answers for a in datalogmtl_streams.plain(table)),
    )


def _sorted(answers: Any) -> list[str]:
    return sorted(repr(sorted(answer.items())) for answer in answers)


def cql(rng: Random) -> Case:
    text, data, points = random_queries(rng, core=rng.random() < 0.2)
    program = checked(text)
    facts = in_order(rng, read_facts(program, data))
    at = random_at(rng, points)
    live, rows = cql_streams.live(program, facts, at, rng.randint(1, 4))
    streams = [item.name for item in program.inputs if item.is_stream]
    events = [fact for name in streams for fact in facts if fact[0] == name]
    others = [fact for fact in facts if fact[0] not in streams]

    def batch(numbers: Sequence[int]) -> object:
        chosen = [*others, *(events[n] for n in numbers)]
        return _or_code(lambda: written(cql_streams.batch(program, chosen, at)))

    def in_order_of_queries(answers: Sequence[pa.Table]) -> object:
        nothing = no_cql_answers(program)
        every = pa.concat_tables([nothing, *(fitted(part, nothing.schema) for part in answers)])
        return written(sorted_answers(every, program))

    return Case(
        f"{text}\n{facts} {at}",
        live,
        rows,
        rng.choice((0, 0, 1, 3, 20)),
        batch,
        in_order_of_queries,
    )


def rtlola(rng: Random) -> Case:
    stream = rtlola_streams.random_stream(rng)

    def batch(numbers: Sequence[int]) -> object:
        chosen = _taken(stream.table, numbers)
        events = events_in_order(chosen, by_content=True)
        parts = evaluate_table(stream.program, events, stream.live.options)
        found = _or_code(lambda: pa.concat_tables(parts))
        return rtlola_streams.plain(found) if isinstance(found, pa.Table) else found

    return Case(
        stream.shown(),
        stream.live,
        stream.rows,
        stream.lateness,
        batch,
        lambda answers: rtlola_streams.plain(
            pa.concat_tables(map(plain_columns, [stream.live.answers.empty_table(), *answers]))
        ),
    )


# --- the law


@pytest.fixture(autouse=True)
def _copies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """New workers find what the last ones left, also of other streams."""
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path))


def check(make: Callable[[Random], Case], seed: int) -> None:
    rng = Random(f"operator {seed}")
    case = make(rng)
    times = np.asarray(case.rows.column("time").to_numpy(), np.int64).tolist()
    came = random_coming(rng, times, case.lateness)
    operator = Operator(case.program, came.watermark, rng)
    on_time, shown = came.on_time(times), (seed, case.shown, case.rows.to_pylist(), came)
    found, expected = run(case, came, operator, rng), case.batch(on_time)
    assert found == expected, shown
    if not isinstance(found, str):
        missing = sorted(set(range(len(times))) - set(on_time))
        assert _shown(operator.late) == _shown([_taken(case.rows, missing)]), shown


def _shown(tables: Iterable[pa.Table]) -> list[str]:
    return sorted(str(row) for table in tables for row in table.to_pylist())


LANGUAGES = [rtlola, lars, datalogmtl, cql]


@pytest.mark.parametrize("make", LANGUAGES)
def test_random_streams(make: Callable[[Random], Case]):
    for seed in range(6):
        check(make, seed)


@pytest.mark.long
@pytest.mark.parametrize("block", range(6))
@pytest.mark.parametrize("make", LANGUAGES)
def test_many_random_streams(make: Callable[[Random], Case], block: int):
    for seed in range(100 + 50 * block, 150 + 50 * block):
        check(make, seed)
