"""The law for LARS through Structured Streaming: random streams, cut, spread and restarted."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from tests.live.lars_streams import Answers, Case, in_batch, random_case, rows_of
from tests.live.test_lars_law import agrees_with_the_reference
from tests.spark.streaming.driving import Course, Folders, random_course, set_up

from horae.data.fact_columns import SCHEMA, to_columns
from horae.languages.lars.answers import lars_answers
from horae.languages.lars.kernel.answers import no_answers
from horae.languages.lars.run import LARSRun
from horae.source.errors import InputError
from horae.spark.bad_rows import strict
from horae.spark.doors import run_stream
from horae.spark.fact_frames import FACTS
from horae.spark.piped import Piped
from horae.spark.streaming.open_stream import LiveInput
from horae.spark.streaming.stream import Live, Settings


def _batch(case: Case) -> Answers | str:
    try:
        return in_batch(case.program, case.facts, case.options)
    except InputError as error:
        return error.code


def _live(case: Case, course: Course, folders: Folders) -> Live:
    settings = Settings(case.shards, Fraction(case.lateness), control=folders.control)
    given = pa.Table.from_batches([to_columns(case.given)])
    sources = folders.sources(course, SCHEMA).map(lambda frame: Piped(frame, (), FACTS))
    run = LARSRun(case.program, case.options)
    return run_stream(run, LiveInput(sources, given), settings, strict)


def _stream(case: Case, course: Course, folders: Folders) -> Answers | str:
    batches = course.tables(pa.Table.from_batches([to_columns(case.streamed)]))
    try:
        told = folders.run(lambda: _live(case, course, folders), batches, course.restarts)
    except InputError as error:
        return error.code
    assert not told.late
    assert told.events == len(case.streamed)
    return list(lars_answers(pa.concat_tables([no_answers(), *told.answers])))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(24))
def test_random_stream(spark: SparkSession, tmp_path: Path, seed: int):
    rng = Random(f"spark {seed}")
    case = random_case(rng)
    times = rows_of(case.program, case.streamed).column("time").to_numpy().tolist()
    course = random_course(rng, times, case.lateness)
    expected = _batch(case)
    with set_up(spark, course.partitions):
        found = _stream(case, course, Folders(spark, tmp_path))
    assert found == expected, (seed, case, course)
    assert isinstance(expected, str) or agrees_with_the_reference(case, expected)
