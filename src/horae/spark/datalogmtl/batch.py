"""A plan over all facts at once: per stage a shuffle, then the kernel in every shard.

What a stage derives flows on to the next one. Rows that are answers, or that only a later stage
reads, travel through the stages between, so that nothing is computed twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from horae.inputs.answer_times import (
    AnswerTimes,
    AtEvents,
    AtEvery,
    answer_times,
    constants_of,
)
from horae.inputs.fact_columns import ARGS, PREDICATE
from horae.inputs.fact_relations import HI, LO
from horae.kernels.datalogmtl.evaluate import ground
from horae.kernels.datalogmtl.facts import GroundFact
from horae.kernels.datalogmtl.materialise import look_ahead
from horae.kernels.datalogmtl.time import Timeline
from horae.languages.datalogmtl.intervals import ALWAYS
from horae.plan.datalogmtl.stages import Plan, Stage
from horae.spark.datalogmtl.columns import ROWS
from horae.spark.datalogmtl.door import facts_of_python
from horae.spark.datalogmtl.shuffle import WAKING, to_shards
from horae.spark.datalogmtl.stage import ShardFacts
from horae.spark.datalogmtl.timing import all_times, find_timeline, first_and_last, with_cuts


@dataclass(frozen=True)
class Derived:
    """What follows, up to the horizon: predicate, args, lo and hi in cuts of the timeline.

    `points` are the ticks at which answers are wanted; None: maximal intervals.
    """

    rows: DataFrame
    timeline: Timeline
    points: list[int] | None


def evaluate_facts(
    facts: DataFrame,
    plan: Plan,
    shards: int,
    *,
    horizon: Fraction | None = None,
    at: AnswerTimes | None = None,
) -> Derived:
    """The facts are scanned at once for their times; the rest is lazy."""
    spark, own = facts.sparkSession, ground(plan.whole.facts)
    every = facts.unionAll(facts_of_python(spark, [*own, GroundFact(WAKING, (), ALWAYS)]))
    ends = () if horizon is None else (horizon,)
    timeline = find_timeline(every, plan.whole, (*ends, *constants_of(at)))
    batch = _Batch(with_cuts(every, timeline), plan, timeline, horizon, shards)
    return Derived(batch.answers(), timeline, _points(every, timeline, horizon, at))


def _points(
    facts: DataFrame, timeline: Timeline, horizon: Fraction | None, at: AnswerTimes | None
) -> list[int] | None:
    match at:
        case None:
            return None
        case AtEvents():
            known = all_times(facts)
        case AtEvery():
            known = first_and_last(facts, timeline)
        case _:
            known = []
    return [timeline.ticks(time) for time in answer_times(at, known, horizon)]


@dataclass(frozen=True)
class _Batch:
    facts: DataFrame
    plan: Plan
    timeline: Timeline
    horizon: Fraction | None
    shards: int

    def answers(self) -> DataFrame:
        flow: DataFrame | None = None
        earlier: frozenset[str] = frozenset()
        for stage in self.plan.stages:
            flow = self._derive(stage, flow, earlier)
            earlier |= frozenset(stage.emits.values())
        assert flow is not None, "a plan has a stage"
        asked = flow.where(f.col(PREDICATE).isin(list(self.plan.whole.program.queries)))
        return asked if self.horizon is None else self._up_to(asked, self.horizon)

    def _derive(self, stage: Stage, flow: DataFrame | None, earlier: frozenset[str]) -> DataFrame:
        """Facts come once, to the stage that derives their predicate or first reads it."""
        needed = {route.predicate for route in stage.routes} - earlier
        rows = self.facts.where(f.col(PREDICATE).isin([WAKING, *sorted(needed)]))
        if flow is not None:
            rows = rows.unionAll(flow)
        kernel = ShardFacts(stage.program, stage.emits, self.timeline, self._reach())
        return to_shards(rows, stage, self.shards).mapInArrow(kernel, ROWS)

    def _reach(self) -> Fraction | None:
        """Later stages may look ahead: earlier ones must be exact as far as that."""
        return None if self.horizon is None else self.horizon + look_ahead(self.plan.whole)

    def _up_to(self, rows: DataFrame, horizon: Fraction) -> DataFrame:
        end = f.lit(2 * self.timeline.ticks(horizon) + 1)
        clipped = rows.select(PREDICATE, ARGS, LO, f.least(HI, end).alias(HI))
        return clipped.where(f.col(LO) < f.col(HI))
