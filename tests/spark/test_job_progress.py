"""How far the jobs of a session are."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from horae.spark.job_progress import JobProgress, job_progress

pytestmark = pytest.mark.spark


@pytest.mark.parametrize("context", [None, object()])
def test_there_is_none_before_the_jvm(monkeypatch: pytest.MonkeyPatch, context: object):
    monkeypatch.setattr(SparkContext, "_active_spark_context", context)
    assert job_progress() is None


def test_tasks_and_rows_of_what_runs(spark: SparkSession, tmp_path: Path):
    spark.range(0, 100, 1, 4).write.parquet(str(tmp_path / "rows"))
    gate = tmp_path / "done"
    rows = spark.read.parquet(str(tmp_path / "rows"))
    job = threading.Thread(target=rows.mapInArrow(_Waiting(gate), rows.schema).count)
    job.start()
    found, ends = None, time.monotonic() + 60
    while not (found and found.tasks_done and found.rows) and time.monotonic() < ends:
        found = job_progress()
    gate.touch()
    job.join()
    assert found is not None
    assert 0 < found.tasks_done <= found.tasks
    assert found.stages_done <= found.stages
    assert sum(found.rows.values()) <= 100
    idle = job_progress()
    while idle != JobProgress() and time.monotonic() < ends:
        idle = job_progress()
    assert idle == JobProgress()


class _Waiting:
    """One of the tasks waits, the one that reads the last row."""

    def __init__(self, gate: Path) -> None:
        self._gate = str(gate)

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            while 99 in batch.column(0).to_pylist() and not Path(self._gate).exists():
                time.sleep(0.01)
            yield batch
