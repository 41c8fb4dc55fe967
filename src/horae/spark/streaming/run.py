"""A live program run by the command line: micro-batch by micro-batch, into a sink.

Answers and late rows come as parcels; they are opened here, in the driver. A micro-batch that runs
again after a crash has the same number and the same answers.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery

from horae.source.errors import InputError
from horae.spark.failures import recognise, unreadable
from horae.spark.streaming.checkpoint import Checkpoint, damaged
from horae.spark.streaming.parcels import Kind, unpack
from horae.spark.streaming.stream import Live

Answer = Mapping[str, Any]
_POLL = 0.3  # seconds


@dataclass(frozen=True)
class LiveFiles:
    """`answers` makes sorted answers of their table; `row` a late row readable."""

    live: Live
    checkpoint: Checkpoint
    answers: Callable[[pa.Table], Iterable[Answer]]
    row: Callable[[dict[str, Any]], Answer | None]


class Sink(Protocol):
    """Takes the answers and the late rows of the micro-batch with this number."""

    def __call__(self, number: int, answers: Iterable[Answer], late: list[Answer]) -> None: ...


@dataclass
class Run:
    """`stop` ends the run after the micro-batch that is under way."""

    files: LiveFiles
    sink: Sink
    report: Callable[[Mapping[str, Any]], None]
    stop: threading.Event
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closed: bool = False
    _done: int = 0
    _error: Exception | None = None

    def until_stopped(self, every: str) -> None:
        self._run({"processingTime": every})

    def available(self, *, finish: bool) -> None:
        """All that is there; with `finish`, nothing comes any more."""
        was_finished = self.files.checkpoint.is_finished
        self._run({"availableNow": True})
        if finish and not was_finished and not self.stop.is_set():
            self.files.checkpoint.finish()
            self._run({"availableNow": True})

    # --- the query

    def _run(self, trigger: dict[str, Any]) -> None:
        problem: Exception | None
        resumed = (self.files.checkpoint.path / "commits").exists()
        try:
            query = self._start(trigger)
            self._wait(query)
            self._close(query)
            problem = query.exception()
        except (PySparkException, Py4JError) as error:
            problem = error
        if self._error is not None:
            problem = self._error
        if problem is not None:
            raise self._understood(problem, resumed) from problem

    def _start(self, trigger: dict[str, Any]) -> StreamingQuery:
        writer = self.files.live.results.writeStream.foreachBatch(self._take)
        location = str(self.files.checkpoint.path.absolute())
        return writer.option("checkpointLocation", location).trigger(**trigger).start()

    def _wait(self, query: StreamingQuery) -> None:
        """Until the query ends by itself, or one is asked to stop and no micro-batch is under way."""
        while query.isActive and not self.stop.wait(_POLL):
            self._tell(query)
        done = self._done
        while query.isActive and query.status["isTriggerActive"] and self._done == done:
            time.sleep(_POLL)
        self._tell(query)

    def _tell(self, query: StreamingQuery) -> None:
        progress = query.lastProgress
        if progress is not None:
            self.report({**progress})

    def _close(self, query: StreamingQuery) -> None:
        with self._lock:
            self._closed = True
            query.stop()
            self._closed = query.isActive

    # --- micro-batches, in a thread of Spark's

    def _take(self, frame: DataFrame, number: int) -> None:
        try:
            parcels = [(row.kind, bytes(row.payload)) for row in frame.collect()]
            with self._lock:
                if self._closed:
                    return
                self.sink(number, self._answers(parcels), self._late(parcels))
                self._done += 1
        except Exception as error:
            self._error = error
            raise

    def _answers(self, parcels: list[tuple[str, bytes]]) -> Iterable[Answer]:
        tables = [unpack(payload) for kind, payload in parcels if kind == Kind.ANSWERS]
        schema = self.files.live.program.answers
        return self.files.answers(
            pa.concat_tables([schema.empty_table(), *(table.cast(schema) for table in tables)])
        )

    def _late(self, parcels: list[tuple[str, bytes]]) -> list[Answer]:
        """A row that several shards wanted is late in each of them, and counts once.

        A shard has one parcel, and equal rows have the same shards.
        """
        most: Counter[str] = Counter()
        rows: dict[str, Answer] = {}
        for payload in (payload for kind, payload in parcels if kind == Kind.LATE):
            found: Counter[str] = Counter()
            for row in unpack(payload).to_pylist():
                shown = self.files.row(row)
                if shown is not None:
                    found[repr(shown)] += 1
                    rows[repr(shown)] = shown
            most |= found
        return [rows[key] for key in sorted(most) for _ in range(most[key])]

    # --- failures

    def _understood(self, error: Exception, resumed: bool) -> Exception:
        if isinstance(error, InputError):
            return error
        text = str(error)
        known = recognise(text) or unreadable(text)
        if known is not None:
            return known
        if resumed and self._done == 0:
            return damaged(_reason(text))
        return error


def _reason(text: str) -> str:
    """The first line of what Spark says, without the query's numbers."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    first = lines[0] if lines else "Spark does not say why"
    return first.partition("terminated with exception: ")[2] or first
