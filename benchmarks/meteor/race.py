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
import os
import sys
from pathlib import Path

from sides import Raced, race
from workloads import TRAFFIC, workloads

write = sys.stdout.write
AT_LEAST = {"from file": 5, "evaluation": 20}


def show(raced: Raced) -> list[str]:
    """Shows one race; gives what is not as fast as it should be."""
    write(
        f"{raced.workload}: {raced.rules} rules, {raced.facts} facts, {raced.answers} equal answers\n"
    )
    failures = []
    for part, ratio in raced.ratios():
        seconds = f"Horae {raced.horae[part]:7.3f} s, MeTeoR {raced.meteor[part]:8.3f} s"
        write(f"  {part:<14}{seconds}: {ratio:6.1f}x\n")
        if ratio < AT_LEAST.get(part, 0):
            failures.append(f"{raced.workload}: less than {AT_LEAST[part]} times as fast, {part}")
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
    races = (race(work, given.facts, meteor) for work in chosen)
    failures = [failure for raced in races for failure in show(raced)]
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
