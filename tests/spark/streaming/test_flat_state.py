"""The state of a bounded program stays flat while Structured Streaming runs, and after a restart."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from tests.live.test_flat_state import (
    BATCH,
    CQL,
    DATALOGMTL,
    KEYED,
    LARS,
    SLACK,
    Make,
    cql,
    datalogmtl,
    lars,
    rtlola,
)
from tests.spark.streaming.driving import Batch, Folders, set_up

from horae.engine.contract import Routed
from horae.spark.streaming.shard_metrics import ShardMetrics
from horae.spark.streaming.stream import Live, Settings, run_live

BATCHES, EARLY = 24, 6
"""So many micro-batches, and so many until the state is as large as it gets."""


def _live(program: Routed, folders: Folders) -> Live:
    settings = Settings(1, control=folders.control)
    return run_live(program, folders.only_source(program.rows), settings)


def _batches(rows: pa.Table) -> list[Batch]:
    return [{"0": rows.slice(start, BATCH)} for start in range(0, len(rows), BATCH)]


def _sizes(batch: list[ShardMetrics]) -> tuple[int, int]:
    return sum(m.state_values for m in batch), sum(m.state_bytes for m in batch)


@pytest.mark.long
@pytest.mark.parametrize(
    ("make", "text"),
    [(rtlola, KEYED), (lars, LARS[0]), (datalogmtl, DATALOGMTL[1]), (cql, CQL[0])],
    ids=["rtlola", "lars", "datalogmtl", "cql"],
)
def test_flat_state(spark: SparkSession, tmp_path: Path, make: Make, text: str):
    program, rows = make(text)
    folders = Folders(spark, tmp_path)
    batches = _batches(rows(BATCHES * BATCH))
    with set_up(spark, 1):
        told = folders.run(lambda: _live(program, folders), batches, frozenset({len(batches) // 2}))
    sizes = [_sizes(batch) for batch in told.metrics[:-1]]  # the last one ends the stream
    assert len(sizes) == len(batches) - 1
    values, used = zip(*sizes, strict=True)
    assert min(values) > 0
    assert max(values[EARLY:]) <= max(values[:EARLY])
    assert max(used[EARLY:]) <= max(used[:EARLY]) + SLACK
    assert _written(told.metrics[-2]) <= _written(told.metrics[EARLY]) + SLACK


def _written(batch: list[ShardMetrics]) -> int:
    return sum(m.bytes_written for m in batch)
