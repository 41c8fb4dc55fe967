"""Bad rows of DataFrames in batch: `answers` names the row, and Spark has nothing to complain about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

import horae

pytestmark = pytest.mark.spark

LOLA = horae.compile("input int a\noutput int s := s[-1, 0] + a")
DMTL = horae.compile("q(X) :- Diamondminus[0,1] p(X).", language="datalogmtl")
LARS = horae.compile("q(X) :- win[3] <> p(X).", language="lars")
CQL = horae.compile("REGISTER STREAM p(x string);\nq: SELECT x FROM p [RANGE 3];", language="cql")
CASES: dict[str, Callable[[DataFrame], Any]] = {
    "rtlola": LOLA.answers,
    "datalogmtl": lambda frame: DMTL.answers({"p": frame}),
    "lars": lambda frame: LARS.answers({"p": frame}),
    "cql": lambda frame: CQL.answers({"p": frame}),
}


@contextmanager
def job_group(spark: SparkSession, name: str) -> Iterator[None]:
    """The jobs of the block are found under this name; the session is as before after it."""
    properties = ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel")
    spark.sparkContext.setJobGroup(name, name)
    try:
        yield
    finally:
        for key in properties:
            spark.sparkContext.setLocalProperty(key, None)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", CASES)
def test_a_bad_row_is_named_and_fails_no_task(spark: SparkSession, language: str):
    column = "a" if language == "rtlola" else "x"
    rows = [("1", "1"), ("2", "soon"), ("3", "3")]
    frame = spark.createDataFrame(rows, f"{column} string, time string")
    with job_group(spark, language), pytest.raises(horae.InputError) as caught:
        CASES[language](frame)
    assert "`soon`" in caught.value.message
    assert "the row {" in caught.value.place
    assert '"2"' in caught.value.place
    assert "help: " in str(caught.value)
    assert spark.sparkContext._jsc is not None
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()  # which tells the tracker
    tracker = spark.sparkContext.statusTracker()
    states = [tracker.getJobInfo(job).status for job in tracker.getJobIdsForGroup(language)]  # type: ignore[union-attr]
    assert states
    assert set(states) == {"SUCCEEDED"}


@pytest.mark.parametrize("language", CASES)
def test_good_rows_are_answered(spark: SparkSession, language: str):
    column = "a" if language == "rtlola" else "x"
    frame = spark.createDataFrame([("1", "1"), ("1", "2")], f"{column} string, time string")
    assert CASES[language](frame).collect()
