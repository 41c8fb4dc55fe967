"""A plan over typed frames: by the kernels that run in process, in shards, as a stream is evaluated."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema

from horae.data.rows_of_inputs import schema_of
from horae.data.schema import Input
from horae.data.time_points import EvaluationTimes
from horae.languages.cql.live.program import LiveCQL
from horae.languages.cql.plan.algebra import Algebra
from horae.spark.batch import look_up, run_batch
from horae.spark.cql.door import COLUMNS, packed_rows
from horae.spark.failures import unmarked
from horae.spark.piped import Piped


def answer_frame(
    plan: Algebra, rows: Mapping[str, DataFrame], at: EvaluationTimes, shards: int | None = None
) -> DataFrame:
    """`time`, `query`, `row` (JSON text), `kind`, and `rank`, by which rows of a query are ordered.

    `rows` has a frame per registered name, as the door gives them. The streams are scanned at once for
    their times; the rest is lazy.
    """
    spark = next(iter(rows.values())).sparkSession
    with unmarked():
        relations = {
            item.name: _relation(rows[item.name], item)
            for item in plan.program.inputs
            if not item.is_stream
        }
        count = shards or spark.sparkContext.defaultParallelism * 2
        program = LiveCQL(plan, at, relations, count)
        streams = [packed_rows(rows[i.name], program.layout, i) for i in program.layout.streams]
        if not streams:
            schema = from_arrow_schema(program.rows)
            streams = [Piped(spark.createDataFrame([], schema), (), schema)]
        answers = run_batch(program, streams, look_up(program.wants, streams))
    return answers.select(*COLUMNS)


def _relation(frame: DataFrame, item: Input) -> pa.Table:
    schema = schema_of(item)
    return frame.toArrow().select(schema.names).cast(schema)
