"""Files as DataFrames. Values are not looked at: the doors of the languages check them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, DataFrameReader, SparkSession
from pyspark.sql import functions as f
from pyspark.sql import types as t

from horae.data import catalogue
from horae.data.endings import ending_of
from horae.data.file_places import File
from horae.data.files import reading
from horae.data.formats.csv import header_of
from horae.data.formats.table_file import Dialect
from horae.data.layout import FILE_PLACE
from horae.spark.columns import column, numbered_names
from horae.spark.file_system import StoredFile


def csv_options() -> dict[str, Any]:
    """How CSV is written, as in `data/formats/csv.py`; other counts of cells are errors."""
    return {
        "sep": Dialect().delimiter,
        "escape": '"',
        "mode": "FAILFAST",
        "encoding": "UTF-8",
        "ignoreLeadingWhiteSpace": True,
        "ignoreTrailingWhiteSpace": True,
    }


def text_lines(spark: SparkSession, *files: File) -> DataFrame:
    """One column, a row per line."""
    return _reader(spark).text([_name(file) for file in files])


def read_json_lines(spark: SparkSession, *files: File) -> DataFrame:
    """Lines of text, those that are not blank: JSON means the same on Spark and in process."""
    return text_lines(spark, *files).where(f.trim("value") != "")


def read_typed(spark: SparkSession, files: Sequence[File]) -> DataFrame:
    """Files of one format that has types of its own: Parquet or ORC."""
    format = ending_of(files[0]).removeprefix(".")
    return _reader(spark).format(format).load([_name(file) for file in files])


def read_csv(
    spark: SparkSession, files: Sequence[File], dialect: Dialect | None = None
) -> DataFrame:
    """All text, of files with the same columns in the same order."""
    how = dialect or Dialect()
    titles = titles_of(files[0], how)
    frame = _reader(spark).csv(
        [_name(file) for file in files],
        all_text(numbered_names(titles)),
        header=how.has_header,
        enforceSchema=True,
        multiLine=how.lines_in_cells,
        **csv_options(),
    )
    return (frame if how.keeps_empty else without_empty(frame)).toDF(*titles)


def titles_of(file: File, dialect: Dialect) -> tuple[str, ...]:
    """The names of the columns of a CSV file."""
    with reading(file):
        titles = tuple(dialect.columns or header_of(file))
    if not titles:
        raise catalogue.empty_file(str(file))
    return titles


def with_places(frame: DataFrame) -> DataFrame:
    """Splits of a file can be read in any order; a row's place is that of its split and in it."""
    block, at = FILE_PLACE
    places = {block: f.col("_metadata.file_block_start"), at: f.monotonically_increasing_id()}
    return frame.withColumns(places)


def all_text(names: Sequence[str]) -> t.StructType:
    return t.StructType([t.StructField(name, t.StringType()) for name in names])


def without_empty(frame: DataFrame) -> DataFrame:
    """Null for an empty cell, in quotes or not."""
    names = frame.columns
    return frame.select(*(f.when(column(n) != "", column(n)).alias(n) for n in names))


def _reader(spark: SparkSession) -> DataFrameReader:
    """For files that were found already: a name with a `[` or a `{` in it is no glob."""
    return spark.read.option("__globPaths__", "false")


def _name(file: File) -> str:
    return file.uri if isinstance(file, StoredFile) else str(Path(str(file)).resolve())
