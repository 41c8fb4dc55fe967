"""How much time the commands take before there is anything to do.

    python benchmarks/startup.py [--repeat N] [--no-spark]

Prints user and system seconds of `horae check` and of `horae run --engine local` over ten rows, for a
small program of each language, beside what they may take; the least of some runs, after one that warms
the caches. The exit code is 1 if one takes longer.

Then two small runs on Spark, the shop of `horae demo` and a stream over seven facts: seconds until the
command is done, beside what they may take on two quiet cores, and CPU seconds of all its processes, the
JVM and Python workers too.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHECK, RUN, HELP = 0.5, 1.2, 0.5  # seconds
PROGRAMS = {
    "m.lola": "input int a\noutput int b := a + 1\n",
    "m.dmtl": "q(X) :- Boxminus[0,1] p(X).\n",
    "m.lars": "q(X) :- win[1] [] p(X).\n",
    "m.cql": "REGISTER STREAM p(x int); SELECT x FROM p [NOW];\n",
}
EXAMPLES = Path(__file__).parent.parent / "src" / "horae" / "examples"
ON_SPARK = (
    (9.0, "run shop.lola --input shop.csv --time ts"),
    (15.0, "run signals.dmtl --input signals.facts --stream --finish"),
)  # seconds, command
HORAE = "import sys; from horae.cli.main import main; sys.exit(main())"


def cpu_seconds(arguments: list[str], folder: Path) -> float:
    """Of one run of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", HORAE, *arguments]
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def commands() -> list[tuple[list[str], float]]:
    """All that are measured, with their limits."""
    found: list[tuple[list[str], float]] = [(["--help"], HELP)]
    for name in PROGRAMS:
        data = "e.csv" if name == "m.lola" else "f.facts"
        found.append((["check", name], CHECK))
        found.append((["run", name, "--input", data, "--engine", "local"], RUN))
    return found


def measure(folder: Path, repeat: int) -> bool:
    """Print a line per command; whether all are within their limits."""
    fine = True
    for arguments, limit in commands():
        cpu_seconds(arguments, folder)
        best = min(cpu_seconds(arguments, folder) for _ in range(repeat))
        fine = fine and best <= limit
        sys.stdout.write(f"horae {' '.join(arguments):50}{best:6.2f} s of {limit} s\n")
    return fine


def measure_on_spark(repeat: int) -> bool:
    """The same for small runs on Spark. What the first one leaves for later ones is waited for."""
    fine = True
    for limit, text in ON_SPARK:
        wall_and_cpu(text.split())
        wall, cpu = min(wall_and_cpu(text.split()) for _ in range(repeat))
        fine = fine and wall <= limit
        sys.stdout.write(f"horae {text:65}{wall:6.1f} s of {limit} s, CPU {cpu:5.1f} s\n")
    return fine


def wall_and_cpu(arguments: list[str]) -> tuple[float, float]:
    """Until a command is done; and of all processes that it started, which may end later."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", HORAE, *arguments]
    subprocess.run(command, cwd=EXAMPLES, stdout=subprocess.DEVNULL, check=True)
    wall = time.perf_counter() - start
    reap_orphans()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def adopt_orphans() -> None:
    """Linux tells this process then of what a JVM took that outlived its command."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def reap_orphans() -> None:
    try:
        while True:
            os.wait()
    except ChildProcessError:
        return


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--no-spark", action="store_true")
    given = parser.parse_args()
    adopt_orphans()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in PROGRAMS.items():
            (folder / file).write_text(text)
        (folder / "e.csv").write_text("time,a\n" + "".join(f"{i},{i}\n" for i in range(10)))
        (folder / "f.facts").write_text("".join(f"p({i})@{i}\n" for i in range(10)))
        fine = measure(folder, given.repeat)
    return 0 if (given.no_spark or measure_on_spark(given.repeat)) and fine else 1


if __name__ == "__main__":
    sys.exit(main())
