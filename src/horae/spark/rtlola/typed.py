"""The values of one output as a table with types, for people who go on with Spark."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from horae.data.types import Type
from horae.languages.rtlola.program import Output
from horae.spark.rtlola.door import TYPES

_TAKEN = ("time", "value")


def typed_values(answers: DataFrame, output: Output) -> DataFrame:
    """`time`, a column per parameter, `value`."""
    parameters = f.from_json("params", "array<string>")
    columns = [
        parameters[i].cast(TYPES[parameter.type]).alias(_free(parameter.name))
        for i, parameter in enumerate(output.parameters)
    ]
    value = _value(output.type).alias("value")
    return answers.where(f.col("stream") == output.name).select("time", *columns, value)


def _free(name: str) -> str:
    return f"{name}_" if name in _TAKEN else name


def _value(kind: Type) -> Column:
    """JSON of a number or a bool is what Spark casts; that of a string is read as JSON."""
    if kind is Type.STRING:
        return f.from_json(f.concat(f.lit("["), "value", f.lit("]")), "array<string>")[0]
    return f.col("value").cast(TYPES[kind])
