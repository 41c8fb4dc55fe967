"""A plan over all facts at once: per stage a shuffle, then the kernel in every shard.

What a stage derives flows on to the next one. Rows that are answers, or that only a later stage
reads, travel through the stages between, so that nothing is computed twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from horae.data.answer_times import AnswerTimes, AtEvents, AtEvery, answer_times, constants_of
from horae.data.fact_columns import ARGS, PREDICATE
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS
from horae.languages.datalogmtl.analysis.delays import Infeasible, find_delays
from horae.languages.datalogmtl.check.facts import ground
from horae.languages.datalogmtl.kernel.evaluate import interest_in
from horae.languages.datalogmtl.kernel.fact_relations import HI, LO
from horae.languages.datalogmtl.kernel.materialise import (
    ALL_TIME,
    Interest,
    look_ahead,
    waits_for_ever,
)
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.languages.datalogmtl.plan.make_stages import make_one_stage
from horae.languages.datalogmtl.plan.stages import RuleStage, StagedProgram
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
    plan: StagedProgram,
    shards: int,
    *,
    horizon: Fraction | None = None,
    at: AnswerTimes | None = None,
    told: DataFrame | None = None,
) -> Derived:
    """The facts are scanned at once for their times; the rest is lazy.

    `told` has the same facts for that scan, and what is wrong with other rows.
    """
    spark, own = facts.sparkSession, ground(plan.whole.facts)
    more = facts_of_python(spark, [*own, GroundFact(WAKING, (), ALWAYS)])
    every = facts.unionAll(more)
    seen = every if told is None else told.unionByName(more, allowMissingColumns=True)
    ends = () if horizon is None else (horizon,)
    timeline = find_timeline(seen, plan.whole, (*ends, *constants_of(at)))
    times = _times(every, timeline, horizon, at)
    interest = interest_in(horizon, times)
    batch = _Batch(
        with_cuts(every, timeline), _plan_for(plan, interest), timeline, interest, shards
    )
    points = None if times is None else [timeline.ticks(time) for time in times]
    return Derived(batch.answers(), timeline, points)


def _plan_for(plan: StagedProgram, interest: Interest) -> StagedProgram:
    """Where answers may depend on what never ends, no part of the program can stop by itself."""
    delays = None if interest.last is None else waits_for_ever(plan.whole)
    return plan if delays is None else make_one_stage(plan.whole, delays.path[0])


def _times(
    facts: DataFrame, timeline: Timeline, horizon: Fraction | None, at: AnswerTimes | None
) -> list[Fraction] | None:
    match at:
        case None:
            return None
        case AtEvents():
            known = all_times(facts)
        case AtEvery():
            known = first_and_last(facts, timeline)
        case _:
            known = []
    return answer_times(at, known, horizon)


@dataclass(frozen=True)
class _Batch:
    facts: DataFrame
    plan: StagedProgram
    timeline: Timeline
    interest: Interest
    shards: int

    def answers(self) -> DataFrame:
        flow: DataFrame | None = None
        earlier: frozenset[str] = frozenset()
        for stage in self.plan.stages:
            flow = self._derive(stage, flow, earlier)
            earlier |= frozenset(stage.emits.values())
        assert flow is not None, "a plan has a stage"
        asked = flow.where(f.col(PREDICATE).isin(list(self.plan.whole.program.queries)))
        last = self.interest.last
        return asked if last is None else self._up_to(asked, last)

    def _derive(
        self, stage: RuleStage, flow: DataFrame | None, earlier: frozenset[str]
    ) -> DataFrame:
        """Facts come once, to the stage that derives their predicate or first reads it."""
        needed = {route.predicate for route in stage.routes} - earlier
        rows = self.facts.where(f.col(PREDICATE).isin([WAKING, *sorted(needed)]))
        if flow is not None:
            rows = rows.unionAll(flow)
        kernel = ShardFacts(stage.program, stage.emits, self.timeline, self._needed())
        return to_shards(rows, stage, self.shards).mapInArrow(kernel, ROWS)

    def _needed(self) -> Interest:
        """What each stage must be exact in: later ones may look ahead.

        Where they do so without end, all stages end by themselves, or there is only one.
        """
        last = self.interest.last
        if last is None or len(self.plan.stages) == 1:
            return self.interest
        if isinstance(find_delays(self.plan.whole), Infeasible):
            return ALL_TIME
        return Interest(last=last + look_ahead(self.plan.whole))

    def _up_to(self, rows: DataFrame, horizon: Fraction) -> DataFrame:
        end = f.lit(2 * self.timeline.ticks(horizon) + 1)
        clipped = rows.select(PREDICATE, ARGS, LO, f.least(HI, end).alias(HI))
        return clipped.where(f.col(LO) < f.col(HI))
