"""Where answers go: one file, a directory of tables, a table of the catalog, a topic of Kafka."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from horae.data.topics import is_topic

ONE_FILE = ("jsonl", "csv", "parquet")
"""Formats of answers in one file; the ending of its name says which."""
_TABLE = "table:"
_SPARK_FORMATS = {"jsonl": "json"}


@dataclass(frozen=True)
class OneFile:
    """All answers, sorted; None: standard output."""

    path: str | None
    format: str = "jsonl"


@dataclass(frozen=True)
class Directory:
    """A table per output in a directory of its own: `path/sales_freq/…`."""

    path: str
    format: str

    @property
    def spark_format(self) -> str:
        return _SPARK_FORMATS.get(self.format, self.format)


@dataclass(frozen=True)
class LinesDirectory:
    """The answers of a stream as lines of JSON, files of micro-batches."""

    path: str


@dataclass(frozen=True)
class CatalogTable:
    """`db.name` if the program has one output, else `db.name_OUTPUT` for each."""

    name: str

    def of(self, output: str, outputs: int) -> str:
        return self.name if outputs == 1 else f"{self.name}_{output}"


@dataclass(frozen=True)
class TopicTarget:
    """The answers as records of a topic, each a line of JSON Lines."""

    url: str


Elsewhere = CatalogTable | TopicTarget
Target = OneFile | Directory | CatalogTable | TopicTarget


def read_target(output: str | None, format: str | None) -> Target:
    """What `--output` and `--format` say.

    A name that ends like a file of answers is one file, and so is any plain name without a format.
    All else is a directory.
    """
    if output is None:
        return OneFile(None, format or "jsonl")
    if is_elsewhere(output):
        return read_elsewhere(output)
    ending = PurePath(output).suffix.lower().removeprefix(".")
    is_here = "://" not in output and not output.endswith("/")
    if is_here and ending in ONE_FILE and (format is None or format in ONE_FILE):
        return OneFile(output, format or ending)
    if is_here and format is None:
        return OneFile(output)
    return Directory(output, format or "parquet")


def read_stream_target(output: str, format: str | None) -> LinesDirectory | Directory | Elsewhere:
    """The same for a stream: a directory of lines, unless tables are asked for."""
    if is_elsewhere(output):
        return read_elsewhere(output)
    return LinesDirectory(output) if format is None else Directory(output, format)


def is_elsewhere(output: str) -> bool:
    """Whether it is no path."""
    return output.startswith(_TABLE) or is_topic(output)


def read_elsewhere(output: str) -> Elsewhere:
    if is_topic(output):
        return TopicTarget(output)
    return CatalogTable(output.removeprefix(_TABLE))
