"""Figure 8 of the RTLola paper in batch on Spark, with its trigger and without, in one run.

    python benchmarks/spark_over_instances.py                     400 k ratings of 40 k products
    python benchmarks/spark_over_instances.py --rows 100000

The trigger asks for any product whose ratings fell: an operator over instances that are spread over
shards, which a second stage joins. Seconds of wall time, and the ratio to the run without it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame

import horae
from horae.examples import example
from horae.spark.session import session

RATE = 100  # ratings in a second


def make(path: Path, rows: int, products: int) -> None:
    """Few products have many ratings, most have few."""
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
    pq.write_table(table, path)


def timed(text: str, frame: DataFrame, shards: int) -> float:
    program = horae.compile(text)
    start = time.perf_counter()
    found = program.answers(frame, shards=shards, emit="changes")
    found.write.format("noop").mode("overwrite").save()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--products", type=int, default=None)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--repeat", type=int, default=2)
    given = parser.parse_args()
    whole = example("ratings.lola").read_text()
    texts = {"without its trigger": whole.partition("trigger")[0], "with its trigger": whole}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ratings.parquet"
        make(path, given.rows, given.products or given.rows // 10)
        frame = session().read.parquet(str(path))
        best = dict.fromkeys(texts, float("inf"))
        for _ in range(given.repeat):
            for name, text in texts.items():
                best[name] = min(best[name], timed(text, frame, given.shards))
    base = best["without its trigger"]
    for name, seconds in best.items():
        sys.stdout.write(f"{name:24} {seconds:7.1f} s {seconds / base:6.2f}\n")


if __name__ == "__main__":
    main()
