"""A live program run by the command line: micro-batch by micro-batch, into its sinks.

A micro-batch that runs again after a crash has the same number and answers.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery

from horae.data.roll import Roll
from horae.engine.run import Run
from horae.source.errors import InputError
from horae.spark.failures import cause_of
from horae.spark.streaming.checkpoint import Checkpoint
from horae.spark.streaming.damage import recognise_damage
from horae.spark.streaming.metrics import Monitor
from horae.spark.streaming.shard_metrics import ShardMetrics
from horae.spark.streaming.sinks.micro_batch import MicroBatch, Sink, collected, kept
from horae.spark.streaming.stream import Live

_POLL = 0.1  # seconds


@dataclass(frozen=True)
class LiveFiles:
    """A stream that is ready to run.

    `roll` has the names that were met; `resolution` is the number of ticks in a second. `is_at_once`:
    all that is there comes in one micro-batch, and no other run goes on from the checkpoint.
    """

    run: Run
    live: Live
    checkpoint: Checkpoint
    roll: Roll
    resolution: int = 1
    is_at_once: bool = False


@dataclass
class RowCounts:
    """What the micro-batches of a run had."""

    answers: int = 0
    late: int = 0
    bad: int = 0

    def add(self, shards: Sequence[ShardMetrics]) -> None:
        self.answers += sum(shard.answers for shard in shards)
        self.late += sum(shard.late for shard in shards)
        self.bad += sum(shard.bad for shard in shards)


class _StoppedError(Exception):
    """Refuses a micro-batch that began after the run was asked to stop; it runs again next time."""


@dataclass
class _Batches:
    """Which micro-batches were written; after `limit`, the one that is under way is the last."""

    done: int | None = None
    _count: int = 0
    _most: int | None = None
    _is_writing: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def are_over(self) -> bool:
        return self._most is not None and self._count >= self._most

    def begin(self, number: int) -> None:
        with self._lock:
            if self.are_over:
                raise _StoppedError(f"the run ends before micro-batch {number}")
            self._is_writing = True

    def end(self, number: int) -> None:
        with self._lock:
            self.done, self._count = number, self._count + 1
            self._is_writing = False

    def limit(self) -> None:
        with self._lock:
            self._most = self._count + 1

    def are_settled(self, query: StreamingQuery) -> bool:
        """No other one will be written, and those that are written are committed.

        Spark tells of a micro-batch after its commit.
        """
        if not self._close(is_under_way=query.status["isTriggerActive"]):
            return False
        told = query.lastProgress
        return self.done is None or (told is not None and told["batchId"] >= self.done)

    def _close(self, *, is_under_way: bool) -> bool:
        """One that is under way may still be written, unless it comes after the last."""
        with self._lock:
            if self._is_writing or (is_under_way and self._count != self._most):
                return False
            self._most = self._count
            return True


@dataclass
class StreamRun:
    """`stop` ends the run after the micro-batch that is under way; `show` is called now and then."""

    files: LiveFiles
    sinks: Sequence[Sink]
    monitor: Monitor
    show: Callable[[], None]
    stop: threading.Event
    counts: RowCounts = field(default_factory=RowCounts)
    _batches: _Batches = field(default_factory=_Batches)
    _error: Exception | None = None

    def until_stopped(self, every: str) -> None:
        self._run({"processingTime": every})

    def check_names(self) -> None:
        """What was awaited and never came."""
        self.files.roll.check()

    def available(self, *, finish: bool) -> None:
        """All that is there; with `finish`, nothing comes any more.

        What is told at the end of a micro-batch may be told with its rows.
        """
        if finish and self.files.is_at_once:
            self.files.checkpoint.finish()
        was_finished = self.files.checkpoint.is_finished
        self._run({"availableNow": True})
        if finish and not was_finished and not self.stop.is_set():
            self.files.checkpoint.finish()
            self._run({"availableNow": True})

    # --- the query

    def _run(self, trigger: dict[str, Any]) -> None:
        problem: Exception | None
        try:
            query = self._start(trigger)
            self._wait(query)
            query.stop()
            problem = query.exception()
        except (PySparkException, Py4JError) as error:
            problem = error
        if self._error is not None:
            problem = self._error
        if problem is not None and not isinstance(problem, _StoppedError):
            raise self._understood(problem) from problem

    def _start(self, trigger: dict[str, Any]) -> StreamingQuery:
        writer = self.files.live.results.writeStream.foreachBatch(self._take)
        location = self.files.checkpoint.location
        return writer.option("checkpointLocation", location).trigger(**trigger).start()

    def _wait(self, query: StreamingQuery) -> None:
        """Until the query ends by itself, or is asked to and its last micro-batch is committed."""
        while query.isActive and not self.stop.wait(_POLL):
            self.show()
        if self.stop.is_set():
            self._batches.limit()
        while query.isActive and not self._batches.are_settled(query):
            time.sleep(_POLL)
        self.show()

    # --- micro-batches, in a thread of Spark's

    def _take(self, frame: DataFrame, number: int) -> None:
        try:
            with self._results(frame, number) as batch:
                self._hand_on(batch)
        except Exception as error:
            is_cut_off = self._batches.are_over  # by the end of the query; it runs again next time
            self._error = _StoppedError(str(error)) if is_cut_off else error
            raise

    def _results(self, frame: DataFrame, number: int) -> AbstractContextManager[MicroBatch]:
        """Little that only the driver takes comes at once; all else waits at the workers."""
        if self.files.is_at_once and all(sink.is_in_driver for sink in self.sinks):
            return nullcontext(collected(frame, number))
        return kept(frame, number)

    def _hand_on(self, batch: MicroBatch) -> None:
        """To the sinks, and to who watches."""
        metrics = batch.metrics
        self._batches.begin(batch.number)
        self.files.roll.check_unknown()
        for sink in self.sinks:
            sink.write(batch)
        self.counts.add(metrics)
        self.monitor.take(metrics, batch.number)
        self._batches.end(batch.number)

    # --- failures

    def _understood(self, error: Exception) -> Exception:
        if isinstance(error, InputError | BrokenPipeError):
            return error
        text = str(error)
        known = cause_of(text)
        return known or recognise_damage(text, self.files.checkpoint.location) or error
