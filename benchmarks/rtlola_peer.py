"""Horae beside the interpreter of today's RTLola, `rtlola-cli`: from a CSV file to a file of answers.

    python benchmarks/rtlola_peer.py [--events 5000000] [--rounds 3] [--peer .peers/bin/rtlola-cli]

`make bench-peers` builds the interpreter (version 0.1.2, from Rust's registry) and runs this. The
specification is that of §5.1 of the RTLola paper: averages of three streams over five seconds, once a
second, their sum, and a trigger on it; each side has it in its dialect. The events are a thousand a
second.

First both sides answer a few events, and must give the same. Then the seconds of whole processes are
measured, in turns, from their start to their end: wall, and CPU (user and system, of all threads).
Horae's first run finds nothing that earlier runs left: it compiles. That is told separately.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from averages import SPEC, write_events

write = sys.stdout.write
GOAL = 5
SMALL = 20_000
HORAE = "import sys; from horae.cli.main import main; sys.exit(main())"

THEIRS = """\
input a: Float64, b: Float64, c: Float64
output avg_a @1Hz := a.aggregate(over: 5s, using: avg).defaults(to: 0.0)
output avg_b @1Hz := b.aggregate(over: 5s, using: avg).defaults(to: 0.0)
output avg_c @1Hz := c.aggregate(over: 5s, using: avg).defaults(to: 0.0)
output total @1Hz := avg_a + avg_b + avg_c
trigger @1Hz total > 1.5 "high"
"""

Answers = dict[tuple[float, str], float | None]
"""By time and stream; a trigger has no value."""


@dataclass(frozen=True)
class Scope:
    """What is answered, as each side is told."""

    name: str
    ours: str
    theirs: str


SCOPES = (Scope("all answers", "all", "outputs"), Scope("triggers only", "triggers", "violations"))


@dataclass
class Side:
    name: str
    seconds: list[tuple[float, float]] = field(default_factory=list)

    def typical(self, kind: int) -> float:
        return median(run[kind] for run in self.seconds)


# --- the two sides


def our_command(folder: Path, events: Path, scope: Scope) -> list[str]:
    spec = str(folder / "ours.lola")
    command = [sys.executable, "-c", HORAE, "run", spec, "--input", str(events)]
    rest = ["--emit", scope.ours, "--output", str(folder / "ours.jsonl")]
    return [*command, "--engine", "local", *rest]


def their_command(folder: Path, events: Path, scope: Scope, peer: str) -> list[str]:
    command = [peer, "monitor", str(folder / "theirs.lola"), "--offline", "relative"]
    read = ["--csv-in", str(events), "--csv-time-column", "1"]
    return [*command, *read, "-v", scope.theirs, "--output-file", str(folder / "theirs.txt")]


def measured(command: Sequence[str], environment: dict[str, str]) -> tuple[float, float]:
    """Wall and CPU seconds of a process."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{command[0]} failed: {done.stderr[-2000:]}")
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def own_environment(folder: Path) -> dict[str, str]:
    """Caches of this race alone, so that the first run is a first one."""
    caches = {"HORAE_CACHE": str(folder / "horae"), "NUMBA_CACHE_DIR": str(folder / "numba")}
    environment = os.environ | caches
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


# --- their answers


def our_answers(path: Path) -> Answers:
    found: Answers = {}
    for answer in map(json.loads, path.read_text().splitlines()):
        if "trigger" in answer:
            found[answer["time"], "trigger"] = None
        else:
            found[answer["time"], answer["stream"]] = answer["value"]
    return found


_VALUE = re.compile(r"\[([0-9.]+)\]\[Output\]\[(\w+)\]\[Value\] = (.*)")
_TRIGGER = re.compile(r"\[([0-9.]+)\]\[Trigger\].*")


def their_answers(path: Path) -> Answers:
    found: Answers = {}
    for line in path.read_text().splitlines():
        if value := _VALUE.fullmatch(line):
            found[float(value[1]), value[2]] = float(value[3])
        elif trigger := _TRIGGER.fullmatch(line):
            found[float(trigger[1]), "trigger"] = None
        else:
            sys.exit(f"rtlola-cli wrote what is not known here: {line}")
    return found


def compare(ours: Answers, theirs: Answers) -> None:
    """Sums of doubles differ in their last digits where they are added in another order."""
    if ours.keys() != theirs.keys():
        sys.exit(f"other answers: {sorted(ours.keys() ^ theirs.keys())[:5]}")
    for key, value in ours.items():
        other = theirs[key]
        if value is not None and (other is None or not math.isclose(value, other, rel_tol=1e-12)):
            sys.exit(f"{key}: {value} here, {other} there")


# --- the race


def run(scope: Scope, options: argparse.Namespace, folder: Path, events: Path) -> float:
    environment = own_environment(folder)
    first = measured(our_command(folder, events, scope), environment)
    write(f"{scope.name}:\n  {'horae, first':14}{first[0]:8.2f} s wall {first[1]:8.2f} s CPU\n")
    ours, theirs = Side("horae"), Side("rtlola-cli")
    for _ in range(options.rounds):
        theirs.seconds.append(
            measured(their_command(folder, events, scope, options.peer), environment)
        )
        ours.seconds.append(measured(our_command(folder, events, scope), environment))
    for side in (theirs, ours):
        runs = " ".join(f"{wall:.2f}" for wall, _ in side.seconds)
        text = f"{side.typical(0):8.2f} s wall {side.typical(1):8.2f} s CPU"
        write(f"  {side.name:14}{text}   (wall: {runs})\n")
    compare(our_answers(folder / "ours.jsonl"), their_answers(folder / "theirs.txt"))
    wall, cpu = (theirs.typical(kind) / ours.typical(kind) for kind in (0, 1))
    write(f"  horae is {wall:.1f} times as fast, with {cpu:.1f} times less CPU time\n")
    return wall


def check_small(options: argparse.Namespace, folder: Path) -> None:
    events, environment = folder / "small.csv", dict(os.environ)
    write_events(events, SMALL)
    for scope in SCOPES:
        measured(our_command(folder, events, scope), environment)
        measured(their_command(folder, events, scope, options.peer), environment)
        ours = our_answers(folder / "ours.jsonl")
        compare(ours, their_answers(folder / "theirs.txt"))
        write(f"{SMALL:,} events, {scope.name}: the same {len(ours)} on both sides\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=5_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peer", default=".peers/bin/rtlola-cli")
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "ours.lola").write_text(SPEC)
        (folder / "theirs.lola").write_text(THEIRS)
        check_small(options, folder)
        events = folder / "events.csv"
        write_events(events, options.events)
        write(f"{options.events:,} events, {events.stat().st_size / 2**20:,.0f} MB of CSV\n")
        ratios = [run(scope, options, folder, events) for scope in SCOPES]
    write(f"the goal is {GOAL} times: {'reached' if min(ratios) >= GOAL else 'missed'}\n")


if __name__ == "__main__":
    main()
