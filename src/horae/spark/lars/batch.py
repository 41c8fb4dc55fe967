"""A plan over all facts at once: a look at them, a shuffle, then the kernel in every shard."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import types as t

from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS
from horae.data.predicate_facts import ground_facts
from horae.data.time_points import EvaluationTimes
from horae.languages.lars.kernel.options import Options
from horae.languages.lars.live.program import program_facts, whole_lars
from horae.languages.lars.plan.routes import RoutedProgram
from horae.languages.lars.program import Program
from horae.spark.datalogmtl.door import facts_of_python
from horae.spark.lars.look import look_at
from horae.spark.lars.shard import ShardAnswers
from horae.spark.lars.shuffle import WAKING, to_shards

_ANSWERS = t.StructType(
    [
        t.StructField("time", t.LongType()),
        t.StructField("at", t.LongType()),
        t.StructField("answer", t.LongType()),
        t.StructField("predicate", t.StringType()),
        t.StructField("args", t.StringType()),
    ]
)


def evaluate_facts(
    facts: DataFrame,
    program: Program,
    plan: RoutedProgram,
    shards: int,
    *,
    at: EvaluationTimes,
    options: Options | None = None,
    told: DataFrame | None = None,
) -> DataFrame:
    """The answers, not sorted, in the columns of `kernels.lars.answers`.

    The facts are scanned at once for their times; the rest is lazy. `told` has the same facts for that
    scan, and what is wrong with other rows.
    """
    own = facts_of_python(facts.sparkSession, ground_facts(program_facts(program)))
    every = facts.unionAll(own)
    seen = every if told is None else told.unionByName(own, allowMissingColumns=True)
    look = look_at(seen, program, at)
    count = shards if plan.is_spread else 1
    waking = facts_of_python(facts.sparkSession, [GroundFact(WAKING, (), ALWAYS)])
    rows = to_shards(every.unionAll(waking), plan, look.background, count)
    worker = ShardAnswers(whole_lars(plan, at, options, shards=count), look.points)
    return rows.mapInArrow(worker, _ANSWERS)
