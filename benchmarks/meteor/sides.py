"""Both sides of a race, each in a process of its own, over the same file."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchmarks.meteor.workloads import Workload

HERE = Path(__file__).parent
Answers = list[tuple[str, list[str], str]]


@dataclass(frozen=True)
class Side:
    """What one of the two found, and its CPU seconds by part."""

    answers: Answers
    seconds: dict[str, float]


@dataclass(frozen=True)
class Raced:
    """CPU seconds of both by part; they gave the same answers."""

    workload: str
    rules: int
    facts: int
    answers: int
    horae: dict[str, float]
    meteor: dict[str, float]

    def ratios(self) -> Iterator[tuple[str, float]]:
        """How many times as fast Horae is, by part."""
        for part, seconds in self.horae.items():
            yield part, self.meteor[part] / seconds


def race(work: Workload, facts: int, meteor: str) -> Raced:
    """`meteor` is the Python that has it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{work.name}.facts"
        work.write(path, facts)
        case = {"program": work.program, "rules": work.rules, "queried": work.queried}
        case |= {"facts": str(path)}
        run(sys.executable, "horae_side.py", case)  # compiles, if this machine never did
        mine = run(sys.executable, "horae_side.py", case)
        theirs = run(meteor, "meteor_side.py", case)
    assert mine.answers == theirs.answers, f"{work.name}: the answers differ"
    found = (len(work.rules), facts, len(mine.answers))
    return Raced(work.name, *found, mine.seconds, theirs.seconds)


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
