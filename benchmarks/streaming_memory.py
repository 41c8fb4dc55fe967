"""The memory of a live stream, and the state that each micro-batch writes.

10 M events with 2.3 M distinct keys in 20 micro-batches, each with as many new keys; then micro-batches
that touch 100,000, 10,000 and 1,000 of the keys that are known. The specification keeps the sum and
the count of each key. All answers are made and leave for Spark's `noop` sink.

Memory is that of all processes together: the JVM (with the heap that is given), Spark's Python workers,
and the driver. What is written are the chunks that each shard puts into its state store.

    python benchmarks/streaming_memory.py [--rows 500000] [--keys 2300000] [--batches 20] [--shards 4]
        [--heap 2g]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from memory_of_processes import Sampler
from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from streaming_events import Keys, read_stream, start, write_batch
from streaming_throughput import SUMS

import horae
from horae.spark.parcels import ParcelKind
from horae.spark.streaming.stream import Live, opened, opened_metrics

FEW = (100_000, 10_000, 1_000, 1_000, 1_000)
GIB = 2**30


@dataclass
class Written:
    """Prints a line for each micro-batch."""

    live: Live
    touched: list[int]
    known: list[int]
    since: float = field(default_factory=time.monotonic)

    def __call__(self, frame: DataFrame, number: int) -> None:
        kept = frame.persist()
        answers = opened(kept, ParcelKind.ANSWERS, self.live.program.answers)
        answers.write.format("noop").mode("overwrite").save()
        names = ("answers", "state_instances", "state_bytes", "chunks_written", "bytes_written")
        row = opened_metrics(kept).agg(*(f.sum(name).alias(name) for name in names)).first()
        kept.unpersist()
        assert row is not None
        now, self.since = time.monotonic() - self.since, time.monotonic()
        say(
            f"{number:5} {now:7.1f} {self.touched[number]:10,} {self.known[number]:10,} "
            f"{row.answers:11,} {row.state_bytes / 1e6:9.1f} "
            f"{row.chunks_written:8,} {row.bytes_written / 1e6:9.2f}"
        )


def batches_of_keys(rows: int, keys: int, batches: int) -> list[Keys]:
    """New keys in each micro-batch, and known ones; at the end, few known ones."""
    numbers, fresh = np.random.default_rng(1), keys // batches
    found: list[Keys] = []
    for number in range(batches):
        new = np.arange(number * fresh, (number + 1) * fresh)
        old = numbers.integers(0, (number + 1) * fresh, rows - fresh)
        found.append(numbers.permutation(np.concatenate([new, old])))
    return [*found, *(numbers.choice(batches * fresh, few, replace=False) for few in FEW)]


def make_events(folder: Path, batches: list[Keys]) -> tuple[list[int], list[int]]:
    """How many keys each micro-batch touches, and how many are known after it."""
    folder.mkdir()
    touched, known, greatest = [], [], 0
    for number, keys in enumerate(batches):
        write_batch(folder, number, keys)
        greatest = max(greatest, int(keys.max()) + 1)
        touched.append(len(np.unique(keys)))
        known.append(greatest)
    return touched, known


def run(live: Live, written: Written, checkpoint: Path) -> None:
    query = (
        live.results.writeStream.foreachBatch(written)
        .option("checkpointLocation", str(checkpoint))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--keys", type=int, default=2_300_000)
    parser.add_argument("--batches", type=int, default=20)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--heap", default="2g")
    given = parser.parse_args()
    spark = start(given.shards, given.heap)
    folder = Path(tempfile.mkdtemp(prefix="horae-bench-"))
    try:
        batches = batches_of_keys(given.rows, given.keys, given.batches)
        touched, known = make_events(folder / "events", batches)
        rows = read_stream(spark, folder / "events")
        live = horae.compile(SUMS).live(rows, whole_rows=True, shards=given.shards)
        say("batch       s    touched      known     answers  state MB   chunks written MB")
        with Sampler() as sampler:
            run(live, Written(live, touched, known), folder / "checkpoint")
        programs = ", ".join(f"{n} {b / GIB:.2f}" for n, b in sorted(sampler.by_program.items()))
        say(
            f"{sum(map(len, batches)):,} events, {max(known):,} keys, {sampler.processes} processes"
        )
        say(f"greatest memory: RSS {sampler.rss / GIB:.2f} GiB (by program: {programs})")
        say(f"                 PSS {sampler.pss / GIB:.2f} GiB")
    finally:
        spark.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
