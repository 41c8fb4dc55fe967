"""Rows as DataFrames and answers as dicts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as spark_types
from pyspark.sql.pandas.types import from_arrow_type
from tests.typed_answers import stream_answers

from horae.data.types import Type
from horae.data.values import ARROW_TYPES
from horae.languages.rtlola.program import Program
from horae.program import Program as Loaded

Rows = list[dict[str, Any]]


def frame_of(spark: SparkSession, program: Program, rows: Rows) -> DataFrame:
    """A column per input, `time` as a double, and `n`, the number of the row."""
    fields = [spark_types.StructField("time", spark_types.DoubleType())]
    fields.append(spark_types.StructField("n", spark_types.LongType()))
    kinds = {i.name: from_arrow_type(ARROW_TYPES[i.type]) for i in program.inputs}
    fields += [spark_types.StructField(name, kind) for name, kind in kinds.items()]
    values = [_values(program, row, number) for number, row in enumerate(rows)]
    return spark.createDataFrame(values, spark_types.StructType(fields))


def _values(program: Program, row: dict[str, Any], number: int) -> tuple[object, ...]:
    clock = program.clock
    time = row["time"] if "time" in row or clock is None else row[clock.name]
    seconds = float(Fraction(time))
    if clock is not None:
        row = {clock.name: seconds} | row
    return seconds, number, *(_value(row.get(i.name), i.type) for i in program.inputs)


def _value(value: Any, kind: Type) -> object:
    return float(value) if value is not None and kind is Type.DOUBLE else value


def answers_on(spark: SparkSession, program: Loaded, rows: Rows, **options: Any) -> Rows:
    frame = frame_of(spark, program.checked, rows)
    return collect(program.answers(frame, time="time", order="n", **options), program)


def collect(answers: DataFrame, program: Loaded) -> Rows:
    """As `evaluate` gives them."""
    return in_order(stream_answers(answers.toArrow(), program))


def in_order(answers: Rows) -> Rows:
    """Values of one instance at equal times stay in the order in which they came."""
    return sorted(answers, key=_place)


def _place(answer: dict[str, Any]) -> tuple[Any, ...]:
    if "trigger" in answer:
        return answer["time"], True, answer["trigger"]
    params = [(isinstance(value, str), value) for value in answer["params"]]
    return answer["time"], False, answer["stream"], params
