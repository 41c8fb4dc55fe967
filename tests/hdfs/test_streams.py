"""Streams of a directory on HDFS, with checkpoints there: nothing is lost or twice after a kill."""

from __future__ import annotations

import pytest
from tests.hdfs.runs import NAMES, Runs, call, in_order, kill_when

pytestmark = [pytest.mark.hdfs, pytest.mark.spark]

_KILLED = "rtlola"


@pytest.fixture(scope="module")
def answered(runs: Runs) -> Runs:
    """In one process."""
    call([runs.stream(name, "--finish") for name in NAMES if name != _KILLED])
    return runs


@pytest.mark.parametrize("name", [name for name in NAMES if name != _KILLED])
def test_a_stream_of_a_directory(answered: Runs, name: str):
    assert len(list(answered.out(name).glob("batch-*.jsonl"))) > 2
    assert in_order(answered.streamed(name)) == in_order(answered.expected(name))


def test_a_stream_that_is_killed(runs: Runs):
    words = runs.stream(_KILLED, "--finish")
    kill_when(words, lambda: len(list(runs.out(_KILLED).glob("batch-*.jsonl"))) > 2)
    assert len(runs.streamed(_KILLED)) < len(runs.expected(_KILLED))
    call([words])
    assert in_order(runs.streamed(_KILLED)) == in_order(runs.expected(_KILLED))
