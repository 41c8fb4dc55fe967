"""ShortStop over the traffic data S1: Horae beside MeTeoR's semi-naive mode, in the same run.

    python benchmarks/datalogmtl_s1.py [FACTS]

FACTS is the file of facts, `../shared/data/traffic_s1.facts` by default; `HORAE_METEOR_PYTHON` names a
Python with MeTeoR (`make meteor-venv`).
Seconds are CPU time, from the file to the answers, and for the evaluation alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path
from time import process_time
from typing import Any

import horae
from horae.data.facts import read_fact_files
from horae.languages.datalogmtl.check.normalise import normalise
from horae.languages.datalogmtl.kernel.evaluate import evaluate
from horae.source.errors import InputWarning

write = sys.stdout.write
STEPS = [f"Boxminus[{n},{n}]" for n in range(6)]
AT_LEAST = {"from file": 5, "evaluation": 20}
TRAFFIC = Path(__file__).parents[2] / "shared" / "data" / "traffic_s1.facts"

METEOR = """
import json, sys, time
from contextlib import redirect_stdout
from meteor_reasoner.materialization.coalesce import coalescing_d
from meteor_reasoner.materialization.materialize import materialize
from meteor_reasoner.utils.loader import load_dataset, load_program
case = json.load(sys.stdin)
with redirect_stdout(sys.stderr):
    begin = time.process_time()
    with open(case["path"], encoding="utf-8") as lines:
        data = load_dataset([line for line in lines.read().splitlines() if line.strip()])
    program = load_program(case["program"])
    read = time.process_time()
    coalescing_d(data)
    materialize(data, program, mode="seminaive", K=100)
    coalescing_d(data)
    end = time.process_time()
count = sum(len(intervals) for intervals in data["ShortStop"].values())
json.dump({"from file": end - begin, "evaluation": end - read, "answers": count}, sys.stdout)
"""


def rules() -> list[str]:
    """A vehicle that stands for one to four seconds, between two moments without a position."""
    found = ["NotPos(V):-NotOnMap(V)"]
    for length in range(1, 5):
        stops = [f"{STEPS[n]}Pos(V)" for n in range(1, length + 1)]
        body = ["NotPos(V)", *stops, f"{STEPS[length + 1]}NotPos(V)"]
        found.append(f"ShortStop(V):-{','.join(body)}")
    return found


def ours(path: Path) -> dict[str, Any]:
    """The least of some runs; the first one loads compiled code."""
    program = horae.compile("\n".join([*rules(), "?- ShortStop."]), language="datalogmtl")
    normal, arities = normalise(program.checked), program.checked.arities
    facts = read_fact_files([str(path)], arities)
    whole, alone = [], []
    for _ in range(4):
        begin = process_time()
        answers = len(program.run_files([str(path)], engine="local"))
        between = process_time()
        evaluate(normal, facts)
        whole.append(between - begin)
        alone.append(process_time() - between)
    return {"from file": min(whole), "evaluation": min(alone), "answers": answers}


def meteors(python: str, path: Path) -> dict[str, Any]:
    case = json.dumps({"program": rules(), "path": str(path)})
    done = subprocess.run(
        [python, "-c", METEOR], input=case, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def show(name: str, found: dict[str, Any]) -> None:
    write(
        f"{name:<8} from file {found['from file']:8.3f} s, "
        f"evaluation {found['evaluation']:8.3f} s, {found['answers']} answers\n"
    )


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else TRAFFIC
    if not path.exists():
        sys.exit(f"there is no file {path}: name the file of facts")
    warnings.simplefilter("ignore", InputWarning)  # about predicates that the rules do not read
    mine = ours(path)
    show("Horae", mine)
    python = os.environ.get("HORAE_METEOR_PYTHON")
    if not python:
        sys.exit("HORAE_METEOR_PYTHON names no Python with MeTeoR")
    theirs = meteors(python, path)
    show("MeTeoR", theirs)
    assert theirs["answers"] == mine["answers"]
    for part, least in AT_LEAST.items():
        ratio = theirs[part] / mine[part]
        write(f"ratio    {part} {ratio:.1f}\n")
        assert ratio >= least, f"less than {least} times as fast {part}"


if __name__ == "__main__":
    main()
