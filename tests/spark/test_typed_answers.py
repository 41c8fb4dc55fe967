"""Typed answers of random programs over timestamps: on Spark they are those of one process."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from tests.strategies.typed_inputs import MICROSECONDS, TypedSample, random_sample
from tests.typed_answers import numbered

import horae
from horae.data.columns import DataType
from horae.program import Program
from horae.source.errors import InputError
from horae.spark.failures import unmarked

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore::horae.InputWarning")]
LANGUAGES = ("rtlola", "datalogmtl", "lars", "cql")
Frames = DataFrame | Mapping[str, DataFrame]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_random_program(spark: SparkSession, language: str):
    check(spark, random_sample(Random(3), language, MICROSECONDS))


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", range(20))
def test_random_programs(spark: SparkSession, language: str, seed: int):
    check(spark, random_sample(Random(f"spark {seed}"), language, MICROSECONDS))


def check(spark: SparkSession, sample: TypedSample) -> None:
    program, options = horae.compile(sample.text, sample.language), dict(sample.options)
    tables = _ordered(sample.inputs)
    if sample.language == "rtlola":
        options["order"] = "n"
    frames = _frames(spark, tables)
    try:
        expected = program.evaluate(tables, **options)
    except InputError as error:
        with pytest.raises(InputError, match=error.code), unmarked():
            program.answers(frames, **options).collect()
        return
    together = program.answers(frames, **options)
    names = [name for name in _outputs(program, options) if name in together.columns]
    assert together.columns == ["time", "name", *names]
    collected = together.toArrow()
    for name in names:
        table = expected.to_arrow(name)
        schema = program.schema(name, frames, **options)
        assert _in_utc(table.schema) == _in_utc(schema)
        assert _sorted(_own(collected, name, schema)) == _sorted(table)
    if names:
        _check_alone(program, frames, names[-1], expected.to_arrow(names[-1]), options)


def _check_alone(
    program: Program, frames: Frames, name: str, expected: pa.Table, options: Mapping[str, Any]
) -> None:
    alone = program.answers(frames, name, **options)
    typed = from_arrow_schema(program.schema(name, frames, **options))
    assert [(f.name, f.dataType) for f in alone.schema] == [(f.name, f.dataType) for f in typed]
    assert _sorted(alone.toArrow()) == _sorted(expected)


def _outputs(program: Program, options: Mapping[str, Any]) -> list[str]:
    return [*program.prepare(options).outputs]


def _own(collected: pa.Table, name: str, schema: pa.Schema) -> pa.Table:
    """The structs of one output, and their times, as its own table."""
    rows = [row for row in collected.to_pylist() if row["name"] == name]
    fields = [field for field in schema.names if field != "time"]
    own = [{"time": row["time"], **{f: row[name][f] for f in fields}} for row in rows]
    return pa.table(
        {n: pa.array([row[n] for row in own], schema.field(n).type) for n in schema.names}
    )


# --- the same on both sides


def _ordered(inputs: Any) -> Any:
    """Columns as Spark has them, and the numbers of rows that have an order of their own."""
    if isinstance(inputs, pa.Table):
        return _plain(inputs).append_column("n", pa.array(range(len(inputs)), pa.int64()))
    return {name: _plain(table) for name, table in inputs.items()}


def _plain(table: pa.Table) -> pa.Table:
    return table.cast(pa.schema([(f.name, _plain_type(f.type)) for f in table.schema]))


def _plain_type(type: Any) -> DataType:
    """Moments have the zone of the session, and text is neither coded nor large."""
    if pa.types.is_dictionary(type) or pa.types.is_large_string(type):
        return pa.string()
    return pa.timestamp("us", "UTC") if pa.types.is_timestamp(type) else type


def _frames(spark: SparkSession, tables: Any) -> Frames:
    if isinstance(tables, pa.Table):
        return spark.createDataFrame(tables)
    return {name: spark.createDataFrame(table) for name, table in tables.items()}


def _in_utc(schema: pa.Schema) -> pa.Schema:
    return pa.schema([(field.name, _plain_type(field.type)) for field in schema])


def _sorted(table: pa.Table) -> list[str]:
    """Spark's rows have no order."""
    return sorted(map(repr, numbered(table)))
