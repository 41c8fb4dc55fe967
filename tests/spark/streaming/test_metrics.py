"""Metrics of a real stream: each number is worked out by hand.

The program sums values by key; key k is in shard k % 3, and rows may be 5 late.
"""

from __future__ import annotations

import json
import os
import time
from fractions import Fraction
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from tests.spark.streaming.sums import Sums

from horae.spark.streaming.metrics import Monitor, watching
from horae.spark.streaming.shard_metrics import ShardMetrics
from horae.spark.streaming.state_store import STORE
from horae.spark.streaming.stream import (
    Live,
    Settings,
    StreamSources,
    opened_metrics,
    run_live,
)

BATCHES = [
    [(10, 1, 1), (12, 2, 1)],
    [(20, 1, 1)],
    [(14, 2, 5), (15, 2, 7), (19, 1, 1)],  # 14 is late: before 20 − 5
]


def _live(spark: SparkSession, folder: Path) -> Live:
    schema = "time long, key long, value long"
    files = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1)
    control = spark.readStream.schema("kind string, payload binary").json(str(folder / "control"))
    rows = files.json(str(folder / "rows"))
    return run_live(Sums(), StreamSources([rows]), Settings(3, Fraction(5), control=control))


def _drop(folder: Path) -> None:
    for name in ("rows", "control"):
        (folder / name).mkdir()
    for number, rows in enumerate(BATCHES):
        lines = (json.dumps({"time": t, "key": k, "value": v}) for t, k, v in rows)
        file = folder / "rows" / f"{number}.json"
        file.write_text("\n".join(lines))
        os.utime(file, (1000 + number,) * 2)  # Spark reads older files first


def _run(live: Live, folder: Path, monitor: Monitor) -> list[list[ShardMetrics]]:
    """The metrics of each micro-batch, in the order of the shards."""
    found: list[list[ShardMetrics]] = []

    def take(frame: DataFrame, batch: int) -> None:
        kept = frame.persist()
        monitor.take_metrics(kept, batch)
        rows = opened_metrics(kept).orderBy("shard").collect()
        found.append([ShardMetrics(**row.asDict()) for row in rows])
        kept.unpersist()

    writer = live.results.writeStream.queryName("sums").foreachBatch(take)
    checkpoint = str(folder / "checkpoint")
    query = writer.option("checkpointLocation", checkpoint).trigger(availableNow=True).start()
    query.awaitTermination()
    return found


def _wait_for_rows(monitor: Monitor, count: int) -> None:
    """Spark tells about a micro-batch some time after it has ended."""
    until = time.monotonic() + 60
    while monitor.snapshot().input_rows < count and time.monotonic() < until:
        time.sleep(0.05)


@pytest.fixture
def stream(spark: SparkSession, tmp_path: Path) -> SparkSession:
    for name, value in STORE.items():
        spark.conf.set(name, value)
    _drop(tmp_path)
    return spark


@pytest.mark.long
def test_a_stream_and_its_end_after_a_restart(stream: SparkSession, tmp_path: Path):
    live = _live(stream, tmp_path)
    assert live.metrics.isStreaming
    assert live.metrics.columns == list(ShardMetrics.__dataclass_fields__)
    with watching(stream, "sums") as monitor, watching(stream, "another") as another:
        _check_batches(*_run(live, tmp_path, monitor))
        _wait_for_rows(monitor, 6)
    _check_stream(monitor)
    assert another.snapshot() == Monitor().snapshot()
    (tmp_path / "control" / "finish.json").write_text('{"kind": "finish"}')
    with watching(stream, "sums") as monitor:
        _run(_live(stream, tmp_path), tmp_path, monitor)
        _wait_for_rows(monitor, 1)
    _check_end(monitor)


def _check_batches(
    first: list[ShardMetrics], second: list[ShardMetrics], third: list[ShardMetrics]
) -> None:
    assert [sum(m.events for m in batch) for batch in (first, second, third)] == [2, 1, 3]
    assert [(m.shard, m.rows, m.late, m.answers) for m in first] == [
        (0, 0, 0, 0),
        (1, 1, 0, 0),
        (2, 1, 0, 0),
    ]
    # Up to 14 all is decided: key 1 has a sum at 10 and 12, key 2 at 12.
    assert [m.answers for m in second] == [0, 2, 1]
    assert [(m.last, m.decided) for m in second] == [(20, 14)] * 3
    assert [(m.rows, m.late, m.answers) for m in third] == [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
    # Instances are keys with a sum, values are rows that wait: 20 and 19 in shard 1, 15 in shard 2.
    assert [(m.state_instances, m.state_values) for m in third] == [(0, 0), (1, 2), (1, 1)]
    # `[[[10, 1, 1]], [10, 12]]` has 24 bytes, `[[], [10, 12]]` 14; a chunk in the store has one more.
    assert [(m.chunks_written, m.bytes_written) for m in first] == [(1, 15), (1, 25), (1, 25)]
    # `[[], [20]]` has 10, `[[[20, 1, 1]], [20]]` 20; the new sum 1 is a chunk of one byte.
    assert [(m.chunks_written, m.bytes_written) for m in second] == [(1, 11), (2, 23), (2, 13)]


def _check_stream(monitor: Monitor) -> None:
    found = monitor.snapshot()
    assert (found.batch, found.input_rows) == (2, 6)
    assert (found.events, found.answers, found.late, found.bad) == (6, 3, 1, 0)
    assert (found.last, found.decided, found.lag) == (20, 14, 6)
    assert (found.state_instances, found.state_values) == (2, 3)
    assert found.batch_seconds > 0
    assert found.store_rows > 0


def _check_end(monitor: Monitor) -> None:
    """Both keys have sums at 15, 19 and 20; the row that ends the stream is not an event."""
    found = monitor.snapshot()
    assert (found.events, found.answers, found.late) == (6, 3 + 6, 1)
    assert (found.input_rows, found.lag, found.state_values) == (1, 0, 0)
