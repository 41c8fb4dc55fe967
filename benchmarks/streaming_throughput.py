"""Live streams against Spark's own: 1 M events a micro-batch, 500 k keys, in one run.

Sums and counts per key: `groupBy(key).agg(sum, count)` against an RTLola specification that keeps
both and watches them with a trigger. The first micro-batch of each query (start of workers,
compiling) is left out.

    python benchmarks/streaming_throughput.py [--rows 1000000] [--keys 500000] [--batches 5]
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

import horae
from horae.spark.session import session
from horae.spark.streaming.stream import STORE

_SPEC = """\
input int key
input double value
output double total<int k>
    invoke: key
    extend: key = k
    := total(k)[-1, 0.0] + value
output int events<int k>
    invoke: key
    extend: key = k
    := events(k)[-1, 0] + 1
trigger any(total > 1000000.0) "a total passed a million"
"""


def make_files(folder: Path, rows: int, keys: int, batches: int) -> None:
    numbers = np.random.default_rng(1)
    folder.mkdir()
    for number in range(batches):
        columns = {
            "time": np.sort(numbers.integers(0, 1000, rows)) + 1000 * number,
            "key": numbers.integers(0, keys, rows),
            "value": numbers.random(rows),
        }
        file = folder / f"{number:03}.parquet"
        pq.write_table(pa.table(columns), file)
        os.utime(file, (1000 + number,) * 2)


def events(spark: SparkSession, folder: Path) -> DataFrame:
    reader = spark.readStream.schema("time long, key long, value double")
    return reader.option("maxFilesPerTrigger", 1).parquet(str(folder))


def run(answers: DataFrame, mode: str, checkpoint: Path) -> list[float]:
    """Rows a second of each micro-batch with rows."""
    query = (
        answers.writeStream.format("noop")
        .outputMode(mode)
        .option("checkpointLocation", str(checkpoint))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    return [
        1000 * p.numInputRows / p.durationMs["triggerExecution"]
        for p in query.recentProgress
        if p.numInputRows
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--keys", type=int, default=500_000)
    parser.add_argument("--batches", type=int, default=5)
    parser.add_argument("--shards", type=int, default=4)
    given = parser.parse_args()
    spark = session("local[2]", given.shards)
    for name, value in STORE.items():
        spark.conf.set(name, value)
    folder = Path(tempfile.mkdtemp(prefix="horae-bench-"))
    try:
        make_files(folder / "events", given.rows, given.keys, given.batches)
        rows = events(spark, folder / "events")
        native = rows.groupBy("key").agg(f.sum("value"), f.count("value"))
        report("native groupBy(key).agg(sum, count)", run(native, "update", folder / "native"))
        program = horae.compile(_SPEC)
        live = program.answers(rows, emit="triggers", whole_rows=True, shards=given.shards)
        report("horae", run(live, "append", folder / "horae"))
    finally:
        spark.stop()
        shutil.rmtree(folder, ignore_errors=True)


def report(name: str, speeds: list[float]) -> None:
    later = speeds[1:] or speeds
    middle = sorted(later)[len(later) // 2]
    sys.stdout.write(f"{name:40} {middle:12,.0f} rows/s (best {max(later):,.0f})\n")


if __name__ == "__main__":
    main()
