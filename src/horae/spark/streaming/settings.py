"""The options that every stream has, as Spark is told them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.engine.options import RunOptions, Scope

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from horae.spark.brief import Brief
    from horae.spark.streaming.stream import Settings


def refuse_stream_options(options: RunOptions) -> None:
    """Options of streams have no effect on frames that are none."""
    for name in options.changed(Scope.STREAMS):
        raise ValueError(f"{name} is for streams, but no DataFrame is one: leave it out")


def settings_of(
    spark: SparkSession,
    options: RunOptions,
    control: DataFrame | None = None,
    brief: Brief | None = None,
) -> Settings:
    from horae.spark.streaming.stream import Settings

    shards = default_shards(spark, options, brief)
    return Settings(shards, options.lateness, options.idle, control)


def default_shards(spark: SparkSession, options: RunOptions, brief: Brief | None = None) -> int:
    """As many as were asked for, or two per core; a brief run may do with one."""
    few = brief.shards if brief else None
    return options.shards or few or spark.sparkContext.defaultParallelism * 2
