"""`horae run` over files on HDFS: all languages give what they give over the same files here."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.hdfs.runs import NAMES, Runs, call, read_lines

from horae.spark.file_system import FileSystem

pytestmark = [pytest.mark.hdfs, pytest.mark.spark]

_TABLES = ("--format", "parquet")


@pytest.fixture(scope="module")
def answered(runs: Runs) -> Runs:
    answers = [runs.batch(name, runs.answers(name, "batch")) for name in NAMES]
    tables = [[*runs.batch(name, runs.place(f"{name}.tables")), *_TABLES] for name in NAMES]
    call([*answers, *tables], is_quiet=False)
    return runs


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_over_hdfs(answered: Runs, name: str):
    assert read_lines(Path(answered.answers(name, "batch"))) == answered.expected(name)


@pytest.mark.parametrize("name", NAMES)
def test_tables_on_hdfs(answered: Runs, spark: SparkSession, name: str):
    """Written by workers: a table per output, which have all answers together."""
    folder = answered.place(f"{name}.tables")
    tables = FileSystem(spark).names(folder)
    rows = [spark.read.parquet(f"{folder}/{table}").count() for table in tables]
    assert sum(rows) == len(answered.expected(name)) > 0
