"""CQL in batch on Spark, beside the same queries written by hand in PySpark, in one run.

    python benchmarks/spark_cql.py                     1 M rows an hour long, 50 k keys
    python benchmarks/spark_cql.py --rows 200000 --only sliding

Sliding: sums and counts per key of the last 100 s, every 10 s; by hand `groupBy(window(…), k)`. Join:
rows of two streams that have the same key in the last 10 s, every 10 s; by hand both are put into their
windows and joined by key and window. Istream: which of the sliding counts are new or have changed; by
hand `lag` over the sliding query.

Both sides read the same Parquet files, with as many partitions after a shuffle, and throw their answers
away. Before the race their answers to a few rows are compared. A window of CQL has both its ends, so for
the same answers those of Spark are a second longer. Seconds are wall time, the best of `--repeat`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as f

import horae
from horae.spark.session import session

SLIDE = 10
STREAMS = {
    "s": "REGISTER STREAM s(k int, v int); ",
    "t": "REGISTER STREAM t(k int, w int); ",
}
SUMS = "SELECT k, SUM(v) AS total, COUNT(*) AS n FROM s [RANGE 100 SLIDE 10] GROUP BY k"
JOIN = "SELECT s.k, v, w FROM s [RANGE 10 SLIDE 10], t [RANGE 10 SLIDE 10] WHERE s.k = t.k"
COUNTS = "SELECT k, COUNT(*) AS n FROM s [RANGE 100 SLIDE 10] GROUP BY k"

Frames = Mapping[str, DataFrame]


@dataclass(frozen=True)
class Race:
    """`by_hand` gives the columns of the query after `time`, the evaluation time."""

    name: str
    query: str
    by_hand: Callable[[Frames], DataFrame]
    goal: float

    def horae(self, frames: Frames, shards: int) -> DataFrame:
        used = {name: frame for name, frame in frames.items() if f"{name} [" in self.query}
        streams = "".join(STREAMS[name] for name in used)
        program = horae.compile(f"{streams}q: {self.query};", language="cql")
        return program.answers(used, "q", at=f"every {SLIDE}", shards=shards).drop("kind")


# --- by hand


def window_of(seconds: int) -> Column:
    """Of a range: the time points from `seconds` before its end to the end."""
    ends = f.window(f.timestamp_seconds("time"), f"{seconds + 1} seconds", f"{SLIDE} seconds")
    return ends.alias("window")


def at_end(frame: DataFrame, *columns: str) -> DataFrame:
    """With the evaluation time of the window, the last second that it has."""
    end = f.unix_timestamp("window.end") - 1
    return frame.select(end.alias("time"), *columns)


def sums(frames: Frames) -> DataFrame:
    groups = frames["s"].groupBy(window_of(100), "k")
    return at_end(groups.agg(f.sum("v").alias("total"), f.count("*").alias("n")), "k", "total", "n")


def join(frames: Frames) -> DataFrame:
    left = frames["s"].select("k", "v", window_of(10))
    right = frames["t"].select("k", "w", window_of(10))
    return at_end(left.join(right, ["k", "window"]), "k", "v", "w")


def changes(frames: Frames) -> DataFrame:
    groups = frames["s"].groupBy(window_of(100), "k").agg(f.count("*").alias("n"))
    counts = at_end(groups, "k", "n")
    before = Window.partitionBy("k").orderBy("time")
    known = counts.select(
        "*", f.lag("time").over(before).alias("last"), f.lag("n").over(before).alias("old")
    )
    same = (f.col("last") == f.col("time") - SLIDE) & (f.col("old") == f.col("n"))
    return known.where(~f.coalesce(same, f.lit(False))).select("time", "k", "n")


RACES = (
    Race("sliding", SUMS, sums, 3),
    Race("join", JOIN, join, 1),
    Race("istream", f"ISTREAM({COUNTS})", changes, 1),
)


# --- the rows


def make(folder: Path, rows: int, keys: int, seconds: int) -> dict[str, str]:
    """The Parquet files of two streams, each row with a random key."""
    rng = np.random.default_rng(7)
    paths = {}
    for name, value in (("s", "v"), ("t", "w")):
        paths[name] = str(folder / f"{name}{rows}.parquet")
        table = pa.table(
            {
                "time": np.arange(rows) * seconds // rows,
                "k": rng.integers(0, keys, rows),
                value: rng.integers(-10_000, 10_000, rows),
            }
        )
        pq.write_table(table, paths[name], row_group_size=max(1, rows // 4))
    return paths


def read(paths: Mapping[str, str]) -> Frames:
    spark = session()
    return {name: spark.read.parquet(path) for name, path in paths.items()}


# --- running


def compare(race: Race, frames: Frames, seconds: int, shards: int) -> None:
    """Windows that end after the last row are by hand alone."""
    last = (seconds - 1) // SLIDE * SLIDE
    expected = Counter(tuple(row) for row in race.by_hand(frames).collect() if row.time <= last)
    found = Counter(tuple(row) for row in race.horae(frames, shards).collect())
    if expected != found:
        only = sorted((expected - found).items())[:3], sorted((found - expected).items())[:3]
        raise SystemExit(f"{race.name}: by hand alone {only[0]}, by Horae alone {only[1]}")
    say(f"{race.name}: {found.total():,} answers to a few rows are the same")


def timed(make_frame: Callable[[], DataFrame]) -> float:
    start = time.perf_counter()
    make_frame().write.format("noop").mode("overwrite").save()
    return time.perf_counter() - start


def run(race: Race, frames: Frames, shards: int, repeat: int) -> None:
    """In turns, so that what else the machine does meets both."""
    sides = {
        "by hand": lambda: race.by_hand(frames),
        "Horae": lambda: race.horae(frames, shards),
    }
    times: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(repeat):
        for name, way in sides.items():
            times[name].append(timed(way))
    say(f"{race.name}, {race.horae(frames, shards).count():,} answers:")
    for name, found in times.items():
        say(f"  {name:8} {min(found):6.1f} s   ({', '.join(f'{s:.1f}' for s in found)})")
    ratio = min(times["by hand"]) / min(times["Horae"])
    say(f"  horae is {ratio:.2f} times as fast (the goal is {race.goal:g})")


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def chosen(names: Iterable[str]) -> list[Race]:
    wanted = set(names)
    return [race for race in RACES if not wanted or race.name in wanted]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--keys", type=int, default=None)
    parser.add_argument("--seconds", type=int, default=3_600)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[])
    given = parser.parse_args()
    keys = given.keys or max(1, given.rows // 20)
    with tempfile.TemporaryDirectory() as folder:
        few = read(make(Path(folder), 2_000, 40, 400))
        many = read(make(Path(folder), given.rows, keys, given.seconds))
        for race in chosen(given.only):
            compare(race, few, 400, given.shards)
            run(race, many, given.shards, given.repeat)


if __name__ == "__main__":
    main()
