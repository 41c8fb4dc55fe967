"""Horae's side of a race.

    python benchmarks/meteor/horae_side.py < CASE

The case is JSON: the `program` and the path of the `facts`. Writes JSON: the answers as `[predicate,
arguments, interval]`, and CPU seconds: of the first run, of the whole process up to then, and for the
rest the least of some runs.
"""

from __future__ import annotations

import json
import sys
import warnings
from time import process_time
from typing import Any

import horae

RUNS = 4


def main() -> None:
    case = json.load(sys.stdin)
    warnings.simplefilter("ignore")  # about predicates that the rules do not read
    json.dump(
        race(horae.compile(case["program"], language="datalogmtl"), case["facts"]), sys.stdout
    )


def race(program: horae.Program, path: str) -> dict[str, Any]:
    first, answers = from_file(program, path)
    whole = process_time()
    seconds = {
        "from file": min(from_file(program, path)[0] for _ in range(RUNS)),
        "evaluation": min(evaluation(program, path) for _ in range(RUNS)),
        "first run": first,
        "whole process": whole,
    }
    return {"answers": answers, "seconds": seconds}


def from_file(program: horae.Program, path: str) -> tuple[float, list[tuple[Any, ...]]]:
    begin = process_time()
    answers = program.run_files([path], engine="local")
    found = [(a["predicate"], a["args"], a["interval"]) for a in answers]
    return process_time() - begin, found


def evaluation(program: horae.Program, path: str) -> float:
    """From facts as columns to answers as columns."""
    from horae.data.facts import read_fact_files
    from horae.languages.datalogmtl.check.normalise import normalise
    from horae.languages.datalogmtl.kernel.evaluate import evaluate

    normal, facts = normalise(program.checked), read_fact_files([path], program.checked.arities)
    begin = process_time()
    evaluate(normal, facts)
    return process_time() - begin


if __name__ == "__main__":
    main()
