"""A live program run by the command line: micro-batch by micro-batch, into a sink.

Answers, late and bad rows come as parcels. They are opened here, in the driver; where answers are
tables, the workers write those. A micro-batch that runs again after a crash has the same number and
answers.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql.streaming.query import StreamingQuery

from horae.data.roll import Roll
from horae.source.errors import InputError
from horae.spark.failures import cause_of
from horae.spark.parcels import BAD, ParcelKind, unpack
from horae.spark.sinks.stream_tables import StreamTables, held
from horae.spark.streaming.checkpoint import Checkpoint
from horae.spark.streaming.damage import recognise_damage
from horae.spark.streaming.metrics import Monitor
from horae.spark.streaming.stream import Live

SinkRow = Mapping[str, Any]
Tables = Callable[[], None]
_POLL = 0.1  # seconds


@dataclass(frozen=True)
class LiveFiles:
    """`answers` makes sorted answers of their table; `row` a late row readable, or nothing of a mark.

    `roll` has the names that were met; `resolution` is the number of ticks in a second. `is_at_once`:
    all that is there comes in one micro-batch, and no other run goes on from the checkpoint.
    """

    live: Live
    checkpoint: Checkpoint
    answers: Callable[[pa.Table], Sequence[SinkRow]]
    row: Callable[[dict[str, Any]], SinkRow | None]
    roll: Roll
    resolution: int = 1
    is_at_once: bool = False


class Sink(Protocol):
    """Takes the answers, the late rows and the bad rows of the micro-batch with this number."""

    def __call__(
        self,
        number: int,
        answers: Sequence[SinkRow],
        late: Sequence[SinkRow],
        bad: Sequence[SinkRow],
    ) -> None: ...


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
    sink: Sink
    monitor: Monitor
    show: Callable[[], None]
    stop: threading.Event
    tables: StreamTables | None = None
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
            if self.tables is None:
                self._hand_on(_collected(frame), number)
            else:
                self._write(frame, number, self.tables)
        except Exception as error:
            is_cut_off = self._batches.are_over  # by the end of the query; it runs again next time
            self._error = _StoppedError(str(error)) if is_cut_off else error
            raise

    def _hand_on(
        self, parcels: Sequence[tuple[str, bytes]], number: int, tables: Tables | None = None
    ) -> None:
        """To the sink, and to who watches; answers that tables have are not among the parcels."""
        self._batches.begin(number)
        self.files.roll.check_unknown()
        if tables is not None:
            tables()
        self.sink(number, self._answers(parcels), self._late(parcels), _bad(parcels))
        self.monitor.take_parcels(parcels, number)
        self._batches.end(number)

    def _write(self, frame: DataFrame, number: int, tables: StreamTables) -> None:
        """The workers write the answers; all else is little, and comes here."""
        with held(frame) as parcels:
            others = _collected(parcels.where(f.col("kind") != str(ParcelKind.ANSWERS)))
            self._hand_on(others, number, lambda: tables.write(parcels, number))

    def _answers(self, parcels: Sequence[tuple[str, bytes]]) -> Sequence[SinkRow]:
        schema = self.files.live.program.answers
        tables = [table.cast(schema) for table in _tables(parcels, ParcelKind.ANSWERS)]
        return self.files.answers(pa.concat_tables([schema.empty_table(), *tables]))

    def _late(self, parcels: Sequence[tuple[str, bytes]]) -> list[SinkRow]:
        rows = [row for table in _tables(parcels, ParcelKind.LATE) for row in table.to_pylist()]
        shown = [found for row in rows if (found := self.files.row(row)) is not None]
        return sorted(shown, key=repr)

    # --- failures

    def _understood(self, error: Exception) -> Exception:
        if isinstance(error, InputError | BrokenPipeError):
            return error
        text = str(error)
        known = cause_of(text)
        return known or recognise_damage(text, self.files.checkpoint.location) or error


def _collected(frame: DataFrame) -> list[tuple[str, bytes]]:
    return [(row.kind, bytes(row.payload)) for row in frame.collect()]


def _tables(parcels: Sequence[tuple[str, bytes]], kind: ParcelKind) -> list[pa.Table]:
    return [unpack(payload) for found, payload in parcels if found == kind]


def _bad(parcels: Sequence[tuple[str, bytes]]) -> list[SinkRow]:
    texts = [text for table in _tables(parcels, ParcelKind.BAD) for text in table[BAD].to_pylist()]
    return [json.loads(str(text)) for text in texts]
