"""CQL texts over facts on Spark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from tests.languages.cql.kernel.driving import tables

from horae.data.rows_of_inputs import ORDER, schema_of
from horae.data.schema import RegisteredInput
from horae.data.time_points import AtPoints, EvaluationTimes
from horae.data.typed_columns import typed_orders
from horae.engine.answers import Answers
from horae.languages.cql.options import CQLOptions
from horae.languages.cql.program import Program
from horae.languages.cql.run import CQLRun
from horae.reference.cql import Fact
from horae.spark.doors import answer_records
from horae.spark.failures import unmarked
from horae.spark.piped import Piped

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
    run, rows = CQLRun(program, CQLOptions(at=times)), tables(program, facts)
    packed = run.reads.layout.pack_all({i.name: _typed(i, rows[i.name]) for i in program.inputs})
    frame = spark.createDataFrame(packed.combine_chunks())  # of several chunks, Spark may lose one
    with unmarked():
        found = answer_records(run, [Piped(frame, (), frame.schema)], shards)
        return run.answers(found.program, found.frame.toArrow())


def _typed(item: RegisteredInput, rows: pa.Table) -> pa.Table:
    """The order as the door writes it."""
    if item.is_stream:
        place = rows.column_names.index(ORDER)
        rows = rows.set_column(place, ORDER, typed_orders(rows.column(ORDER)))
    return rows.cast(schema_of(item))
