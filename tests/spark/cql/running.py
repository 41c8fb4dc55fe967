"""CQL texts over facts on Spark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from tests.languages.cql.kernel.driving import tables

from horae.data.rows_of_inputs import ORDER, schema_of
from horae.data.schema import Input
from horae.data.time_points import AtPoints, EvaluationTimes
from horae.data.typed_columns import typed_orders
from horae.engine.answers import Answers
from horae.languages.cql.kernel.answers import sorted_answers
from horae.languages.cql.plan.make_algebra import make_algebra
from horae.languages.cql.program import Program
from horae.reference.cql import Fact
from horae.spark.cql.batch import answer_frame
from horae.spark.failures import unmarked

SHARDS = 3


def on_spark(
    spark: Any,
    program: Program,
    facts: Sequence[Fact],
    at: Sequence[int] | EvaluationTimes,
    shards: int = SHARDS,
) -> Answers:
    """In shards; the evaluation times may be a list of them."""
    times = AtPoints(tuple(sorted(set(at)))) if isinstance(at, Sequence) else at
    rows = tables(program, facts)
    given = {i.name: _frame(spark, i, rows[i.name]) for i in program.inputs}
    with unmarked():
        return sorted_answers(answer_frame(make_algebra(program), given, times, shards).toArrow())


def _frame(spark: Any, item: Input, rows: pa.Table) -> Any:
    """The order as the door writes it."""
    if item.is_stream:
        place = rows.column_names.index(ORDER)
        rows = rows.set_column(place, ORDER, typed_orders(rows.column(ORDER)))
    return spark.createDataFrame(rows.cast(schema_of(item)))
