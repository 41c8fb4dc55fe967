"""Programs over facts: in process, and on Spark."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from horae.data.fact_columns import facts_of_rows
from horae.data.ground_facts import GroundFact
from horae.data.predicate_facts import columns_of_facts
from horae.data.time_points import read_evaluation_times
from horae.languages.lars.answers import lars_answers
from horae.languages.lars.check.check import load
from horae.languages.lars.kernel.options import Options
from horae.languages.lars.live import evaluate, to_rows, whole_lars
from horae.languages.lars.plan.route_program import route_program
from horae.languages.lars.program import Program
from horae.source.text import Source
from horae.spark.datalogmtl.door import facts_of_python
from horae.spark.fact_batch import answer_facts
from horae.spark.failures import unmarked

Answers = list[dict[str, Any]]
At = str | Sequence[object] | None


def checked(text: str) -> Program:
    program, found = load(Source("spec.lars", text))
    assert program is not None, [d.message for d in found]
    return program


def locally(
    program: Program, facts: Sequence[GroundFact], at: At = None, options: Options | None = None
) -> Answers:
    times = read_evaluation_times(at)
    return list(lars_answers(evaluate(program, columns_of_facts(facts), times, options)))


def on_spark(
    spark: Any,
    program: Program,
    facts: Sequence[GroundFact],
    shards: int,
    at: At = None,
    options: Options | None = None,
) -> Answers:
    return answers_of(facts_of_python(spark, facts), program, shards, at, options)


def answers_of(
    facts: Any, program: Program, shards: int, at: At = None, options: Options | None = None
) -> Answers:
    times, plan = read_evaluation_times(at), route_program(program)
    with unmarked():
        frame = answer_facts(
            facts,
            lambda static: whole_lars(
                plan, times, options, shards=shards, given=facts_of_rows(static)
            ),
            partial(to_rows, derived=frozenset(program.derived)),
        )
        return list(lars_answers(frame.toArrow()))
