"""ShortStop over the traffic data S1: Horae beside MeTeoR's semi-naive mode, in the same run.

    python benchmarks/datalogmtl_s1.py [FACTS]

FACTS is the file of facts, `../shared/data/traffic_s1.facts` by default; `HORAE_METEOR_PYTHON` names a
Python with MeTeoR (`make meteor-venv`).
Reading the facts is excluded on both sides.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from horae.data.ground_facts import GroundFact
from horae.languages.datalogmtl.check.check import load
from horae.languages.datalogmtl.check.facts import ground, parse_facts
from horae.languages.datalogmtl.check.normalise import normalise
from horae.languages.datalogmtl.kernel.answers import interval_answers
from horae.languages.datalogmtl.kernel.evaluate import evaluate
from horae.source.text import Source

write = sys.stdout.write
STEPS = [f"Boxminus[{n},{n}]" for n in range(6)]
AT_LEAST = 20
TRAFFIC = Path(__file__).parents[2] / "shared" / "data" / "traffic_s1.facts"

METEOR = """
import json, sys, time
from contextlib import redirect_stdout
from meteor_reasoner.materialization.coalesce import coalescing_d
from meteor_reasoner.materialization.materialize import materialize
from meteor_reasoner.utils.loader import load_dataset, load_program
case = json.load(sys.stdin)
with redirect_stdout(sys.stderr):
    data, program = load_dataset(case["facts"]), load_program(case["program"])
    begin = time.perf_counter()
    coalescing_d(data)
    materialize(data, program, mode="seminaive", K=100)
    coalescing_d(data)
    seconds = time.perf_counter() - begin
count = sum(len(intervals) for intervals in data["ShortStop"].values())
json.dump({"seconds": seconds, "answers": count}, sys.stdout)
"""


def rules() -> list[str]:
    """A vehicle that stands for one to four seconds, between two moments without a position."""
    found = ["NotPos(V):-NotOnMap(V)"]
    for length in range(1, 5):
        stops = [f"{STEPS[n]}Pos(V)" for n in range(1, length + 1)]
        body = ["NotPos(V)", *stops, f"{STEPS[length + 1]}NotPos(V)"]
        found.append(f"ShortStop(V):-{','.join(body)}")
    return found


def ours(facts: list[GroundFact]) -> dict[str, Any]:
    program, found = load(Source("shortstop.dmtl", "\n".join([*rules(), "?- ShortStop."])))
    assert program is not None, found
    normal = normalise(program)
    seconds, answers = [], []
    for _ in range(4):  # the first run loads compiled code
        begin = perf_counter()
        result = evaluate(normal, facts)
        answers = interval_answers(result.found, result.symbols, result.timeline)
        seconds.append(perf_counter() - begin)
    return {"seconds": min(seconds), "first": seconds[0], "answers": len(answers)}


def meteors(python: str, lines: list[str]) -> dict[str, Any]:
    case = json.dumps({"program": rules(), "facts": lines})
    done = subprocess.run(
        [python, "-c", METEOR], input=case, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else TRAFFIC
    if not path.exists():
        sys.exit(f"there is no file {path}: name the file of facts")
    text = path.read_text(encoding="utf-8")
    facts, problems = parse_facts(Source(str(path), text))
    assert not problems, problems
    mine = ours(ground(facts))
    write(f"Horae   {mine['seconds']:8.3f} s, {mine['answers']} answers ({len(facts)} facts)\n")
    python = os.environ.get("HORAE_METEOR_PYTHON")
    if not python:
        sys.exit("HORAE_METEOR_PYTHON names no Python with MeTeoR")
    theirs = meteors(python, [line for line in text.splitlines() if line.strip()])
    write(f"MeTeoR  {theirs['seconds']:8.3f} s, {theirs['answers']} answers\n")
    ratio = theirs["seconds"] / mine["seconds"]
    first = theirs["seconds"] / mine["first"]
    write(f"ratio   {ratio:8.1f} ({first:.1f} where compiled code is loaded first)\n")
    assert theirs["answers"] == mine["answers"]
    assert ratio >= AT_LEAST, f"less than {AT_LEAST} times as fast"


if __name__ == "__main__":
    main()
