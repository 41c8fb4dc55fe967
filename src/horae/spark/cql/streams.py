"""From relations to streams: what is more, or less, than at the evaluation time before."""

from __future__ import annotations

from typing import assert_never

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as f

from horae.languages.cql.kernel.streams import RANK
from horae.languages.cql.kernel.windows import TIME
from horae.languages.cql.syntax.tree import StreamOperator
from horae.spark.cql.agreement import every, other, renamed

NEXT = "next_time"
_NUMBER = "row_number"


def stream(operator: StreamOperator, rows: DataFrame, steps: DataFrame) -> DataFrame:
    """`steps` has each evaluation time and, as NEXT, the one after it."""
    match operator:
        case StreamOperator.RSTREAM:
            return rows
        case StreamOperator.ISTREAM:
            return _ranked(_without(_numbered(rows), _moved(_numbered(rows), steps)))
        case StreamOperator.DSTREAM:
            return _ranked(_without(_moved(_numbered(rows), steps), _numbered(rows)))
        case _:
            assert_never(operator)


def _ranked(answers: DataFrame) -> DataFrame:
    """Among the answers alone."""
    window = Window.partitionBy(TIME).orderBy(RANK)
    place = f.row_number().over(window).cast("bigint") - 1
    return answers.drop(_NUMBER).withColumn(RANK, place)


def _numbered(rows: DataFrame) -> DataFrame:
    """Which one of equal rows each is: the first ones are those that stay."""
    values = [name for name in rows.columns if name != RANK]
    window = Window.partitionBy(*values).orderBy(RANK)
    return rows.withColumn(_NUMBER, f.row_number().over(window))


def _moved(rows: DataFrame, steps: DataFrame) -> DataFrame:
    """The rows at the next evaluation time; those of the last one have none."""
    joined = rows.join(f.broadcast(renamed(steps, [TIME])), f.col(TIME) == f.col(other(TIME)))
    return joined.withColumn(TIME, f.col(NEXT)).select(*rows.columns)


def _without(rows: DataFrame, others: DataFrame) -> DataFrame:
    names = [name for name in rows.columns if name != RANK]
    agree = [f.col(name).eqNullSafe(f.col(other(name))) for name in names]
    return rows.join(renamed(others.select(*names), names), every(agree), "left_anti")
