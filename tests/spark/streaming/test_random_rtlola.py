"""The law for RTLola through Structured Streaming: random streams, cut, spread and restarted.

The loops run as plain Python: numba would compile each of them anew.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from tests.languages.rtlola.kernel.driving import agree
from tests.live.rtlola_streams import (
    Answers,
    Stream,
    batched,
    plain,
    random_stream,
    referred,
    rendered,
)
from tests.spark.streaming.driving import Course, Folders, random_course, set_up

from horae.source.errors import InputError
from horae.spark.streaming.stream import Live, Settings, run_live


def _live(stream: Stream, course: Course, folders: Folders) -> Live:
    program, ticks = stream.live, stream.live.options.row_resolution
    settings = Settings(program.shards, Fraction(stream.lateness, ticks), control=folders.control)
    return run_live(program, folders.sources(course, program.rows), settings, resolution=ticks)


def _stream(stream: Stream, course: Course, folders: Folders) -> Answers:
    batches = course.tables(stream.rows)
    try:
        told = folders.run(lambda: _live(stream, course, folders), batches, course.restarts)
    except InputError as error:
        return error.code
    assert not told.late
    assert told.events == len(stream.rows)
    return plain(pa.concat_tables([stream.live.answers.empty_table(), *told.answers]))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(24))
def test_random_stream(spark: SparkSession, tmp_path: Path, seed: int):
    rng = Random(f"spark {seed}")
    stream = random_stream(rng)
    times = stream.rows.column("time").to_numpy().tolist()
    course = random_course(rng, times, stream.lateness)
    with set_up(spark, course.partitions):
        found = _stream(stream, course, Folders(spark, tmp_path))
    shown = (seed, stream.shown(), course)
    assert found == batched(stream), shown
    assert agree(rendered(found, stream), referred(stream)), shown
