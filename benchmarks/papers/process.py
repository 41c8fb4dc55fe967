"""One run of the command `horae`, measured from outside: seconds and memory of all its processes.

    python -m benchmarks.papers.process run SPEC --input …

Prints JSON. Linux counts what a process held before it became another program as that program's, so
that the one which starts the command must be small.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.memory_of_processes import Sampler
from benchmarks.startup import HORAE, adopt_orphans, reap_orphans

_MIB = 2**20


@dataclass(frozen=True)
class Measured:
    """Seconds of wall time until the command was done; CPU seconds of all processes that it started.

    `peak_mib` is the resident set of the command's own process, as Linux tells at its end. `all_mib` is
    the greatest PSS of all processes together that was seen, twice a second, and `java_mib` the
    greatest RSS of the JVM among them.
    """

    wall: float
    cpu: float
    peak_mib: float
    all_mib: float
    java_mib: float


def run_horae(*arguments: str | Path) -> Measured:
    return Measured(**json.loads(run_module("benchmarks.papers.process", *arguments)))


def run_module(name: str, *arguments: object) -> str:
    """What a module of the benchmarks prints, in a process of its own."""
    command = [sys.executable, "-m", name, *map(str, arguments)]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


def _measured(arguments: Sequence[str]) -> Measured:
    """The only thing that this process ever starts: all that ends counts."""
    adopt_orphans()
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", HORAE, *arguments], stdout=subprocess.DEVNULL)
    with Sampler(process.pid) as sampler:
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"horae {' '.join(arguments)} ended with {process.returncode}")
    peak, java = usage.ru_maxrss / 1024, sampler.by_program.get("java", 0)
    return Measured(wall, _cpu_of_all(), peak, sampler.pss / _MIB, java / _MIB)


def _cpu_of_all() -> float:
    reap_orphans()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asdict(_measured(sys.argv[1:]))))
