"""Programs over facts: in process, on Spark, and by the reference."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame

from horae.data.answer_times import answer_times, read_at
from horae.data.ground_facts import GroundFact, times_of
from horae.data.input_types import NOTHING_KNOWN
from horae.data.predicate_facts import columns_of_facts
from horae.languages.datalogmtl.check.check import load
from horae.languages.datalogmtl.check.facts import ground
from horae.languages.datalogmtl.check.normalise import normalise
from horae.languages.datalogmtl.kernel.answers import interval_answers, point_answers
from horae.languages.datalogmtl.kernel.evaluate import evaluate
from horae.languages.datalogmtl.options import DatalogMTLOptions
from horae.languages.datalogmtl.program import Program
from horae.languages.datalogmtl.run import DatalogMTLRun
from horae.source.text import Source
from horae.spark.doors import BatchAnswers, answer_frames, answer_records
from horae.spark.fact_frames import FACTS, facts_of_python
from horae.spark.failures import unmarked
from horae.spark.piped import Piped

Answers = list[dict[str, Any]]


def checked(text: str) -> Program:
    program, found = load(Source("spec.dmtl", text))
    assert program is not None, [d.message for d in found]
    return program


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


class OnSpark(NamedTuple):
    run: DatalogMTLRun
    facts: Piped
    shards: int

    def found(self) -> BatchAnswers:
        return answer_records(self.run, [self.facts], self.shards)

    def answers(self) -> Answers:
        found = self.found()
        return list(self.run.answers(found.program, found.frame.toArrow()))

    def frame(self) -> DataFrame:
        schemas = self.run.schemas(NOTHING_KNOWN, pa.string())
        return answer_frames(self.run, [self.facts], [self.facts], self.shards, schemas, None)


def over(facts: DataFrame, program: Program, shards: int, **options: Any) -> OnSpark:
    """Facts as a frame with the columns of facts."""
    run = DatalogMTLRun(program, DatalogMTLOptions(**options))
    return OnSpark(run, Piped(facts, (), FACTS), shards)


def derive(
    spark: Any, program: Program, facts: Sequence[GroundFact], shards: int, **options: Any
) -> OnSpark:
    return over(facts_of_python(spark, facts), program, shards, **options)


def on_spark(
    spark: Any, program: Program, facts: Sequence[GroundFact], shards: int, **options: Any
) -> Answers:
    with unmarked():
        return derive(spark, program, facts, shards, **options).answers()
