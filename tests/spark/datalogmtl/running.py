"""Programs over facts: in process, on Spark, and by the reference."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from horae.data.answer_times import answer_times, read_at
from horae.data.ground_facts import GroundFact, times_of
from horae.data.predicate_facts import columns_of_facts
from horae.languages.datalogmtl.check.check import load
from horae.languages.datalogmtl.check.facts import ground
from horae.languages.datalogmtl.check.normalise import normalise
from horae.languages.datalogmtl.kernel.answers import interval_answers, point_answers
from horae.languages.datalogmtl.kernel.evaluate import evaluate
from horae.languages.datalogmtl.plan.make_stages import make_stages
from horae.languages.datalogmtl.plan.stages import StagedProgram
from horae.languages.datalogmtl.program import Program
from horae.source.text import Source
from horae.spark.datalogmtl.answers import collect_answers
from horae.spark.datalogmtl.batch import Derived, evaluate_facts
from horae.spark.datalogmtl.door import facts_of_python

Answers = list[dict[str, Any]]


def checked(text: str) -> Program:
    program, found = load(Source("spec.dmtl", text))
    assert program is not None, [d.message for d in found]
    return program


def plan_of(program: Program) -> StagedProgram:
    return make_stages(normalise(program))


def locally(
    program: Program,
    facts: Sequence[GroundFact],
    horizon: Fraction | None = None,
    at: object = None,
) -> Answers:
    asked = read_at(at)  # type: ignore[arg-type]
    normal = normalise(program)
    if asked is None:
        found = evaluate(normal, columns_of_facts(facts), horizon=horizon)
        return list(interval_answers(found.found, found.symbols, found.timeline))
    times = answer_times(asked, times_of([*ground(normal.facts), *facts]), horizon)
    found = evaluate(normal, columns_of_facts(facts), horizon=horizon, at=times)
    points = map(found.timeline.ticks, times)
    return list(point_answers(found.found, found.symbols, found.timeline, points))


def derive(
    spark: Any, program: Program, facts: Sequence[GroundFact], shards: int, **options: Any
) -> Derived:
    return evaluate_facts(facts_of_python(spark, facts), plan_of(program), shards, **options)


def on_spark(
    spark: Any, program: Program, facts: Sequence[GroundFact], shards: int, **options: Any
) -> Answers:
    return list(collect_answers(derive(spark, program, facts, shards, **options)))
