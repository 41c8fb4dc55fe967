"""Keyed RTLola in batch on Spark, beside what Spark does without it, in one run.

    python benchmarks/spark_keyed.py                     10 M rows, 500 k keys
    python benchmarks/spark_keyed.py --rows 1000000

A sum per key over the last 100 s, at every row. Beside it: the same rows shuffled by key and sorted by
time; that with a Python step that does nothing; and Spark's own window of the same range. All read one
Parquet file and throw their answers away. Seconds of wall time, the best of `--repeat`, and the ratio to
the empty step. The last line also answers the amounts themselves, another answer per row.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as f

import horae
from horae.spark.session import session

KEYED = """input int key
input double amount
output double paid<int k>
    invoke: key
    extend: key = k
    := amount
output double total<int k>
    invoke: key
    extend: key = k
    := paid(k)[100 s, 0.0, sum]
"""


def make(path: Path, rows: int, keys: int) -> None:
    rng = np.random.default_rng(7)
    writer = None
    step = 1_000_000
    for start in range(0, rows, step):
        count = min(step, rows - start)
        table = pa.table(
            {
                "time": np.round(np.arange(start, start + count) * (3_600 / rows), 6),
                "key": rng.integers(0, keys, count),
                "amount": rng.integers(0, 10_000, count) / 100,
            }
        )
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


def shuffled(frame: DataFrame, shards: int) -> DataFrame:
    return frame.repartition(shards, "key").sortWithinPartitions("time")


def nothing(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches


def ways(spark: SparkSession, path: str, shards: int) -> dict[str, Callable[[], DataFrame]]:
    frame = spark.read.parquet(path)
    program = horae.compile(KEYED)
    range_of = Window.partitionBy("key").orderBy("time").rangeBetween(-100, 0)
    return {
        "shuffle and sort": lambda: shuffled(frame, shards),
        "with an empty Python step": lambda: shuffled(frame, shards).mapInArrow(
            nothing, frame.schema
        ),
        "Spark's Window rangeBetween": lambda: frame.withColumn(
            "total", f.sum("amount").over(range_of)
        ),
        "Horae": lambda: program.answers(frame, only="total", shards=shards),
        "Horae, as one flat table": lambda: program.answers(frame, "total", shards=shards),
        "Horae, twice as many answers": lambda: program.answers(frame, shards=shards),
    }


def timed(make_frame: Callable[[], DataFrame]) -> float:
    start = time.perf_counter()
    make_frame().write.format("noop").mode("overwrite").save()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--keys", type=int, default=None)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.parquet"
        make(path, given.rows, given.keys or given.rows // 20)
        found = ways(session(), str(path), given.shards)
        best = dict.fromkeys(found, float("inf"))
        for _ in range(given.repeat):
            for name, way in found.items():
                best[name] = min(best[name], timed(way))
        base = best["with an empty Python step"]
        for name, seconds in best.items():
            sys.stdout.write(f"{name:32} {seconds:7.1f} s {seconds / base:6.2f}\n")


if __name__ == "__main__":
    main()
