"""Materialise programs with MeTeoR. Run by a Python that has `meteor_reasoner`, not by the tests' own.

Reads a JSON list of `{"program": [rules], "facts": [facts], "mode": "naive" | "seminaive"}` from
standard input and writes a list with one entry per case: `{"facts": [[predicate, args, interval]]}`
after all rounds, or `{"error": text}`. MeTeoR reports its progress with `print`, so its standard output
goes to standard error.
"""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from decimal import Decimal
from fractions import Fraction
from typing import Any

from meteor_reasoner.materialization.coalesce import (  # type: ignore[import-not-found]
    coalescing_d,
)
from meteor_reasoner.materialization.materialize import (  # type: ignore[import-not-found]
    materialize,
)
from meteor_reasoner.utils.loader import (  # type: ignore[import-not-found]
    load_dataset,
    load_program,
)

_ROUNDS = 200
_NO_ARGUMENTS = ["nan"]


def main() -> None:
    cases = json.load(sys.stdin)
    with redirect_stdout(sys.stderr):
        results = [_attempt(case) for case in cases]
    json.dump(results, sys.stdout)


def _attempt(case: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"facts": _materialise(case)}
    except Exception as error:  # noqa: BLE001 - whatever goes wrong in there is a result
        return {"error": f"{type(error).__name__}: {error}"}


def _materialise(case: dict[str, Any]) -> list[list[Any]]:
    dataset = load_dataset(case["facts"])
    coalescing_d(dataset)
    if not materialize(dataset, load_program(case["program"]), mode=case["mode"], K=_ROUNDS):
        raise RuntimeError(f"no fixpoint within {_ROUNDS} rounds")
    coalescing_d(dataset)
    return [
        [predicate, _arguments(entity), _write(interval)]
        for predicate, entities in dataset.items()
        for entity, intervals in entities.items()
        for interval in intervals
    ]


def _arguments(entity: Any) -> list[str]:
    names = [term.name for term in entity]
    return [] if names == _NO_ARGUMENTS else names


def _write(interval: Any) -> str:
    left, right = "(" if interval.left_open else "[", ")" if interval.right_open else "]"
    return f"{left}{_number(interval.left_value)},{_number(interval.right_value)}{right}"


def _number(value: Decimal | float) -> str:
    number = Decimal(value)
    return str(Fraction(number)) if number.is_finite() else "-inf" if number < 0 else "inf"


if __name__ == "__main__":
    main()
