"""Metrics of a running stream, gathered in the driver.

    with watching(spark, "trams", bound=program.report.state_bound) as monitor:
        live.results.writeStream.queryName("trams").foreachBatch(take)…     # calls monitor.take_metrics
        monitor.snapshot()

Spark tells a listener about each micro-batch when it has ended. What shards know comes with the
results: whoever writes them hands them on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.listener import (
    QueryIdleEvent,
    QueryProgressEvent,
    QueryStartedEvent,
    QueryTerminatedEvent,
    StreamingQueryListener,
    StreamingQueryProgress,
)

from horae.engine.report.state_bound import StateBound
from horae.spark.parcels import ParcelKind
from horae.spark.streaming.shard_metrics import ShardMetrics
from horae.spark.streaming.snapshot import Progress, Snapshot, Told, rate, take_snapshot

_UNKNOWN = StateBound()


@contextmanager
def watching(
    spark: SparkSession,
    name: str | None = None,
    *,
    bound: StateBound = _UNKNOWN,
    ticks_per_second: int | None = None,
) -> Iterator[Monitor]:
    """A monitor of the query with this name, or of the only query of the session.

    It must be there before the query starts. Give `ticks_per_second` where times are those of the
    clock: ticks since the epoch.
    """
    monitor = Monitor(name, bound=bound, ticks_per_second=ticks_per_second)
    spark.streams.addListener(monitor)
    try:
        yield monitor
    finally:
        spark.streams.removeListener(monitor)


class Monitor(StreamingQueryListener):
    """Spark's threads tell, any thread asks."""

    def __init__(
        self,
        name: str | None = None,
        *,
        bound: StateBound = _UNKNOWN,
        ticks_per_second: int | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.name = name
        self._now = now
        self._lock = threading.Lock()
        self._told = Told(bound=bound, ticks_per_second=ticks_per_second)
        self._shards: dict[tuple[int, int], ShardMetrics] = {}
        self._events: dict[int, int] = {}  # of micro-batches that Spark has not told about
        self._runs: set[str] = set()

    def snapshot(self) -> Snapshot:
        with self._lock:
            told = replace(self._told, shards=tuple(self._shards.values()))
        return take_snapshot(told, self._now())

    # --- from whoever writes the results

    def take_metrics(self, frame: DataFrame, batch: int) -> None:
        """For `foreachBatch`. The frame must be persisted if it is read once more."""
        chosen = frame.where(frame["kind"] == ParcelKind.METRICS.value)
        self.take([ShardMetrics.from_json(row.payload) for row in chosen.collect()], batch)

    def take(self, told: Sequence[ShardMetrics], batch: int) -> None:
        """Those of a micro-batch; one that ran before changes nothing."""
        with self._lock:
            self._shards |= {(m.stage, m.shard): m for m in told}
            self._events[batch] = sum(metrics.events for metrics in told)

    # --- from Spark

    def take_progress(self, progress: Progress) -> None:
        with self._lock:
            events = self._events.get(progress.batch, 0)
            self._events = {b: n for b, n in self._events.items() if b > progress.batch}
            self._told = replace(
                self._told,
                progress=progress,
                events_per_second=rate(events, progress.seconds),
                input_rows=self._told.input_rows + progress.input_rows,
            )

    def onQueryStarted(self, event: QueryStartedEvent) -> None:  # noqa: N802
        if self.name is None or event.name == self.name:
            self._runs.add(str(event.runId))

    def onQueryProgress(self, event: QueryProgressEvent) -> None:  # noqa: N802
        if str(event.progress.runId) in self._runs:
            self.take_progress(read_progress(event.progress))

    def onQueryIdle(self, event: QueryIdleEvent) -> None:  # noqa: N802
        if str(event.runId) in self._runs:
            self._rest()

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:  # noqa: N802
        if str(event.runId) in self._runs:
            self._rest()

    def _rest(self) -> None:
        with self._lock:
            self._told = replace(self._told, events_per_second=0.0)


def read_progress(progress: StreamingQueryProgress) -> Progress:
    stores: list[Any] = list(progress.stateOperators)
    return Progress(
        progress.batchId,
        progress.numInputRows,
        progress.durationMs.get("triggerExecution", 0) / 1000,
        sum(store.numRowsTotal for store in stores),
        sum(store.memoryUsedBytes for store in stores),
    )
