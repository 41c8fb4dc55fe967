"""The memory of the driver while workers write answers, or it writes them itself in their order.

    python -m benchmarks.driver_memory                 50 M answers as Parquet, 5 M to standard output
    python -m benchmarks.driver_memory --scale 0.1     a tenth of them

The events are those of `spark_keyed.py`, with two answers each. The executor is a process of its own
(`local-cluster`), so that the driver is the command and its JVM, whose heap may have 512 MB. Beside each
run stands one with fewer answers: what the driver holds more is the price of the others. Tables do not
pass the driver. Lines do, and are sorted there: for them it may use its heap, and 64 MB for answers that
do not yet wait on disk. Memory is PSS, the greatest that was seen.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow.dataset as ds
from benchmarks.memory_of_processes import Sampler
from benchmarks.spark_keyed import KEYED, make
from benchmarks.startup import HORAE

TABLES = (500_000, 50_000_000)
LINES = (500_000, 5_000_000)
PER_EVENT = 2
MOST_FOR_TABLES, MOST_FOR_LINES = 200, 512 + 64  # MiB
_MIB = 2**20
_WORKERS = ("CoarseGrainedExecutorBackend", "pyspark")
_CLUSTER = ("--master", "local-cluster[1,2,6144]")
_HEAPS = ("--spark-conf", "spark.driver.memory=512m", "--spark-conf", "spark.executor.memory=5g")


@dataclass(frozen=True)
class Seen:
    answers: int
    seconds: float
    driver_mib: float


def driver_alone(pid: int) -> bool:
    """Executors and their Python workers are not counted."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False
    return not any(word in command for word in _WORKERS) or "SparkSubmit" in command


def run(folder: Path, answers: int, output: Sequence[str]) -> Seen:
    """Standard output goes to a file: a pipe would let the command wait."""
    events, spec, lines = (folder / name for name in ("events.parquet", "keyed.lola", "lines"))
    rows = answers // PER_EVENT
    make(events, rows, max(1, rows // 20))
    spec.write_text(KEYED)
    command = [sys.executable, "-c", HORAE, "run", str(spec), "--input", str(events)]
    begin = time.perf_counter()
    with lines.open("wb") as out:
        process = subprocess.Popen([*command, *_CLUSTER, *_HEAPS, *output], stdout=out)
        with Sampler(process.pid, driver_alone) as sampler:
            failed = process.wait()
    if failed:
        sys.exit(f"horae ended with {failed}")
    seconds = time.perf_counter() - begin
    found = _written(output, lines)
    if found != answers:
        sys.exit(f"{found:,} answers of {answers:,} were written")
    return Seen(answers, seconds, sampler.pss / _MIB)


def _written(output: Sequence[str], lines: Path) -> int:
    if not output:
        with lines.open("rb") as file:
            return sum(1 for _ in file)
    tables = [table for table in Path(output[1]).iterdir() if table.is_dir()]
    return sum(ds.dataset(table, format="parquet").count_rows() for table in tables)


def race(name: str, counts: Sequence[int], most: int, folder: Path, output: Sequence[str]) -> str:
    few, many = (run(folder, count, output) for count in counts)
    grown = many.driver_mib - few.driver_mib
    told = (
        f"{seen.answers:,}: {seen.driver_mib:,.0f} MiB, {seen.seconds:.0f} s"
        for seen in (few, many)
    )
    return f"{name}: {'; '.join(told)}; {grown:+,.0f} MiB (at most {most})\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0)
    scale = parser.parse_args().scale
    with TemporaryDirectory() as name:
        folder = Path(name)
        tables = ["--output", str(folder / "tables"), "--format", "parquet", "--overwrite"]
        races = (("Parquet", TABLES, MOST_FOR_TABLES, tables), ("lines", LINES, MOST_FOR_LINES, []))
        for kind, counts, most, output in races:
            scaled = [PER_EVENT * max(1, int(count * scale / PER_EVENT)) for count in counts]
            sys.stdout.write(race(kind, scaled, most, folder, output))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
