"""Files as DataFrames. Values are not looked at: the doors of the languages check them."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql import types as t

from horae.inputs import catalogue
from horae.inputs.csv_file import header_of
from horae.inputs.facts import json_rows
from horae.inputs.layout import Place
from horae.spark.rtlola.columns import column, numbered_names


def read_lines(spark: SparkSession, file: Path) -> DataFrame:
    """One column, a row per line."""
    return spark.read.text(_name(file))


def read_json_lines(spark: SparkSession, file: Path) -> DataFrame:
    """Lines of text, those that are not blank: JSON means the same on Spark and in process."""
    return read_lines(spark, file).where(f.trim("value") != "")


def read_parquet(spark: SparkSession, file: Path) -> DataFrame:
    return spark.read.parquet(_name(file))


def read_csv(spark: SparkSession, file: Path) -> DataFrame:
    """All text; an empty cell is null, in quotes or not."""
    titles = header_of(file)
    if not titles:
        raise catalogue.empty_file(str(file))
    names = numbered_names(titles)
    frame = spark.read.csv(
        _name(file),
        schema=t.StructType([t.StructField(name, t.StringType()) for name in names]),
        header=True,
        escape='"',
        mode="FAILFAST",
        encoding="UTF-8",
    )
    return frame.select(*(f.when(column(n) != "", column(n)).alias(n) for n in names)).toDF(*titles)


def json_keys(file: Path) -> list[str]:
    """The keys of the first line are the columns of a file of JSON Lines."""
    with file.open(encoding="utf-8-sig") as lines:
        first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise catalogue.empty_file(str(file))
    (row,) = json_rows([first], Place(str(file)))
    return list(row)


def _name(file: Path) -> str:
    return str(file.resolve())
