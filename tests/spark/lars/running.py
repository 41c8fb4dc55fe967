"""Programs over facts: in process, and on Spark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tests.languages.lars.plan.simulated import evaluate

from horae.data.ground_facts import GroundFact
from horae.data.time_points import read_evaluation_times
from horae.languages.lars.check.check import load
from horae.languages.lars.options import LARSOptions
from horae.languages.lars.program import Program
from horae.languages.lars.run import LARSRun
from horae.source.text import Source
from horae.spark.doors import answer_records
from horae.spark.fact_frames import FACTS, facts_of_python
from horae.spark.failures import unmarked
from horae.spark.piped import Piped

Answers = list[dict[str, Any]]
At = str | Sequence[object] | None


def checked(text: str) -> Program:
    program, found = load(Source("spec.lars", text))
    assert program is not None, [d.message for d in found]
    return program


def locally(
    program: Program, facts: Sequence[GroundFact], at: At = None, options: LARSOptions | None = None
) -> Answers:
    return list(evaluate(program, facts, read_evaluation_times(at), options or LARSOptions()))


def on_spark(
    spark: Any,
    program: Program,
    facts: Sequence[GroundFact],
    shards: int,
    at: At = None,
    options: LARSOptions | None = None,
) -> Answers:
    return answers_of(facts_of_python(spark, facts), program, shards, at, options)


def answers_of(
    facts: Any, program: Program, shards: int, at: At = None, options: LARSOptions | None = None
) -> Answers:
    run = LARSRun(program, replace(options or LARSOptions(), at=read_evaluation_times(at)))
    with unmarked():
        found = answer_records(run, [Piped(facts, (), FACTS)], shards)
        return list(run.answers(found.program, found.frame.toArrow()))
