"""CQL texts over facts as live programs and their rows, and as a batch run answers them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from tests.languages.cql.kernel.driving import checked, tables

from horae.data.rows_of_inputs import schema_of
from horae.data.time_points import read_evaluation_times
from horae.engine.answers import Answers
from horae.engine.evaluation_times import find_times
from horae.languages.cql.kernel.answers import sorted_answers
from horae.languages.cql.kernel.evaluate import evaluate
from horae.languages.cql.live.program import LiveCQL
from horae.languages.cql.plan.make_algebra import make_algebra
from horae.languages.cql.program import Program
from horae.reference.cql import Fact
from horae.source.text import Source

At = str | Sequence[int]


def typed(program: Program, facts: Sequence[Fact]) -> dict[str, pa.Table]:
    """As the readers of inputs give them; orders are digits."""
    found = tables(program, facts)
    return {item.name: found[item.name].cast(schema_of(item)) for item in program.inputs}


def live(
    text: str | Source | Program, facts: Sequence[Fact], at: At, shards: int = 1
) -> tuple[LiveCQL, pa.Table]:
    """The program with its relations, and the rows of its streams."""
    program = text if isinstance(text, Program) else checked(text)
    found = typed(program, facts)
    relations = {item.name: found[item.name] for item in program.inputs if not item.is_stream}
    result = LiveCQL(make_algebra(program), read_evaluation_times(at), relations, shards)
    streams = [item for item in program.inputs if item.is_stream]
    packed = [result.layout.pack(item, found[item.name]) for item in streams]
    return result, pa.concat_tables(packed)


def times_of(program: Program, facts: Sequence[Fact], at: At) -> list[int]:
    streams = {item.name for item in program.inputs if item.is_stream}
    points = [fact[2] for fact in facts if fact[0] in streams and fact[2] is not None]
    return [*map(int, find_times(read_evaluation_times(at), points))]


def batch(program: Program, facts: Sequence[Fact], at: At) -> Answers:
    times = np.array(times_of(program, facts, at), np.int64)
    found = evaluate(make_algebra(program), typed(program, facts), times)
    return sorted_answers(found, program)
