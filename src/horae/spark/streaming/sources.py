"""Files that come into a directory, as streams.

Spark wants to know columns before the first row: they are those of the files that are there at the
start. Lines carry the file they stand in, since facts without a time may only be in those files.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.streaming.readwriter import DataStreamReader

from horae.data import catalogue as inputs
from horae.data.endings import EVENTS, FACTS_TEXT, JSON_LINES, ending_of, whole_ending_of
from horae.data.files import files_at
from horae.data.formats.json_columns import json_keys, readable_json_keys
from horae.data.formats.table_file import Dialect
from horae.source.errors import InputError
from horae.spark import catalogue
from horae.spark.bad_rows import BROKEN, FILE
from horae.spark.file_system import FileSystem, StoredFile
from horae.spark.files import (
    all_text,
    csv_options,
    read_typed,
    titles_of,
    without_empty,
)
from horae.spark.given_sources import GivenSource
from horae.spark.kafka import Topic
from horae.spark.streaming.stream import Converted, StreamSources

_FILE_PATH = "_metadata.file_path"
_FOR_EVER = "36500d"  # Spark would ignore files that are a week older than the newest one


@dataclass(frozen=True)
class StreamSource:
    """A file, directory or glob, and its files at the start, all with one ending.

    `per_batch`: how many files a micro-batch takes at most. `keeps_bad`: rows that cannot be read do
    not end the run, but go on with the file that they stand in.
    """

    system: FileSystem
    path: str
    files: tuple[StoredFile, ...]
    per_batch: int | None = None
    keeps_bad: bool = False

    @property
    def ending(self) -> str:
        """That of their format."""
        return ending_of(self.files[0])

    @cached_property
    def is_over(self) -> bool:
        """One file has all its rows at the start; more come into a directory."""
        return self.system.is_file(self.path)

    @cached_property
    def is_folder(self) -> bool:
        """A directory, or a glob that matches directories alone: all their files are read."""
        if self.system.exists(self.path):
            return not self.is_over
        return not self.system.matches(self.path).files

    @property
    def is_lines(self) -> bool:
        return self.ending in (FACTS_TEXT, *JSON_LINES)


def find_source(
    system: FileSystem,
    path: str,
    endings: tuple[str, ...] = EVENTS,
    per_batch: int | None = None,
    *,
    keeps_bad: bool = False,
) -> StreamSource:
    if "**" in path:
        raise catalogue.GLOB_IN_STREAM(path=path)
    if system.is_dir(path) and not system.names(path):
        raise _nothing_yet(path)
    files = files_at(system, path, endings)
    found = {whole_ending_of(file) for file in files}
    if len(found) > 1:
        raise inputs.mixed_endings(sorted(found))
    return StreamSource(system, path, tuple(files), per_batch, keeps_bad)


def _nothing_yet(path: str) -> InputError:
    return inputs.NO_FILES_YET(path=path)


def together(
    frames: Sequence[tuple[StreamSource | Topic | GivenSource, Converted]],
) -> StreamSources[Converted]:
    return StreamSources(
        [frame for source, frame in frames if not source.is_over],
        [frame for source, frame in frames if source.is_over],
    )


def stream_lines(spark: SparkSession, source: StreamSource) -> DataFrame:
    """The lines that are not blank, each with its file; what is not UTF-8 text is broken."""
    lines = _reader(spark, source).text(_name(source)).where("trim(value) != ''")
    broken = f.when(~f.is_valid_utf8("value"), f.make_valid_utf8("value"))
    return lines.select(
        f.try_validate_utf8("value").alias("value"),
        f.col(_FILE_PATH).alias(FILE),
        broken.alias(BROKEN),
    )


def stream_csv(spark: SparkSession, source: StreamSource, dialect: Dialect) -> DataFrame:
    """All text. Spark compares the header of each file with that of the first one."""
    titles = titles_of(source.files[0], dialect)
    _check_titles(titles, source)
    beside = [BROKEN] if source.keeps_bad else []
    reader = _reader(spark, source).schema(all_text([*titles, *beside]))
    frame = reader.csv(
        _name(source),
        header=dialect.has_header,
        enforceSchema=dialect.columns is not None,
        multiLine=True,
        **csv_options()
        | ({"mode": "PERMISSIVE", "columnNameOfCorruptRecord": BROKEN} if beside else {}),
    )
    return _with_file(frame, source)


def _with_file(frame: DataFrame, source: StreamSource) -> DataFrame:
    """Where a row that cannot be read would be kept, also the file that it stands in."""
    return frame.select("*", f.col(_FILE_PATH).alias(FILE)) if source.keeps_bad else frame


def _check_titles(titles: Sequence[str], source: StreamSource) -> None:
    """Spark does not tell `a` from `A` where it compares headers."""
    lowered = [title.lower() for title in titles]
    for title, low in zip(titles, lowered, strict=True):
        if lowered.count(low) > 1:
            raise inputs.COLUMN_TWICE(name=title, place=str(source.files[0]))


def stream_typed(spark: SparkSession, source: StreamSource) -> DataFrame:
    """Files of a format that has types of its own."""
    schema = read_typed(spark, [source.files[0]]).schema
    reader = _reader(spark, source).schema(schema).format(source.ending.removeprefix("."))
    return _with_file(reader.load(_name(source)), source)


def stream_table(
    spark: SparkSession, source: StreamSource, dialect: Dialect | None = None
) -> DataFrame:
    how = dialect or Dialect()
    if source.ending != ".csv":
        return stream_typed(spark, source)
    frame = stream_csv(spark, source, how)
    return frame if how.keeps_empty else without_empty(frame)


def columns_of(
    spark: SparkSession, source: StreamSource, dialect: Dialect | None = None
) -> list[str]:
    if source.is_lines:
        read = readable_json_keys if source.keeps_bad else json_keys
        return read(source.files[0])
    return stream_table(spark, replace(source, keeps_bad=False), dialect).columns


def no_stream() -> InputError:
    return catalogue.NO_STREAM()


def _reader(spark: SparkSession, source: StreamSource) -> DataStreamReader:
    ending = whole_ending_of(source.files[0])
    letters = "".join(f"[{c}{c.upper()}]" if c.isalpha() else c for c in ending)
    reader = spark.readStream.option("maxFileAge", _FOR_EVER)
    if source.per_batch is not None:
        reader = reader.option("maxFilesPerTrigger", source.per_batch)
    if not source.is_folder:
        return reader
    return reader.options(pathGlobFilter=f"*{letters}", recursiveFileLookup=True)


def _name(source: StreamSource) -> str:
    """Spark's streams take directories and globs: one file is a glob that only it matches."""
    name = source.system.name(source.path)
    if not source.is_over:
        return name
    return re.sub(r"([\\{}\[\]*?,^])", r"\\\1", name[:-1]) + f"[{name[-1]}]"
