"""When a run is asked to stop: what of its micro-batches is written, and what is a failure."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery

from horae.spark.streaming.metrics import Monitor
from horae.spark.streaming.run import LiveFiles, StreamRun, _Batches, _StoppedError


@dataclass
class _Told:
    """What Spark says of a query at some moment."""

    is_under_way: bool = False
    committed: int | None = None
    isActive: bool = True  # noqa: N815

    @property
    def status(self) -> dict[str, Any]:
        return {"isTriggerActive": self.is_under_way}

    @property
    def lastProgress(self) -> dict[str, Any] | None:  # noqa: N802
        return None if self.committed is None else {"batchId": self.committed}


@dataclass
class _Lost:
    """The rows of a micro-batch whose job was cancelled."""

    def persist(self, _: object) -> None:
        raise RuntimeError("the job was cancelled")


def _are_settled(batches: _Batches, **told: Any) -> bool:
    return batches.are_settled(cast(StreamingQuery, _Told(**told)))


def _run(batches: _Batches) -> StreamRun:
    """Nothing comes so far that it needs its other parts."""
    files, monitor = cast(LiveFiles, SimpleNamespace(is_at_once=False)), cast(Monitor, None)
    return StreamRun(files, [], monitor, lambda: None, threading.Event(), _batches=batches)


def _take(run: StreamRun, number: int) -> None:
    with pytest.raises((RuntimeError, _StoppedError)):
        run._take(cast(DataFrame, _Lost()), number)


def test_none_begins_after_all_are_settled():
    batches = _Batches()
    batches.limit()
    assert _are_settled(batches)
    with pytest.raises(_StoppedError):
        batches.begin(0)


def test_the_one_under_way_is_waited_for():
    batches = _Batches()
    batches.limit()
    assert not _are_settled(batches, is_under_way=True)
    batches.begin(0)
    assert not _are_settled(batches)
    batches.end(0)
    assert not _are_settled(batches, is_under_way=True), "it is not committed yet"
    assert _are_settled(batches, committed=0)


def test_the_one_after_it_is_not():
    batches = _Batches()
    batches.limit()
    batches.begin(0)
    batches.end(0)
    assert _are_settled(batches, is_under_way=True, committed=0)
    with pytest.raises(_StoppedError):
        batches.begin(1)


def test_one_that_the_end_cuts_off_is_no_failure():
    run = _run(_Batches(_count=1, _most=1))
    _take(run, 1)
    assert isinstance(run._error, _StoppedError)


def test_one_that_fails_before_is_a_failure():
    run = _run(_Batches(_count=0, _most=1))
    _take(run, 0)
    assert isinstance(run._error, RuntimeError)
