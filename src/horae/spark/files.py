"""Event files as DataFrames. Values stay text until the door, which checks them by the program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql import types as spark_types

from horae.inputs import catalogue
from horae.inputs.csv_file import header_of
from horae.inputs.files import find_files
from horae.inputs.json_lines import check_keys
from horae.inputs.layout import Layout
from horae.spark.door import FILE_PLACE, LINE


def read_frame(
    session: SparkSession,
    paths: Sequence[str],
    layout: Layout,
    header: bool | None,
    columns: Sequence[str] | None,
) -> DataFrame:
    """The rows of all files; of a single file also their places."""
    files = [file for path in paths for file in find_files(path)]
    endings = {file.suffix.lower() for file in files}
    if len(endings) > 1:
        raise catalogue.mixed_endings(sorted(endings))
    frame = _read(session, endings.pop(), files, layout, header, columns)
    return _with_places(frame) if len(files) == 1 else frame


def _read(
    session: SparkSession,
    ending: str,
    files: list[Path],
    layout: Layout,
    header: bool | None,
    columns: Sequence[str] | None,
) -> DataFrame:
    names = [str(file.resolve()) for file in files]
    match ending:
        case ".csv":
            return _read_csv(session, files[0], names, header, columns)
        case ".parquet":
            return session.read.parquet(*names)
        case _:
            return _read_json(session, files, names, layout)


def _read_csv(
    session: SparkSession,
    first: Path,
    names: list[str],
    header: bool | None,
    columns: Sequence[str] | None,
) -> DataFrame:
    has_header = header or (header is None and not columns)
    titles = list(columns) if columns else header_of(first)
    fields = [spark_types.StructField(title, spark_types.StringType()) for title in titles]
    return session.read.csv(
        names,
        schema=spark_types.StructType(fields),
        header=bool(has_header),
        escape='"',
        mode="FAILFAST",
        enforceSchema=True,
        encoding="UTF-8",
    )


def _read_json(
    session: SparkSession, files: list[Path], names: list[str], layout: Layout
) -> DataFrame:
    """Lines of text: the door reads them, so that JSON means the same here and in process."""
    check_keys(files, layout)
    lines = session.read.text(names)
    return lines.where(f.trim("value") != "").withColumnRenamed("value", LINE)


def _with_places(frame: DataFrame) -> DataFrame:
    """Splits of a file can be read in any order; a row's place is that of its split and in it."""
    block, at = FILE_PLACE
    return frame.withColumn(block, f.col("_metadata.file_block_start")).withColumn(
        at, f.monotonically_increasing_id()
    )
