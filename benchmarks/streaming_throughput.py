"""Live streams against Spark's own: 1 M events a micro-batch, 500 k keys, in one run.

Sums. Natively `groupBy(key).agg(sum, count)` in update mode: a row for each key of the micro-batch. As a
specification: two templates, whose values are the sum and the count of a key after each of its events;
all of them are answers, so Horae gives two rows for each event.

Windows. Natively `avg(value)` over `window(time, 100 seconds, 10 seconds)` and key in append mode: a row
for each key and window with data, once it is over. As a specification: a template that is extended
every 10 s with the average of the last 100 s, where there is one. Both give the same rows; Horae also
gives the values that are averaged, one for each event.

Before the race both are compared on a few events. All queries write to Spark's `noop` sink and keep
their state in RocksDB, with as many partitions as there are shards. What counts is the time of a
micro-batch, from its planning to its commit; the first one of each query (start of workers, compiling)
is left out, and of the others the middle one is shown.

    python benchmarks/streaming_throughput.py [--rows 1000000] [--keys 500000] [--batches 7]
        [--window-batches 3] [--shards 4]
"""

from __future__ import annotations

import argparse
import math
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as f
from pyspark.sql.streaming.query import StreamingQuery
from streaming_events import read_stream, start, write_batch

import horae

SUMS = """\
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
"""
WINDOWS = """\
input int key
input double value
output double reading<int k>
    invoke: key
    extend: key = k
    := value
output double nothing<int k>                    // never has a value
    invoke: key
    extend: key = k and value < 0.0
    := value
output double average<int k>
    invoke: key
    extend: 10s
    := reading(k)[100s, nothing(k), avg]
"""

LAST = -1
"""The key of the last event of a few: what is at the end of a stream is not decided yet."""

Values = dict[tuple[object, ...], float]


@dataclass(frozen=True)
class Race:
    """Two queries over the same events, and what of their rows must be equal."""

    name: str
    native: Callable[[DataFrame], DataFrame]
    mode: str
    text: str
    native_values: Callable[[list[Row]], Values]
    horae_values: Callable[[list[Row]], Values]
    goal: float

    def horae(self, events: DataFrame, shards: int) -> DataFrame:
        program = horae.compile(self.text)
        return program.answers(events, whole_rows=True, shards=shards)


# --- the queries


def native_sums(events: DataFrame) -> DataFrame:
    return events.groupBy("key").agg(f.sum("value").alias("total"), f.count("value").alias("n"))


def native_windows(events: DataFrame) -> DataFrame:
    window = f.window("time", "100 seconds", "10 seconds")
    rows = events.withWatermark("time", "0 seconds").groupBy(window, "key")
    return rows.agg(f.avg("value").alias("average"))


def last_sums(rows: list[Row]) -> Values:
    """Counts only grow: the row with the greatest one is the last."""
    return {(row.key,): row.total for row in sorted(rows, key=lambda row: row.n) if row.key != LAST}


def last_totals(rows: list[Row]) -> Values:
    totals = (row for row in rows if row.name == "total")
    by_time = sorted(totals, key=lambda row: row.time)
    return {(row.total.k,): row.total.value for row in by_time}


def window_averages(rows: list[Row]) -> Values:
    return {(row.key, _seconds(row.window.end)): row.average for row in rows}


def tick_averages(rows: list[Row]) -> Values:
    averages = (row for row in rows if row.name == "average")
    return {(row.average.k, _seconds(row.time)): row.average.value for row in averages}


def _seconds(moment: datetime) -> float:
    return moment.replace(tzinfo=UTC).timestamp()


RACES = (
    Race("sums", native_sums, "update", SUMS, last_sums, last_totals, 1),
    Race("windows", native_windows, "append", WINDOWS, window_averages, tick_averages, 5),
)


# --- running


def run(answers: DataFrame, mode: str, checkpoint: Path) -> StreamingQuery:
    query = (
        answers.writeStream.format("noop")
        .outputMode(mode)
        .option("checkpointLocation", str(checkpoint))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    return query


def report(name: str, query: StreamingQuery) -> float:
    """Rows a second of the middle micro-batch with rows, the first one left out."""
    batches = [p for p in query.recentProgress if p.numInputRows]
    seconds = [p.durationMs["triggerExecution"] / 1000 for p in batches]
    answers = sum(p.sink.numOutputRows for p in query.recentProgress)
    speeds = [p.numInputRows / s for p, s in zip(batches, seconds, strict=True)][1:]
    middle = sorted(speeds)[len(speeds) // 2]
    times = " ".join(f"{s:.1f}" for s in seconds)
    say(f"  {name:8} {middle:10,.0f} rows/s   micro-batches: {times} s   answers: {answers:,}")
    return middle


def race(race: Race, events: DataFrame, shards: int, folder: Path) -> None:
    say(f"{race.name}, against native {race.mode} mode:")
    native = run(race.native(events), race.mode, folder / f"{race.name}-native")
    own = run(race.horae(events, shards), "append", folder / f"{race.name}-horae")
    slow, fast = report("native", native), report("horae", own)
    say(f"  horae is {fast / slow:.2f} times as fast (the goal is {race.goal:g})")


def compare(race: Race, events: DataFrame, shards: int, folder: Path) -> None:
    """The same values, up to the order in which doubles were added."""
    native = collect(race.native(events), race.mode, folder / f"{race.name}-native-few")
    own = collect(race.horae(events, shards), "append", folder / f"{race.name}-horae-few")
    expected, found = race.native_values(native), race.horae_values(own)
    if expected.keys() != found.keys():
        raise SystemExit(f"{race.name}: only one has {sorted(expected.keys() ^ found.keys())[:3]}")
    wrong = [key for key, value in expected.items() if not math.isclose(value, found[key])]
    if wrong:
        raise SystemExit(f"{race.name}: {wrong[0]} is {found[wrong[0]]}, not {expected[wrong[0]]}")
    say(f"{race.name}: {len(expected):,} values of a few events are the same")


def collect(answers: DataFrame, mode: str, checkpoint: Path) -> list[Row]:
    rows: list[Row] = []
    query = (
        answers.writeStream.foreachBatch(lambda frame, _: rows.extend(frame.collect()))
        .outputMode(mode)
        .option("checkpointLocation", str(checkpoint))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    return rows


def make_events(folder: Path, rows: int, keys: int, batches: int) -> Path:
    folder.mkdir()
    for number in range(batches):
        chosen = np.random.default_rng(1000 + number).integers(0, keys, rows)
        write_batch(folder, number, chosen)
    return folder


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--keys", type=int, default=500_000)
    parser.add_argument("--batches", type=int, default=7)
    parser.add_argument("--window-batches", type=int, default=3)
    parser.add_argument("--shards", type=int, default=4)
    given = parser.parse_args()
    spark = start(given.shards)
    folder = Path(tempfile.mkdtemp(prefix="horae-bench-"))
    try:
        few = make_events(folder / "few", 2000, 300, 4)
        write_batch(few, 4, np.array([LAST]))
        for one in RACES:
            compare(one, read_stream(spark, few), given.shards, folder)
        for one, batches in zip(RACES, (given.batches, given.window_batches), strict=True):
            files = make_events(folder / one.name, given.rows, given.keys, batches)
            race(one, read_stream(spark, files), given.shards, folder)
    finally:
        spark.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
