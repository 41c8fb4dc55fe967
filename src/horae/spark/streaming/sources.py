"""Files that come into a directory, as streams.

Spark wants to know columns before the first row: they are those of the files that are there at the
start. Lines carry the file they stand in, since facts without a time may only be in those files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as t
from pyspark.sql.streaming.readwriter import DataStreamReader

from horae.inputs import catalogue
from horae.inputs.csv_file import header_of
from horae.inputs.files import ENDINGS, find_files
from horae.source.errors import InputError
from horae.spark.streaming.kafka import Topic
from horae.spark.streaming.stream import Sources

FILE = "__file"
_FOR_EVER = "36500d"  # Spark would ignore files that are a week older than the newest one


@dataclass(frozen=True)
class Source:
    """A file, directory or glob, and its files at the start, all with one ending.

    `per_batch`: how many files a micro-batch takes at most.
    """

    path: str
    files: tuple[Path, ...]
    per_batch: int | None = None

    @property
    def ending(self) -> str:
        return self.files[0].suffix.lower()

    @property
    def is_over(self) -> bool:
        """One file has all its rows at the start; more come into a directory."""
        return Path(self.path).is_file()

    @property
    def is_lines(self) -> bool:
        return self.ending not in {".csv", ".parquet"}


def find_source(
    path: str, endings: tuple[str, ...] = ENDINGS, per_batch: int | None = None
) -> Source:
    if "**" in path:
        raise InputError(
            "INP061",
            f"a stream does not read the glob `{path}`",
            help="name the directory: its subdirectories are read too",
        )
    if Path(path).is_dir() and not any(Path(path).rglob("*")):
        raise _nothing_yet(path)
    files = find_files(path, endings)
    found = {file.suffix.lower() for file in files}
    if len(found) > 1:
        raise catalogue.mixed_endings(sorted(found))
    return Source(path, tuple(files), per_batch)


def _nothing_yet(path: str) -> InputError:
    return InputError(
        "INP001",
        f"there are no files in the directory `{path}` yet",
        help="put a first file there: a stream takes its format and its columns from it",
    )


def together(frames: Sequence[tuple[Source | Topic, DataFrame]]) -> Sources:
    return Sources(
        [frame for source, frame in frames if not source.is_over],
        [frame for source, frame in frames if source.is_over],
    )


def stream_lines(spark: SparkSession, source: Source) -> DataFrame:
    """The lines that are not blank, each with its file."""
    lines = _reader(spark, source).text(_name(source.path))
    return lines.where("trim(value) != ''").selectExpr("value", f"_metadata.file_path AS {FILE}")


def stream_csv(
    spark: SparkSession, source: Source, columns: tuple[str, ...] | None, has_header: bool
) -> DataFrame:
    """All text. Spark compares the header of each file with that of the first one."""
    titles = list(columns or header_of(source.files[0]))
    if not titles:
        raise catalogue.empty_file(str(source.files[0]))
    _check_titles(titles, source)
    reader = _reader(spark, source).schema(_texts(titles))
    frame = reader.csv(
        _name(source.path),
        header=has_header,
        escape='"',
        mode="FAILFAST",
        enforceSchema=columns is not None,
        encoding="UTF-8",
        multiLine=True,
        ignoreLeadingWhiteSpace=False,
    )
    return frame.toDF(*titles)


def _check_titles(titles: list[str], source: Source) -> None:
    """Spark does not tell `a` from `A` where it compares headers."""
    lowered = [title.lower() for title in titles]
    for title, low in zip(titles, lowered, strict=True):
        if lowered.count(low) > 1:
            raise catalogue.column_twice(str(source.files[0]), title)


def _texts(titles: list[str]) -> t.StructType:
    return t.StructType([t.StructField(title, t.StringType()) for title in titles])


def stream_parquet(spark: SparkSession, source: Source) -> DataFrame:
    schema = spark.read.parquet(str(source.files[0].resolve())).schema
    return _reader(spark, source).schema(schema).parquet(_name(source.path))


def _reader(spark: SparkSession, source: Source) -> DataStreamReader:
    letters = "".join(f"[{c}{c.upper()}]" for c in source.ending[1:])
    reader = spark.readStream.option("maxFileAge", _FOR_EVER)
    if source.per_batch is not None:
        reader = reader.option("maxFilesPerTrigger", source.per_batch)
    if not Path(source.path).is_dir():
        return reader
    return reader.options(pathGlobFilter=f"*.{letters}", recursiveFileLookup=True)


def _name(path: str) -> str:
    return str(Path(path).absolute())
