"""How much CPU time the commands take before there is anything to do.

    python benchmarks/startup.py [--repeat N]

Prints user and system seconds of `horae check` and of `horae run --engine local` over ten rows, for a
small program of each language, beside what they may take; the least of some runs, after one that warms
the caches. The exit code is 1 if one takes longer.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

CHECK, RUN, HELP = 0.5, 1.2, 0.5  # seconds
PROGRAMS = {
    "m.lola": "input int a\noutput int b := a + 1\n",
    "m.dmtl": "q(X) :- Boxminus[0,1] p(X).\n",
    "m.lars": "q(X) :- win[1] [] p(X).\n",
    "m.cql": "REGISTER STREAM p(x int); SELECT x FROM p [NOW];\n",
}
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in PROGRAMS.items():
            (folder / file).write_text(text)
        (folder / "e.csv").write_text("time,a\n" + "".join(f"{i},{i}\n" for i in range(10)))
        (folder / "f.facts").write_text("".join(f"p({i})@{i}\n" for i in range(10)))
        return 0 if measure(folder, parser.parse_args().repeat) else 1


if __name__ == "__main__":
    sys.exit(main())
