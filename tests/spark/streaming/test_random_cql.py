"""The law for CQL through Structured Streaming: random streams, cut, spread and restarted.

Each registered stream is a source of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from tests.cql_facts import read_facts
from tests.languages.cql.kernel.driving import checked
from tests.live.cql_streams import At, batch, times_of, typed
from tests.live.test_cql_law import in_order, random_at, written
from tests.spark.streaming.driving import Batch, Course, Folders, random_course, set_up
from tests.strategies.cql_queries import random_queries

from horae.data.rows_of_inputs import ORDER, TIME, schema_of
from horae.data.schema import RegisteredInput
from horae.data.time_points import read_evaluation_times
from horae.languages.cql.kernel.answers import no_answers, sorted_answers
from horae.languages.cql.options import CQLOptions
from horae.languages.cql.program import Program
from horae.languages.cql.run import CQLRun
from horae.reference.cql import Fact, RunError
from horae.reference.cql import evaluate as refer
from horae.source.errors import InputError
from horae.spark.bad_rows import strict
from horae.spark.doors import door_of, run_stream
from horae.spark.streaming.stream import Live, Settings


@dataclass(frozen=True)
class Case:
    text: str
    program: Program
    facts: tuple[Fact, ...]
    at: At
    lateness: int
    shards: int

    @property
    def streams(self) -> list[RegisteredInput]:
        return [item for item in self.program.inputs if item.is_stream]

    @property
    def events(self) -> list[Fact]:
        """The facts of streams."""
        names = {item.name.lower() for item in self.streams}
        return [fact for fact in self.facts if fact[0].lower() in names]


def _random_case(rng: Random) -> Case:
    text, data, points = random_queries(rng, core=rng.random() < 0.2)
    program = checked(text)
    facts = tuple(in_order(rng, read_facts(program, data)))
    at = random_at(rng, points)
    return Case(text, program, facts, at, rng.choice((0, 0, 1, 3, 20)), rng.randint(1, 4))


def _live(case: Case, folders: Folders) -> Live:
    known = typed(case.program, case.facts)
    frames = {
        item.name: folders.stream(item.name, _named(item, schema_of(item).empty_table()).schema)
        if item.is_stream
        else _frame(folders.spark, _named(item, known[item.name]))
        for item in case.program.inputs
    }
    settings = Settings(case.shards, Fraction(case.lateness), control=folders.control)
    options = CQLOptions(time=TIME, order=ORDER, at=read_evaluation_times(case.at))
    run = CQLRun(case.program, options)
    return run_stream(run, door_of(run).live_frames(frames, strict), settings, strict)


def _named(item: RegisteredInput, table: pa.Table) -> pa.Table:
    """With the names of the text."""
    names = [column.name for column in item.columns]
    return table.rename_columns([*names, *([TIME, ORDER] if item.is_stream else [])])


def _frame(spark: SparkSession, table: pa.Table) -> DataFrame:
    rows = [tuple(row.values()) for row in table.to_pylist()]
    return spark.createDataFrame(rows, from_arrow_schema(table.schema))


def _batches(case: Case, course: Course) -> list[Batch]:
    """For each micro-batch the rows of each stream."""
    numbers = [*course.batches, ()] if course.ends_alone else course.batches
    return [_tables(case, [case.events[n] for n in batch]) for batch in numbers]


def _tables(case: Case, facts: Sequence[Fact]) -> Mapping[str, pa.Table]:
    found = typed(case.program, facts)
    return {item.name: _named(item, found[item.name]) for item in case.streams}


def _stream(case: Case, course: Course, folders: Folders) -> list[str] | str:
    batches = _batches(case, course)
    try:
        told = folders.run(lambda: _live(case, folders), batches, course.restarts)
    except InputError as error:
        return error.code
    assert not told.late
    assert told.events == len(case.events)
    every = pa.concat_tables([no_answers(case.program), *told.answers])
    return written(sorted_answers(every, case.program))


def _expected(case: Case) -> list[str] | None:
    """None: they cannot be computed."""
    times = times_of(case.program, case.facts, case.at)
    try:
        return written(refer(case.program, case.facts, at=times))
    except RunError:
        return None


@pytest.mark.long
@pytest.mark.parametrize("seed", range(24))
def test_random_stream(spark: SparkSession, tmp_path: Path, seed: int):
    rng = Random(f"spark {seed}")
    case = _random_case(rng)
    times = [fact[2] for fact in case.events if fact[2] is not None]
    course = random_course(rng, times, case.lateness, sources=1)
    expected = _expected(case)
    with set_up(spark, course.partitions):
        found = _stream(case, course, Folders(spark, tmp_path))
    shown = (seed, case.text, case, course)
    if expected is None:
        assert isinstance(found, str), shown
    else:
        assert found == expected == written(batch(case.program, case.facts, case.at)), shown
