"""MeTeoR's side of a race; run by a Python that has `meteor_reasoner`, not by Horae's own.

    python benchmarks/meteor/meteor_side.py < CASE

The case is JSON: `rules`, the path of the `facts`, and the `queried` predicates. Writes JSON: the
answers as `[predicate, arguments, interval]`, and CPU seconds. MeTeoR reports its progress with `print`,
so that its standard output goes to standard error.
"""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from time import process_time
from typing import Any

from meteor_reasoner.materialization.coalesce import coalescing_d
from meteor_reasoner.materialization.materialize import materialize
from meteor_reasoner.utils.loader import load_dataset, load_program

ROUNDS = 1000


def main() -> None:
    case = json.load(sys.stdin)
    with redirect_stdout(sys.stderr):
        result = race(case)
    json.dump(result, sys.stdout)


def race(case: dict[str, Any]) -> dict[str, Any]:
    begin = process_time()
    data = load_dataset(Path(case["facts"]).read_text(encoding="utf-8").splitlines())
    program = load_program(case["rules"])
    read = process_time()
    coalescing_d(data)
    is_done = materialize(data, program, mode="seminaive", K=ROUNDS)
    assert is_done, f"no fixpoint within {ROUNDS} rounds"
    coalescing_d(data)
    evaluated = process_time()
    found = answers(data, case["queried"])
    end = process_time()
    seconds = {"from file": end - begin, "evaluation": evaluated - read}
    seconds |= {"first run": end - begin, "whole process": end}
    return {"answers": found, "seconds": seconds}


def answers(data: Any, queried: list[str]) -> list[tuple[str, list[str], str]]:
    return [
        (predicate, [term.name for term in entity], str(interval))
        for predicate in queried
        for entity, intervals in data[predicate].items()
        for interval in intervals
    ]


if __name__ == "__main__":
    main()
