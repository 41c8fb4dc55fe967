"""DatalogMTL and LARS in batch on Spark, beside a shuffle and sort of the same facts, in one run.

    python benchmarks/spark_facts.py                     10 M facts of 500 k keys
    python benchmarks/spark_facts.py --facts 1000000

A program of one stage each: which signals came after a minute without gaps of more than 200 s, and which
came some time after the last break, but not at once. Both read two Parquet files and throw their answers
away. The limit is the same rows shuffled by key and sorted by time. Seconds of wall time, and the ratio
to that.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame

import horae
from horae.spark.session import session

GOAL = 3
PROGRAMS = {
    "datalogmtl": """
steady(X) :- signal(X), Boxminus[0,60] Diamondminus[0,200] signal(X), not down(X).
?- steady.
""",
    "lars": """
steady(X) :- signal(X), win[200] <> down(X), not win[20] <> down(X).
""",
}
Frames = Mapping[str, DataFrame]


def make(folder: Path, facts: int, keys: int) -> dict[str, str]:
    """Nine of ten facts are of `signal`, the others of `down`."""
    rng = np.random.default_rng(7)
    paths = {}
    for name, count in (("signal", facts - facts // 10), ("down", facts // 10)):
        paths[name] = str(folder / f"{name}.parquet")
        times = np.arange(count) * 3_600 // count
        table = pa.table({"id": rng.integers(0, keys, count), "time": times})
        pq.write_table(table, paths[name], row_group_size=1_000_000)
    return paths


def sorted_rows(frames: Frames, shards: int) -> DataFrame:
    """What any program by key needs."""
    rows = frames["signal"].unionAll(frames["down"])
    return rows.repartition(shards, "id").sortWithinPartitions("time")


def timed(make_frame: Callable[[], DataFrame]) -> float:
    start = time.perf_counter()
    make_frame().write.format("noop").mode("overwrite").save()
    return time.perf_counter() - start


def ways(frames: Frames, shards: int) -> dict[str, Callable[[], DataFrame]]:
    found: dict[str, Callable[[], DataFrame]] = {"sort": lambda: sorted_rows(frames, shards)}
    for language, text in PROGRAMS.items():
        program = horae.compile(text, language)
        found[language] = lambda program=program: program.answers(frames, "steady", shards=shards)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--facts", type=int, default=10_000_000)
    parser.add_argument("--keys", type=int, default=None)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--repeat", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        paths = make(Path(folder), given.facts, given.keys or given.facts // 20)
        frames = {name: session().read.parquet(path) for name, path in paths.items()}
        sides = ways(frames, given.shards)
        best = dict.fromkeys(sides, float("inf"))
        for _ in range(given.repeat):
            for name, way in sides.items():
                best[name] = min(best[name], timed(way))
                sys.stderr.write(f"{name}: {best[name]:.1f} s\n")
    base = best["sort"]
    for name, seconds in best.items():
        goal = "" if name == "sort" else f"   (at most {GOAL})"
        sys.stdout.write(f"{name:12} {seconds:7.1f} s {seconds / base:6.2f}{goal}\n")


if __name__ == "__main__":
    main()
