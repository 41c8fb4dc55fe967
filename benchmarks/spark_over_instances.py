"""Figure 8 of the RTLola paper on Spark, with its trigger and without, in batch and as a stream.

    python benchmarks/spark_over_instances.py                     4 M ratings of 400 k products
    python benchmarks/spark_over_instances.py --rows 1000000

The trigger asks for any product whose ratings fell: an operator over instances that are spread over
shards, which a second stage joins. Batches: seconds of wall time, the best of `--repeat`. Streams: the
same ratings in micro-batches, of which each takes so many seconds from its planning to its commit; the
first one is left out, and the middle one of the others counts. Beside them stands the ratio to the run
without the trigger.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from streaming_events import start

import horae
from horae.examples import example

RATE = 100  # ratings in a second
MICRO_BATCHES = 5
SCHEMA = "ts double, uid string, pid string, stars double"
GOAL = 1.3


def make(folder: Path, rows: int, products: int) -> None:
    """A file per micro-batch. Few products have many ratings, most have few."""
    rng = np.random.default_rng(7)
    product = (products * rng.random(rows) ** 3).astype(np.int64)
    table = pa.table(
        {
            "ts": np.round(np.arange(rows) / RATE, 6),
            "uid": [f"u{number}" for number in rng.integers(0, rows, rows)],
            "pid": [f"p{number}" for number in product],
            "stars": rng.integers(1, 6, rows).astype(np.float64),
        }
    )
    size = -(-rows // MICRO_BATCHES)
    for number in range(MICRO_BATCHES):
        file = folder / f"{number}.parquet"
        pq.write_table(table.slice(number * size, size), file)
        os.utime(file, (1000 + number,) * 2)


def batch(text: str, frame: DataFrame, shards: int) -> float:
    begin = time.perf_counter()
    found = horae.compile(text).answers(frame, shards=shards, emit="changes")
    found.write.format("noop").mode("overwrite").save()
    return time.perf_counter() - begin


def stream(text: str, frame: DataFrame, shards: int) -> float:
    """Seconds of the middle micro-batch."""
    found = horae.compile(text).answers(frame, shards=shards, emit="changes")
    with tempfile.TemporaryDirectory() as checkpoint:
        writer = found.writeStream.format("noop").option("checkpointLocation", checkpoint)
        query = writer.trigger(availableNow=True).start()
        query.awaitTermination()
    with_rows = (progress for progress in query.recentProgress if progress.numInputRows)
    return median([p.durationMs["triggerExecution"] / 1000 for p in with_rows][1:])


def in_turns(spark: SparkSession, folder: Path, shards: int, repeat: int) -> Iterator[str]:
    whole = example("ratings.lola").read_text()
    texts = {"without its trigger": whole.partition("trigger")[0], "with its trigger": whole}
    rows = spark.read.schema(SCHEMA).parquet(str(folder))
    live = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(str(folder))
    for kind, run, frame in (("batch", batch, rows), ("stream", stream, live)):
        best = dict.fromkeys(texts, float("inf"))
        for _ in range(repeat):
            for name, text in texts.items():
                best[name] = min(best[name], run(text, frame, shards))
        base = best["without its trigger"]
        for name, seconds in best.items():
            yield f"{kind}, {name:24} {seconds:7.1f} s {seconds / base:6.2f}"
        yield f"  (the goal is {GOAL})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=4_000_000)
    parser.add_argument("--products", type=int, default=None)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    spark = start(given.shards)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, given.rows, given.products or given.rows // 10)
        for line in in_turns(spark, folder, given.shards, given.repeat):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    spark.stop()


if __name__ == "__main__":
    main()
