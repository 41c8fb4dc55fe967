"""From a file to counted answers, in process: rows a second through a small program of each language.

    python benchmarks/doors.py [--rows 1000000 10000000] [--format parquet csv facts] [--language lars …]

Every row is an event of one of 1,000 sensors; a file of facts holds the same. Programs are run once on a
few rows before they are measured, so that compiled loops are there. Seconds are CPU time of this process
and all its threads, held to one core where the system can do that: the least of three runs, as the first
one also pays for memory that the process never had. `from columns` is the same program over an Arrow
table that is there already: the kernel's own share. `growth` is the cost of a row beside that of the
least size.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

_SENSORS = 1_000
_ROWS_PER_TIME = 100
_WARM_UP = 20_000
_RUNS = 3

PROGRAMS = {
    "rtlola": (
        "input int sensor\ninput int level\n"
        "output int total<int s> invoke: sensor extend: sensor = s := total(s)[-1, 0] + level\n"
        "trigger any(total > 1000000000)\n"
    ),
    "datalogmtl": (
        "seen(X) :- Diamondminus[0,20] reading(X, L).\n"
        "steady(X) :- Boxminus[0,60] seen(X).\n?- steady.\n"
    ),
    "lars": "steady(X) :- win[5] [] reading(X, L).\n",
    "cql": (
        "REGISTER STREAM reading(sensor int, level int);\n"
        "SELECT sensor, COUNT(*) AS n FROM reading [RANGE 60] "
        "GROUP BY sensor HAVING COUNT(*) > 14;\n"
    ),
}


def readings(rows: int) -> pa.Table:
    """In order of time; the same at every call."""
    numbers = np.random.default_rng(1)
    return pa.table(
        {
            "sensor": numbers.integers(0, _SENSORS, rows),
            "level": numbers.integers(0, 100, rows),
            "time": np.arange(rows) // _ROWS_PER_TIME,
        }
    )


def write(table: pa.Table, format: str, folder: Path) -> Path:
    path = folder / f"reading-{len(table)}.{format}"
    match format:
        case "parquet":
            pyarrow.parquet.write_table(table, path)
        case "csv":
            pyarrow.csv.write_csv(table, path)
        case "facts":
            columns = (table.column(name).to_pylist() for name in table.column_names)
            lines = (f"reading({s},{n})@{t}\n" for s, n, t in zip(*columns, strict=True))
            path.write_text("".join(lines), encoding="utf-8")
    return path


def named(path: Path, language: str) -> str:
    """The argument of `--input`: rules and queries want the name of a table."""
    return str(path) if language == "rtlola" or path.suffix == ".facts" else f"reading={path}"


def measure(language: str, path: Path, table: pa.Table) -> tuple[float, float, int]:
    """Seconds from the file, seconds from columns in memory, and the number of answers."""
    import horae

    program = horae.compile(PROGRAMS[language], language=language)
    before = process_time()
    answers = len(program.run_files([named(path, language)], engine="local"))
    between = process_time()
    given = table if language == "rtlola" else {"reading": table}
    assert len(program.evaluate(given)) == answers
    return between - before, process_time() - between, answers


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python benchmarks/doors.py")
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--format", nargs="+", default=["parquet", "csv", "facts"])
    parser.add_argument("--language", nargs="+", default=list(PROGRAMS), choices=list(PROGRAMS))
    options = parser.parse_args(arguments)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        for language in options.language:
            for format in options.format:
                if not (language == "rtlola" and format == "facts"):
                    compare(language, format, options.rows, Path(folder))


def compare(language: str, format: str, sizes: Sequence[int], folder: Path) -> None:
    measured(language, format, _WARM_UP, folder)
    first = None
    for rows in sizes:
        seconds, inside, answers = measured(language, format, rows, folder)
        cost = seconds / rows
        first = first or cost
        sys.stdout.write(
            f"{language:<10} {format:<8} {rows:>10,} rows  {seconds:7.2f} s {1 / cost:>12,.0f} rows/s  "
            f"growth {cost / first:4.2f}  from columns {inside:7.2f} s  {answers:,} answers\n"
        )
        sys.stdout.flush()


def measured(language: str, format: str, rows: int, folder: Path) -> tuple[float, float, int]:
    table = readings(rows)
    path = write(table, format, folder)
    runs = [measure(language, path, table) for _ in range(_RUNS)]
    path.unlink()
    return min(run[0] for run in runs), min(run[1] for run in runs), runs[0][2]


if __name__ == "__main__":
    main(sys.argv[1:])
