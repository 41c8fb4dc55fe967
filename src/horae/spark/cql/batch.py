"""A plan over typed frames: first the evaluation times, then the answers at them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import assert_never

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from horae.data.rows_of_inputs import TIME
from horae.data.time_points import AtEvents, AtEvery, AtPoints, EvaluationTimes
from horae.engine.evaluation_times import find_times
from horae.languages.cql.plan.algebra import Algebra
from horae.spark.cql.answers import COLUMNS, answers_at, collect_times
from horae.spark.cql.by_kernels import answers_by_kernels
from horae.spark.cql.long_windows import stay_long

_TIMES = f"{TIME} bigint"


def answer_frame(plan: Algebra, rows: Mapping[str, DataFrame], at: EvaluationTimes) -> DataFrame:
    """`time`, `query`, `row` (JSON text), `kind`, and `rank`, by which rows of a query are ordered.

    `rows` has a frame per registered name, as the door gives them. The streams are scanned at once for
    their times; the rest is lazy.
    """
    spark = next(iter(rows.values())).sparkSession
    times = collect_times(times_frame(rows, at))
    evaluate = answers_by_kernels if stay_long(plan, times) else answers_at
    return evaluate(plan, rows, times, spark).select(*COLUMNS)


def times_frame(rows: Mapping[str, DataFrame], at: EvaluationTimes) -> DataFrame:
    """Each evaluation time once, as `time`."""
    spark = next(iter(rows.values())).sparkSession
    streams = [frame.select(TIME) for frame in rows.values() if TIME in frame.columns]
    match at:
        case AtPoints(points):
            return _frame(spark, points)
        case _ if not streams:
            return _frame(spark, [])
        case AtEvents():
            return reduce(DataFrame.unionAll, streams).distinct()
        case AtEvery():
            return _frame(
                spark, find_times(at, _ends(reduce(DataFrame.unionAll, streams))).tolist()
            )
        case _:
            assert_never(at)


def _frame(spark: SparkSession, times: Iterable[int]) -> DataFrame:
    return spark.createDataFrame([(time,) for time in times], _TIMES)


def _ends(times: DataFrame) -> list[int]:
    """The first and the last time point, if there are any."""
    (found,) = times.agg(f.min(TIME), f.max(TIME)).toArrow().to_pylist()
    return [point for point in found.values() if point is not None]
