"""Spark's timestamps of both kinds, and numbers with a unit, in batch and as a stream."""

from __future__ import annotations

import json
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from tests.data.test_times_as_users_have_them import ANSWERS, ISO, KEYS, PRECISION, PROGRAMS
from tests.typed_answers import answers_in, seconds

import horae
from horae.cli.main import main

pytestmark = pytest.mark.spark

TIMES = {
    "TIMESTAMP": ("to_timestamp(concat(text, 'Z'))", {}),
    "TIMESTAMP_NTZ": ("cast(text as timestamp_ntz)", {}),
    "BIGINT": ("unix_millis(to_timestamp(concat(text, 'Z')))", {"time_unit": "ms"}),
}
OFTEN = [("rtlola", "TIMESTAMP_NTZ"), ("datalogmtl", "BIGINT")]
OFTEN += [("lars", "TIMESTAMP_NTZ"), ("cql", "TIMESTAMP")]
SELDOM = [(language, kind) for language in PROGRAMS for kind in TIMES]
SELDOM = [case for case in SELDOM if case not in OFTEN]


def frame(spark: SparkSession, kind: str) -> DataFrame:
    rows = spark.createDataFrame(list(zip(KEYS, ISO, strict=True)), "k string, text string")
    return rows.select("k", f.expr(TIMES[kind][0]).alias("time"))


def expected(language: str) -> list[tuple[object, ...]]:
    """The times in milliseconds, and what is answered for them."""
    return sorted(_essence(language, row) for row in ANSWERS[language])


def _essence(language: str, row: Any) -> tuple[object, ...]:
    if language == "rtlola":
        return row["time"] * 1000, row["value"]
    if language == "datalogmtl":
        return Fraction(row["interval"][1:-1].split(",")[0]) * 1000, row["args"][0]
    return row["time"], row["row" if language == "cql" else "args"][0]


def milliseconds(time: Any) -> object:
    return Fraction(seconds(time)) * 1000 if isinstance(time, datetime) else time


def check(spark: SparkSession, language: str, kind: str) -> None:
    events, options = frame(spark, kind), {**TIMES[kind][1], **PRECISION.get(language, {})}
    inputs = events if language == "rtlola" else {"p": events}
    answers = horae.compile(PROGRAMS[language], language).answers(inputs, **options)
    assert answers.schema["time"].dataType.simpleString() == kind.lower()
    found = answers_in(answers.toArrow())
    values = {"rtlola": "value", "cql": "k"}
    named = values.get(language, "arg1")
    assert sorted((milliseconds(time), row[named]) for _, time, row in found) == expected(language)


@pytest.mark.parametrize(("language", "kind"), OFTEN)
def test_frames(spark: SparkSession, language: str, kind: str):
    check(spark, language, kind)


@pytest.mark.long
@pytest.mark.parametrize(("language", "kind"), SELDOM)
def test_all_frames(spark: SparkSession, language: str, kind: str):
    check(spark, language, kind)


@pytest.mark.parametrize("language", ["lars", pytest.param("cql", marks=pytest.mark.long)])
def test_streams(language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Time points are milliseconds, and so are the numbers of the input; lateness is a duration."""
    spec, events = tmp_path / f"spec.{language}", tmp_path / "events"
    spec.write_text(PROGRAMS[language])
    events.mkdir()
    rows = [f"{k},{t}" for k, t in zip(KEYS, ISO, strict=True)]
    (events / "p.csv").write_text("\n".join(["k,time", *rows]) + "\n")
    run = ["run", str(spec), "--input", f"p={events}/*.csv", "--precision", "ms", "--stream"]
    run += ["--finish", "--lateness", "1.5 s", "--checkpoint", str(tmp_path / "checkpoint")]
    assert main(run) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert found == ANSWERS[language]
