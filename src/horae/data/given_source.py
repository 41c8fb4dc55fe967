"""Inputs that only Spark reads: tables of its catalog, and sources that it knows by a name.

`table:db.events` is a table. With a format, each input is what that source calls a path; the text may be
empty, where options say all. Files of facts, topics and tables stay what they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from horae.data import catalogue
from horae.data.endings import FACTS_TEXT, ending_of
from horae.data.topics import is_topic
from horae.source.errors import InputError

TABLE = "table:"


@dataclass(frozen=True)
class SourceFormat:
    """What `spark.read.format(name).options(...)` takes."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)


def is_table(path: str) -> bool:
    return path.startswith(TABLE)


def is_given_source(path: str, format: SourceFormat | None) -> bool:
    """Whether the rows of a path are Spark's to find; the path has no name before it."""
    if is_table(path):
        return True
    return format is not None and not is_topic(path) and ending_of(path) != FACTS_TEXT


def has_table(inputs: Iterable[str]) -> bool:
    """Among `PATH` and `NAME=PATH`."""
    return any(is_table(text) or is_table(text.partition("=")[2]) for text in inputs)


def source_for_spark(path: str) -> InputError:
    return catalogue.SOURCE_FOR_SPARK(path=path)
