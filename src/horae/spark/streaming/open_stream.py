"""A stream of files and topics with Spark at hand: what is read, and where the run keeps its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import pyarrow as pa
from pyspark.sql import SparkSession

from horae.data import facts
from horae.data.endings import EVENTS, FACTS
from horae.data.given_source import SourceFormat
from horae.data.ground_facts import GroundFact
from horae.data.topics import is_topic
from horae.engine.run import Run
from horae.engine.typed_answers import Schemas
from horae.spark.bad_rows import Gate, strict
from horae.spark.file_system import FileSystem, StoredFile
from horae.spark.file_types import schemas_of
from horae.spark.given_sources import GivenSource, split_sources
from horae.spark.kafka import Topic, read_url
from horae.spark.piped import Piped
from horae.spark.streaming.checkpoint import Checkpoint, Topics
from horae.spark.streaming.sources import StreamSource, find_source
from horae.spark.streaming.stream import Live, Settings, StreamSources, fingerprint


class NamedSource(NamedTuple):
    """`text` is how it was given: `PATH` or `NAME=PATH`."""

    text: str
    name: str | None
    source: StreamSource


class NamedTopic(NamedTuple):
    name: str | None
    topic: Topic


@dataclass(frozen=True)
class OpenStream:
    """`is_at_once`: one micro-batch takes all that there is, and no other run goes on from it."""

    spark: SparkSession
    inputs: Sequence[str]
    checkpoint: Checkpoint
    settings: Settings
    gate: Gate
    files_per_batch: int | None
    is_at_once: bool = False
    sources: Sequence[GivenSource] = ()

    def divided(self, format: SourceFormat | None, *, has_names: bool) -> OpenStream:
        """Tables, and sources of the format, beside the files and topics."""
        files, sources = split_sources(self.spark, self.inputs, format, has_names=has_names)
        return replace(self, inputs=files, sources=sources)

    def schemas(self, run: Run) -> Schemas:
        """Of the typed tables of answers."""
        return schemas_of(run, self.spark, self.inputs, self.sources)

    @property
    def keeps_bad(self) -> bool:
        return self.gate is not strict

    @cached_property
    def system(self) -> FileSystem:
        return FileSystem(self.spark)

    def source(self, path: str, endings: tuple[str, ...] = EVENTS) -> StreamSource:
        return find_source(
            self.system, path, endings, self.files_per_batch, keeps_bad=self.keeps_bad
        )

    def named_path(self, text: str) -> facts.NamedPath:
        return facts.named_path(text, self.system)

    @property
    def named_files(self) -> list[NamedSource]:
        """Of predicates, or of the streams and relations of queries."""
        named = [(text, *self.named_path(text)) for text in self.inputs]
        return [
            NamedSource(text, name, self.source(path, FACTS))
            for text, name, path in named
            if not is_topic(path)
        ]

    @property
    def named_topics(self) -> list[NamedTopic]:
        named = map(self.named_path, self.inputs)
        return [NamedTopic(name, read_url(path)) for name, path in named if is_topic(path)]

    def remember(
        self,
        live: Live,
        files: Sequence[StoredFile] = (),
        given: Sequence[GroundFact] = (),
        topics: Topics | None = None,
    ) -> None:
        """What a later run of the checkpoint must have too; `files` and `given` are of the start."""
        self.checkpoint.remember(fingerprint(self.spark, live), files, given, topics)


@dataclass(frozen=True)
class LiveInput:
    """The records of streams, and `static` ones that are there before they start.

    `remembered` are static facts that stood in `files`; `topics` have columns. A checkpoint keeps them.
    """

    records: StreamSources[Piped]
    static: pa.Table
    files: Sequence[StoredFile] = ()
    remembered: Sequence[GroundFact] = ()
    topics: Topics = field(default_factory=dict)
