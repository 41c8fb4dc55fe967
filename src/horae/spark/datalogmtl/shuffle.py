"""Facts on their way to the shards of a stage."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from horae.data.fact_columns import ARGS, PREDICATE
from horae.languages.datalogmtl.kernel.fact_relations import HI, LO
from horae.languages.datalogmtl.plan.stages import Route, RuleStage, Spread
from horae.spark.datalogmtl.columns import NAME, SHARD

PASSING = "="  # before the name of a predicate whose rows only travel through
WAKING = ""  # the predicate of a row that says nothing: with it, every shard has a row


def to_shards(rows: DataFrame, stage: RuleStage, shards: int) -> DataFrame:
    """Each row to all its shards, under the name that the stage has for it."""
    count = shards if stage.is_spread else 1
    copies = rows.select(f.explode(_copies(stage, count)).alias("copy"), ARGS, LO, HI)
    named = copies.select(f"copy.{NAME}", f"copy.{SHARD}", ARGS, LO, HI)
    if count == 1:
        return named.repartition(1).drop(SHARD)
    if hasattr(named, "repartitionById"):
        return named.repartitionById(count, f.col(SHARD)).drop(SHARD)
    # Two shards may share a partition here. That is as exact: copies of a fact are merged.
    return named.repartition(count, f.col(SHARD)).drop(SHARD)


def _copies(stage: RuleStage, count: int) -> Column:
    """An array of (name, shard) by the predicate of the row."""
    ways: dict[str, list[Column]] = {WAKING: [_everywhere(WAKING, count)]}
    for route in stage.routes:
        ways.setdefault(route.predicate, []).append(_by_route(route, count))
    for name in sorted(stage.passes):
        ways.setdefault(name, []).append(_one(PASSING + name, _home(f.col(ARGS), count)))
    found = f.when(f.lit(False), _everywhere(WAKING, count))
    for predicate, copies in ways.items():
        found = found.when(f.col(PREDICATE) == predicate, f.concat(*copies))
    return found


def _by_route(route: Route, count: int) -> Column:
    if isinstance(route.place, int):
        return _one(route.name, _home(f.col(ARGS)[route.place], count))
    if route.place is Spread.BY_ALL:
        return _one(route.name, _home(f.col(ARGS), count))
    return _everywhere(route.name, count)


def _home(key: Column, count: int) -> Column:
    return f.pmod(f.xxhash64(key), f.lit(count)).cast("int")


def _one(name: str, shard: Column) -> Column:
    return f.array(f.struct(f.lit(name).alias(NAME), shard.alias(SHARD)))


def _everywhere(name: str, count: int) -> Column:
    numbers = f.sequence(f.lit(0), f.lit(count - 1))
    return f.transform(numbers, lambda shard: f.struct(f.lit(name).alias(NAME), shard.alias(SHARD)))
