"""Horae beside MeTeoR's semi-naive mode: three programs over 100,000 facts each, in one run.

    python benchmarks/meteor/race.py [--facts 100000] [--traffic FILE] [WORKLOAD ...]

`HORAE_METEOR_PYTHON` names a Python with MeTeoR; `make bench-meteor` makes one. The workloads are those
of `workloads.py`; FILE is the real traffic data, `../shared/data/traffic_s1.facts` by default.

Both sides get the same rules and the same file, each in a process of its own, and must give the same
answers. Seconds are CPU time: `from file` to the answers as Python values, with code loaded; of that the
`evaluation` alone; the `first run` of a process, in which Horae still loads code; and the `whole
process`. What numba compiles once per machine is compiled before.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from workloads import TRAFFIC, Workload, workloads

write = sys.stdout.write
AT_LEAST = {"from file": 5, "evaluation": 20}
HERE = Path(__file__).parent
Answers = list[tuple[str, list[str], str]]


@dataclass(frozen=True)
class Side:
    """What one of the two found, and its CPU seconds by part."""

    answers: Answers
    seconds: dict[str, float]


def run(python: str, script: str, case: dict[str, Any]) -> Side:
    command = [python, str(HERE / script)]
    done = subprocess.run(
        command, input=json.dumps(case), capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    found = json.loads(done.stdout)
    answers = [(predicate, [*map(str, args)], held) for predicate, args, held in found["answers"]]
    return Side(sorted(answers), found["seconds"])


def race(work: Workload, facts: int, meteor: str) -> list[str]:
    """Shows one race; gives what is not as fast as it should be."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{work.name}.facts"
        work.write(path, facts)
        case = {"program": work.program, "rules": work.rules, "queried": work.queried}
        case |= {"facts": str(path)}
        run(sys.executable, "horae_side.py", case)  # compiles, if this machine never did
        mine = run(sys.executable, "horae_side.py", case)
        theirs = run(meteor, "meteor_side.py", case)
    assert mine.answers == theirs.answers, f"{work.name}: the answers differ"
    write(
        f"{work.name}: {len(work.rules)} rules, {facts} facts, {len(mine.answers)} equal answers\n"
    )
    return [*_compared(work.name, mine.seconds, theirs.seconds)]


def _compared(name: str, mine: dict[str, float], theirs: dict[str, float]) -> list[str]:
    failures = []
    for part, seconds in mine.items():
        ratio = theirs[part] / seconds
        write(f"  {part:<14}Horae {seconds:7.3f} s, MeTeoR {theirs[part]:8.3f} s: {ratio:6.1f}x\n")
        if ratio < AT_LEAST.get(part, 0):
            failures.append(f"{name}: less than {AT_LEAST[part]} times as fast, {part}")
    return failures


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="WORKLOAD")
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--traffic", type=Path, default=TRAFFIC, metavar="FILE")
    given = parser.parse_args()
    meteor = os.environ.get("HORAE_METEOR_PYTHON")
    if not meteor:
        sys.exit("HORAE_METEOR_PYTHON names no Python with MeTeoR")
    if not given.traffic.exists():
        sys.exit(f"there is no file {given.traffic}: name the traffic data with --traffic")
    chosen = [w for w in workloads(given.traffic) if not given.names or w.name in given.names]
    failures = [failure for work in chosen for failure in race(work, given.facts, meteor)]
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
