"""The options that every stream has, as Spark is told them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.engine.options import RunOptions, Scope

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from horae.spark.streaming.stream import Settings


def refuse_stream_options(options: RunOptions) -> None:
    """Options of streams have no effect on frames that are none."""
    for name in options.changed(Scope.STREAMS):
        raise ValueError(f"{name} is for streams, but no DataFrame is one: leave it out")


def settings_of(
    spark: SparkSession, options: RunOptions, control: DataFrame | None = None
) -> Settings:
    from horae.spark.streaming.stream import Settings

    return Settings(default_shards(spark, options), options.lateness, options.idle, control)


def default_shards(spark: SparkSession, options: RunOptions) -> int:
    """As many as were asked for, or two per core."""
    return options.shards or spark.sparkContext.defaultParallelism * 2
