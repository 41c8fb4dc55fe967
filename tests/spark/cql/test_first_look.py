"""A first look at tables of streams: what it asks Spark says the same as reading every row."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

import horae
from horae.source.errors import InputError
from horae.spark import doors
from horae.spark.doors import door_of
from horae.spark.first_look import FirstLook, look_at

pytestmark = pytest.mark.spark

PROGRAM = horae.compile(
    "REGISTER STREAM s(a int, x double, b bool, t string);"
    "REGISTER RELATION r(a int);"
    "q: SELECT s.a, SUM(x) AS total FROM s [RANGE 5], r WHERE s.a = r.a GROUP BY s.a;",
    language="cql",
)
COLUMNS = "time int, a int, x double, b boolean, t string"
ROWS = [(1, 1, 0.5, True, "u"), (3, 1, 1.0, False, "v"), (7, 2, 2.0, True, "w")]


def look(frames: dict[str, DataFrame], **options: Any) -> FirstLook:
    run = PROGRAM.prepare(options)
    return look_at(run, door_of(run).frames(frames))


def answered(frames: dict[str, DataFrame]) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in PROGRAM.answers(frames, "q", at="every 1").collect())


def test_a_stream_in_which_nothing_can_be_wrong(spark: SparkSession):
    found = look({"s": spark.createDataFrame(ROWS, COLUMNS)})
    assert not found.unread
    assert found.witnesses.column("time").to_pylist() == [1, 7]


def test_relations_are_read(spark: SparkSession):
    frames = {
        "s": spark.createDataFrame(ROWS, COLUMNS),
        "r": spark.createDataFrame([(1,)], "a int"),
    }
    assert len(look(frames).unread) == 1


@pytest.mark.parametrize(
    ("columns", "row"),
    [
        (COLUMNS, (-1, 1, 0.5, True, "u")),
        (COLUMNS, (None, 1, 0.5, True, "u")),
        (COLUMNS, (1, None, 0.5, True, "u")),
        (COLUMNS, (1, 1, float("nan"), True, "u")),
        (COLUMNS, (1, 1, None, True, "u")),
        (COLUMNS, (1, 1, 0.5, True, None)),
        (COLUMNS.replace("x double", "x bigint"), (1, 1, 2**53 + 1, True, "u")),
        (COLUMNS.replace("time int", "time double"), (1.0, 1, 0.5, True, "u")),
        (COLUMNS.replace("a int", "a double"), (1, 1.0, 0.5, True, "u")),
        (COLUMNS.replace("b boolean", "b string"), (1, 1, 0.5, "true", "u")),
    ],
)
def test_streams_that_are_read(spark: SparkSession, columns: str, row: tuple[Any, ...]):
    assert look({"s": spark.createDataFrame([row], columns)}).unread


def test_moments_that_are_time_points(spark: SparkSession):
    moments = [datetime(2026, 1, 2, 3, 4, 5), datetime(2026, 1, 2, 3, 4, 5, 500_000)]
    columns = COLUMNS.replace("time int", "time timestamp_ntz")
    whole, half = (spark.createDataFrame([(at, *ROWS[0][1:])], columns) for at in moments)
    assert not look({"s": whole}).unread
    assert look({"s": half}).unread
    assert not look({"s": half}, precision="ms").unread


def test_answers_are_those_of_a_table_that_is_read(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
):
    frames = {
        "s": spark.createDataFrame(ROWS, COLUMNS),
        "r": spark.createDataFrame([(1,)], "a int"),
    }
    looked = answered(frames)
    nothing = PROGRAM.prepare({}).records.empty_table()
    monkeypatch.setattr(doors, "look_at", lambda run, records: FirstLook(nothing, tuple(records)))
    assert looked == answered(frames)
    assert looked


def test_a_wrong_row_is_named(spark: SparkSession):
    frame = spark.createDataFrame([*ROWS, (-1, 1, 0.5, True, "bad")], COLUMNS)
    with pytest.raises(InputError, match="-1") as caught:
        PROGRAM.answers({"s": frame})
    assert '"t": "bad"' in caught.value.place
