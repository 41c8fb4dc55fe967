"""The options that every live program has, read."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from horae.data.durations import read_duration, whole_points

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from horae.engine.options import RunOptions
    from horae.spark.streaming.stream import Settings

Duration = str | float | Fraction


def refuse_stream_options(**given: object) -> None:
    """Options of streams have no effect on frames that are none."""
    for name, value in given.items():
        if value not in (None, 0, False, "0"):
            raise ValueError(f"{name} is for streams, but no DataFrame is one: leave it out")


def read_settings(
    spark: SparkSession,
    *,
    lateness: Duration,
    idle: Duration | None,
    shards: int | None,
    control: DataFrame | None,
    whole: bool = False,
) -> Settings:
    """`whole`: time points are whole numbers, and so are durations."""
    from horae.spark.streaming.stream import Settings

    def read(name: str, written: Duration) -> Fraction:
        return Fraction(whole_points(name, written)) if whole else read_duration(name, written)

    return Settings(
        shards or spark.sparkContext.defaultParallelism * 2,
        read("lateness", lateness),
        None if idle is None else read("idle", idle),
        control,
    )


def settings_of(
    spark: SparkSession, options: RunOptions, control: DataFrame | None = None
) -> Settings:
    """Those of options that are read already."""
    from horae.spark.streaming.stream import Settings

    return Settings(default_shards(spark, options), options.lateness, options.idle, control)


def default_shards(spark: SparkSession, options: RunOptions) -> int:
    """As many as were asked for, or two per core."""
    return options.shards or spark.sparkContext.defaultParallelism * 2
