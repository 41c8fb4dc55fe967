"""CQL texts over facts on Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from tests.languages.cql.kernel.driving import tables

from horae.data.types import Type
from horae.engine.answers import Answers
from horae.languages.cql.plan.make_algebra import make_algebra
from horae.languages.cql.program import Program
from horae.reference.cql import Fact
from horae.spark.cql.answers import answers_frame, collect_answers
from horae.spark.cql.expressions import SPARK_TYPES


def on_spark(spark: Any, program: Program, facts: Sequence[Fact], at: Sequence[int]) -> Answers:
    given = frames(spark, program, tables(program, facts))
    times = spark.createDataFrame([(time,) for time in at], "time bigint")
    return collect_answers(answers_frame(make_algebra(program), given, times))


def frames(spark: Any, program: Program, rows: Mapping[str, pa.Table]) -> dict[str, Any]:
    found = {}
    for given in program.inputs:
        types = [f"c{i} {SPARK_TYPES[column.type]}" for i, column in enumerate(given.columns)]
        if given.is_stream:
            types += [f"{name} {SPARK_TYPES[Type.INT]}" for name in ("time", "order")]
        names = [each.split()[0] for each in types]
        values = [tuple(row[name] for name in names) for row in rows[given.name].to_pylist()]
        found[given.name] = spark.createDataFrame(values, ", ".join(types))
    return found
