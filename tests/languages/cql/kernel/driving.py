"""CQL texts over facts, as the kernels take them: tables, times, and sorted answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from horae.data.schema import RegisteredInput
from horae.data.values import ARROW_TYPES
from horae.engine.answers import Answers
from horae.languages.cql.check.check import load
from horae.languages.cql.kernel.answers import no_answers, sorted_answers
from horae.languages.cql.kernel.evaluate import evaluate_parts
from horae.languages.cql.kernel.parts import BUDGET
from horae.languages.cql.plan.make_algebra import make_algebra
from horae.languages.cql.program import Program
from horae.reference.cql import Fact
from horae.source.text import Source


def checked(text: str | Source) -> Program:
    program, found = load(text if isinstance(text, Source) else Source("spec.cql", text))
    assert program is not None, [d.message for d in found]
    return program


def tables(program: Program, facts: Sequence[Fact]) -> dict[str, pa.Table]:
    """A table per registered name, also without rows."""
    return {given.name: _table(given, facts) for given in program.inputs}


def _table(given: RegisteredInput, facts: Sequence[Fact]) -> pa.Table:
    rows = [fact for fact in facts if fact[0].lower() == given.name.lower()]
    columns: dict[str, Any] = {}
    for place, output in enumerate(given.columns):
        values = [fact[1][place] for fact in rows]
        columns[f"c{place}"] = pa.array(values, ARROW_TYPES[output.type])
    if given.is_stream:
        columns["time"] = pa.array([fact[2] for fact in rows], pa.int64())
        columns["order"] = pa.array(
            [fact[3] if len(fact) > 3 else None for fact in rows], pa.int64()
        )
    return pa.table(columns)


def answers(
    program: Program, facts: Sequence[Fact], at: Sequence[int], budget: int = BUDGET
) -> Answers:
    found = evaluate_parts(
        make_algebra(program), tables(program, facts), np.array(at, np.int64), budget
    )
    return sorted_answers(pa.concat_tables([no_answers(program), *found]), program)
