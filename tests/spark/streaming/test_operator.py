"""The stateful operator with a tiny program: late rows, shards without rows, restarts, the end."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from tests.spark.streaming.sums import Sums

from horae.source.errors import InputError
from horae.spark.failures import unmarked
from horae.spark.parcels import ParcelKind
from horae.spark.streaming.state_store import STORE
from horae.spark.streaming.stream import Settings, StreamSources, opened, run_live

Row = tuple[int, int, int]


class Driver:
    """Files dropped into a folder, a micro-batch each; restarted as often as `run` is called."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.spark, self.folder, self.count = spark, folder, 0
        for name in ("rows", "control"):
            (folder / name).mkdir()
        self.answers: list[tuple[int, ...]] = []
        self.late: list[tuple[int, ...]] = []
        self.batches: list[list[tuple[int, ...]]] = []

    def drop(self, rows: Sequence[Row]) -> None:
        lines = (json.dumps({"time": t, "key": k, "value": v}) for t, k, v in rows)
        file = self.folder / "rows" / f"{self.count}.json"
        file.write_text("\n".join(lines))
        os.utime(file, (1000 + self.count,) * 2)
        self.count += 1

    def finish(self) -> None:
        (self.folder / "control" / "finish.json").write_text('{"kind": "finish"}')

    def run(self, program: Any = None, lateness: int = 5, shards: int = 3) -> None:
        spark, folder = self.spark, self.folder
        rows = (
            spark.readStream.schema("time long, key long, value long")
            .option("maxFilesPerTrigger", 1)
            .json(str(folder / "rows"))
        )
        control = spark.readStream.schema("kind string, payload binary").json(
            str(folder / "control")
        )
        program = program or Sums()
        settings = Settings(shards, Fraction(lateness), control=control)
        live = run_live(program, StreamSources([rows]), settings)

        def take(frame: DataFrame, _: int) -> None:
            kept = frame.persist()
            answers = [
                tuple(r) for r in opened(kept, ParcelKind.ANSWERS, program.answers).collect()
            ]
            self.answers += answers
            self.batches.append(answers)
            self.late += [tuple(r) for r in opened(kept, ParcelKind.LATE, program.rows).collect()]
            kept.unpersist()

        query = (
            live.results.writeStream.foreachBatch(take)
            .option("checkpointLocation", str(folder / "checkpoint"))
            .trigger(availableNow=True)
            .start()
        )
        with unmarked():
            query.awaitTermination()


@pytest.fixture
def driver(spark: SparkSession, tmp_path: Path) -> Driver:
    for name, value in STORE.items():
        spark.conf.set(name, value)
    return Driver(spark, tmp_path)


@pytest.mark.long
def test_rows_are_late_by_what_came_before(driver: Driver):
    driver.drop([(10, 1, 1), (12, 2, 1)])
    driver.drop([(20, 1, 1)])
    driver.drop([(14, 2, 5), (15, 2, 7), (19, 1, 1)])  # 15 is exactly 20 − 5: on time
    driver.run()
    assert driver.late == [(14, 2, 5)]
    assert max(time for time, *_ in driver.answers) == 12  # all before 15 is decided


@pytest.mark.spark
def test_a_restart_goes_on_where_the_last_run_ended(driver: Driver):
    driver.drop([(10, 1, 1), (12, 2, 1)])
    driver.run()
    driver.drop([(20, 1, 2)])
    driver.run()
    driver.drop([(30, 3, 4)])
    driver.run()
    driver.finish()
    driver.run()
    assert sorted(driver.answers) == [
        (10, 1, 1),
        (12, 1, 1),
        (12, 2, 1),
        (20, 1, 3),
        (20, 2, 1),
        (30, 1, 3),
        (30, 2, 1),
        (30, 3, 4),
    ]


@pytest.mark.long
def test_another_program_is_refused(driver: Driver):
    driver.drop([(10, 1, 1)])
    driver.run()
    driver.drop([(20, 1, 1)])
    with pytest.raises(InputError, match="CHK001"):
        driver.run(Sums(fingerprint="others"))
