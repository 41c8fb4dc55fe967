"""Tables of the catalog and named sources of Spark, as DataFrames that the doors read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, DataFrameReader, SparkSession
from pyspark.sql.streaming.readwriter import DataStreamReader

from horae.data.facts import named_path
from horae.data.given_source import TABLE, SourceFormat, is_given_source, is_table
from horae.source.errors import InputError
from horae.source.messages import Message
from horae.spark import catalogue
from horae.spark.failures import cause_of
from horae.spark.file_system import FileSystem

_CLASS = re.compile(r"^(?:[\w$]+\.)+[\w$]+: ")
_CONDITION = re.compile(r"^\[[A-Z0-9_.]+\] ")
_STATE = re.compile(r"\s*SQLSTATE: \w+")


class GivenTable(NamedTuple):
    """`name` is that of a predicate, stream or relation; `place` is for messages."""

    name: str | None
    place: str
    frame: DataFrame


@dataclass(frozen=True)
class GivenSource:
    """A source that is not open yet. As a stream it has no end."""

    spark: SparkSession
    name: str | None
    path: str
    format: SourceFormat | None
    is_over = False

    @property
    def place(self) -> str:
        return self.path if self.path or self.format is None else self.format.name

    def open(self, *, live: bool = False) -> GivenTable:
        with about_source(self.place):
            reader = self.spark.readStream if live else self.spark.read
            return GivenTable(self.name, self.place, self._frame(reader))

    def _frame(self, reader: DataFrameReader | DataStreamReader) -> DataFrame:
        if is_table(self.path):
            return reader.table(self.path.removeprefix(TABLE))
        assert self.format is not None, "a path that is no table has a format"
        opened = reader.format(self.format.name).options(**self.format.options)
        return opened.load(self._where) if self.path else opened.load()

    @property
    def _where(self) -> str:
        """Not every source means a file by its path."""
        system = FileSystem(self.spark)
        return system.name(self.path) if system.exists(self.path) else self.path


def split_sources(
    spark: SparkSession,
    inputs: Sequence[str],
    format: SourceFormat | None = None,
    *,
    has_names: bool = True,
) -> tuple[list[str], list[GivenSource]]:
    """What of `PATH` and `NAME=PATH` are files and topics, and what are tables, or of the format."""
    files: list[str] = []
    sources: list[GivenSource] = []
    for text in inputs:
        name, path = named_path(text, FileSystem(spark)) if has_names else (None, text)
        if is_given_source(path, format):
            sources.append(GivenSource(spark, name, path, format))
        else:
            files.append(text)
    return files, sources


@contextmanager
def about_source(place: str, other: Message = catalogue.SOURCE_FAILS) -> Iterator[None]:
    """What Spark says of a source becomes one sentence about it."""
    try:
        yield
    except (PySparkException, Py4JJavaError) as error:
        raise cause_of(str(error)) or _source_error(place, error, other) from error


@contextmanager
def failing(sources: Sequence[GivenSource]) -> Iterator[None]:
    """A source may fail as late as its rows are read; then nobody knows which it was of several."""
    if not sources:
        yield
        return
    place = ", ".join(source.place for source in sources)
    with about_source(place, catalogue.FAILED_OVER_SOURCE):
        yield


def _source_error(place: str, error: Exception, other: Message) -> InputError:
    text = str(error)
    if "[TABLE_OR_VIEW_NOT_FOUND" in text:
        return catalogue.NO_SUCH_TABLE(name=place.removeprefix(TABLE))
    if "[DATA_SOURCE_NOT_FOUND" in text:
        return catalogue.NO_SUCH_SOURCE(place=place)
    return other(place=place, reason=_reason(error))


def _reason(error: Exception) -> str:
    """The first sentence, without names of classes and conditions."""
    java = getattr(error, "java_exception", None)
    text = str(error if java is None else java.getMessage() or java.toString())
    line = next((line for line in text.strip().splitlines() if line.strip()), type(error).__name__)
    return _STATE.sub("", _CONDITION.sub("", _CLASS.sub("", line))).rstrip(". ")
