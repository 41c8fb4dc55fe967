"""A first look at tables of facts: what it asks Spark says the same as reading every row."""

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

PROGRAMS = {
    "datalogmtl": "q(X) :- Diamondminus[0,2] p(X), not r(X).",
    "lars": "q(X) :- win[2] <> p(X), not r(X).",
}
NAMES = sorted(PROGRAMS)
ROWS = [(3, "a"), (4, "b"), (-0, "a"), (9, "a")]


def program(language: str) -> horae.Program:
    return horae.compile(PROGRAMS[language], language)


def look(language: str, frames: dict[str, DataFrame], **options: Any) -> FirstLook:
    run = program(language).prepare(options)
    return look_at(run, door_of(run).frames(frames))


def answered(language: str, frames: dict[str, DataFrame], **options: Any) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in program(language).answers(frames, "q", **options).collect())


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("argument", ["bigint", "string", "boolean", "tinyint"])
def test_tables_in_which_nothing_can_be_wrong(spark: SparkSession, language: str, argument: str):
    rows = spark.createDataFrame([(time, 1) for time, _ in ROWS], "time int, id int")
    found = look(language, {"p": rows.selectExpr("time", f"cast(id as {argument}) as id")})
    assert not found.unread
    assert found.witnesses.column("low").to_pylist() == [0, 9]


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        ("time int, id string", [(1, "a"), (2, None)]),
        ("time int, id string", [(1, "a"), (None, "b")]),
        ("time double, id string", [(1.5, "a")]),
        ("time int, id double", [(1, 0.5)]),
        ("id string", [("a",)]),
        ("`from` int, `to` int, id string", [(1, 2, "a")]),
    ],
)
def test_tables_that_are_read(spark: SparkSession, language: str, columns: str, rows: list[Any]):
    assert look(language, {"p": spark.createDataFrame(rows, columns)}).unread


def test_moments_of_a_clock_with_ticks(spark: SparkSession):
    at = [datetime(2026, 1, 2, 3, 4, 5), datetime(2026, 1, 2, 3, 4, 5, 500_000)]
    whole = spark.createDataFrame([(at[0], "a")], "time timestamp, id string")
    assert not look("lars", {"p": whole}).unread
    assert look("datalogmtl", {"p": whole}).unread
    both = spark.createDataFrame([(time, "a") for time in at], "time timestamp, id string")
    assert look("lars", {"p": both}).unread
    assert not look("lars", {"p": both}, precision="ms").unread


@pytest.mark.parametrize("at", [None, "events"])
def test_each_table_for_itself(spark: SparkSession, at: str | None):
    """Evaluation at the times of facts needs all of them."""
    sound = spark.createDataFrame(ROWS, "time int, id string")
    half = spark.createDataFrame([(0.5, "a")], "time double, id string")
    found = look("datalogmtl", {"p": sound, "r": half}, at=at)
    assert len(found.unread) == (1 if at is None else 2)


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("others", ["time int, id string", "time double, id string", "id string"])
def test_answers_are_those_of_tables_that_are_read(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, language: str, others: str
):
    row = (4, "a") if others.startswith("time int") else (4.0, "a")
    frames = {
        "p": spark.createDataFrame(ROWS, "time int, id string"),
        "r": spark.createDataFrame([row[-len(others.split(",")) :]], others),
    }
    looked = answered(language, frames)
    nothing = program(language).prepare({}).records.empty_table()
    monkeypatch.setattr(doors, "look_at", lambda run, records: FirstLook(nothing, tuple(records)))
    assert looked == answered(language, frames)
    assert looked


@pytest.mark.parametrize("language", NAMES)
def test_python_reads_no_row_of_a_sound_table(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, language: str
):
    monkeypatch.setattr(doors, "refuse_bad", lambda rows: pytest.fail("rows were read"))
    assert answered(language, {"p": spark.createDataFrame(ROWS, "time int, id string")})


def test_what_a_program_refuses_is_named_with_its_row(spark: SparkSession):
    """No time point is before 0: that is no matter of a column's type."""
    frame = spark.createDataFrame([(1, "a"), (-1, "b")], "time int, id string")
    with pytest.raises(InputError) as caught:
        program("lars").answers({"p": frame})
    assert '"args": ["b"]' in caught.value.place


def test_ticks_that_are_too_many(spark: SparkSession):
    frame = spark.createDataFrame([(2**62 + 1, "a")], "time long, id string")
    with pytest.raises(InputError, match=str(2**62 + 1)):
        program("lars").answers({"p": frame})
