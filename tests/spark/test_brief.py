"""Runs over little input: which ones they are, and what their workers load."""

from __future__ import annotations

import subprocess
import sys

import pytest
from pyspark import SparkContext

from horae.data import own_process
from horae.spark.brief import Brief, Kind, brief_run
from horae.spark.session import settings, starting
from horae.spark.worker_daemon import LOADS

_LOADED = (
    "from horae.spark.worker_daemon import load; load()\n"
    "import sys; print(*sys.modules)\n"
    "import pandas, pyarrow"
)


@pytest.mark.parametrize(("size", "shards"), [(0, 1), (1 << 20, 1), (1 << 21, None)])
def test_a_little_input_needs_one_shard(size, shards):
    found = brief_run(Kind.BATCH, size)
    assert found is not None
    assert found.shards == shards


@pytest.mark.parametrize("size", [None, 1 << 27])
def test_a_large_input_and_one_of_no_known_size_are_not_brief(size):
    assert brief_run(Kind.STREAM, size) is None


def test_only_a_brief_run_has_workers_of_our_own():
    ours = {*settings("local[2]", None, brief=Brief(Kind.BATCH, 0))} - {*settings("local[2]", None)}
    assert "spark.python.daemon.module" in ours


def test_a_program_that_calls_horae_has_a_session_like_any_other(monkeypatch):
    """It may go on with it, and with pandas in its workers."""
    monkeypatch.setattr(SparkContext, "_active_spark_context", None)
    monkeypatch.setattr(SparkContext, "_gateway", object())
    assert starting(brief=Brief(Kind.BATCH, 0)).brief is None
    monkeypatch.setattr(own_process, "is_claimed", lambda: True)
    assert starting(brief=Brief(Kind.BATCH, 0)).brief is not None
    monkeypatch.setattr(SparkContext, "_active_spark_context", object())
    assert starting(brief=Brief(Kind.BATCH, 0)).brief is None


def test_shards_that_are_asked_for_are_those_that_run():
    few = settings("local[2]", None, brief=Brief(Kind.STREAM, 10))
    asked = settings("local[2]", 3, brief=Brief(Kind.STREAM, 10))
    key = "spark.sql.shuffle.partitions"
    assert (few[key], asked[key]) == ("1", "3")


def loaded(more: str, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    monkeypatch.setenv(LOADS, more)
    run = subprocess.run(
        [sys.executable, "-c", _LOADED], capture_output=True, text=True, check=True
    )
    return {*run.stdout.split()}


def test_workers_have_horae_before_they_are_forked(monkeypatch):
    modules = loaded("", monkeypatch)
    assert {"pyspark.worker", "pyarrow", "horae.spark.batch"} <= modules
    assert not {"pandas", "numba"} & modules


def test_a_stream_has_pandas_too_and_what_is_not_there_is_passed_over(monkeypatch):
    assert "pandas" in loaded("no_such_module,pandas", monkeypatch)
