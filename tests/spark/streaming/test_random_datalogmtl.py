"""The law for DatalogMTL through Structured Streaming: random streams, cut, spread and restarted."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from tests.live.datalogmtl_streams import (
    SIXTHS,
    Answers,
    Case,
    in_batch,
    plain,
    random_case,
    rows_of,
    same,
)
from tests.live.test_datalogmtl_law import agrees_with_the_reference
from tests.spark.streaming.driving import Course, Folders, random_course, set_up

from horae.data.fact_columns import SCHEMA, to_columns
from horae.languages.datalogmtl.options import DatalogMTLOptions
from horae.languages.datalogmtl.run import DatalogMTLRun
from horae.source.errors import InputError
from horae.spark.bad_rows import strict
from horae.spark.doors import run_stream
from horae.spark.fact_frames import FACTS
from horae.spark.piped import Piped
from horae.spark.streaming.open_stream import LiveInput
from horae.spark.streaming.stream import Live, Settings


def _batch(case: Case) -> Answers | str:
    try:
        return in_batch(case.normal, case.facts, case.at, case.horizon)
    except InputError as error:
        return error.code


def _live(case: Case, course: Course, folders: Folders) -> Live:
    """Its lateness is in halves."""
    settings = Settings(case.shards, Fraction(case.lateness, 2), control=folders.control)
    options = DatalogMTLOptions(precision=SIXTHS, at=case.at, horizon=case.horizon)
    run = DatalogMTLRun(case.normal.program, options)
    facts = folders.sources(course, SCHEMA).map(lambda frame: Piped(frame, (), FACTS))
    given = pa.Table.from_batches([to_columns(case.given)])
    return run_stream(run, LiveInput(facts, given), settings, strict)


def _stream(case: Case, course: Course, folders: Folders) -> Answers | str:
    batches = course.tables(pa.Table.from_batches([to_columns(case.streamed)]))
    try:
        told = folders.run(lambda: _live(case, course, folders), batches, course.restarts)
    except InputError as error:
        return error.code
    assert not told.late
    assert told.events == len(case.streamed)
    return [answer for table in told.answers for answer in plain(table)]


def _course(case: Case, rng: Random) -> Course:
    live = case.live()
    times = rows_of(live, case.streamed).column("time").to_numpy().tolist()
    return random_course(rng, times, case.lateness * live.resolution // 2)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(24))
def test_random_stream(spark: SparkSession, tmp_path: Path, seed: int):
    rng = Random(f"spark {seed}")
    case = random_case(rng)
    course = _course(case, rng)
    expected = _batch(case)
    with set_up(spark, course.partitions):
        found = _stream(case, course, Folders(spark, tmp_path))
    shown = (seed, case.normal.program.source.text, case, course)
    if isinstance(found, str) or isinstance(expected, str):
        assert found == expected, shown
    else:
        assert same(found, expected), shown
        assert agrees_with_the_reference(case, found), shown
