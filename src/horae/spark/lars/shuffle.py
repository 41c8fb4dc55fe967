"""Facts on their way to the shards."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from horae.data.fact_columns import ARGS, PREDICATE
from horae.languages.lars.plan.routes import Route, RoutedProgram
from horae.spark.datalogmtl.columns import SHARD

WAKING = ""  # the predicate of a row that says nothing: with it, every shard has a row


def to_shards(
    rows: DataFrame, plan: RoutedProgram, background: frozenset[str], count: int
) -> DataFrame:
    """Each row to all its shards, with their numbers. `background`: what has background data."""
    if not plan.is_spread or count == 1:
        return rows.withColumn(SHARD, f.lit(0)).repartition(1)
    shards = _shards(plan, background, count)
    spread = rows.withColumn(SHARD, f.explode(shards))
    if hasattr(spread, "repartitionById"):
        return spread.repartitionById(count, f.col(SHARD))
    return spread.repartition(count, f.col(SHARD))


def _shards(plan: RoutedProgram, background: frozenset[str], count: int) -> Column:
    """The shards of a row by its predicate; none for predicates that no rule reads."""
    everywhere = f.sequence(f.lit(0), f.lit(count - 1))
    found = f.when(f.col(PREDICATE) == WAKING, everywhere)
    for route in plan.routes:
        shards = everywhere if _is_everywhere(route, background) else _by_place(route, count)
        found = found.when(f.col(PREDICATE) == route.predicate, shards)
    return found


def _is_everywhere(route: Route, background: frozenset[str]) -> bool:
    return route.place is None or bool(route.unless & background)


def _by_place(route: Route, count: int) -> Column:
    """As `inputs.key_homes` has it."""
    key = f.col(ARGS)[route.place]
    return f.array(f.pmod(f.crc32(key), f.lit(count)).cast("int"))
