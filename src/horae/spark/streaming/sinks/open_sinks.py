"""The sinks of a stream that the workers write: where answers go, and what could not be used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from horae.data.targets import CatalogTable, Directory, LinesDirectory, TopicTarget
from horae.engine.run import Run
from horae.engine.typed_answers import TypedAnswers
from horae.spark.brokers import check_broker
from horae.spark.file_system import FileSystem
from horae.spark.kafka import read_url
from horae.spark.streaming.checkpoint import Checkpoint
from horae.spark.streaming.sinks.batch_files import claim
from horae.spark.streaming.sinks.lines import AnswerLines, DeadLetters
from horae.spark.streaming.sinks.micro_batch import Sink
from horae.spark.streaming.sinks.tables import StreamCatalog, StreamDirectory
from horae.spark.streaming.sinks.topic import StreamTopic
from horae.spark.streaming.stream import Live

StreamTarget = LinesDirectory | Directory | CatalogTable | TopicTarget


@dataclass(frozen=True)
class SinkPlace:
    """A stream that is ready to run, as its sinks know it; `is_new`: it has written nothing yet."""

    run: Run
    live: Live
    checkpoint: Checkpoint
    is_new: bool

    @property
    def system(self) -> FileSystem:
        return FileSystem(self.live.spark)

    def sink(self, target: StreamTarget) -> Sink:
        """What is written to belongs to this stream from now on."""
        match target:
            case LinesDirectory(path):
                return AnswerLines(self._own(path), self.run, self.live.program, self.system)
            case Directory(path):
                self._own(path)
                return StreamDirectory(target, self._typed, self.system)
            case CatalogTable():
                tables = StreamCatalog(target, self._typed, self.live.spark)
                tables.claim(self.checkpoint.stream, is_new=self.is_new)
                return tables
            case TopicTarget(url):
                return self._topic(url)
        assert_never(target)

    def dead_letters(self, path: str) -> Sink:
        return DeadLetters(self._own(path), self.run, self.system)

    def _topic(self, url: str) -> StreamTopic:
        topic = read_url(url)
        check_broker(topic.servers)
        folder, name = self.checkpoint.folder, self.checkpoint.stream
        return StreamTopic(topic, name, self.run, self.live.program, folder, self.live.spark)

    def _own(self, path: str) -> str:
        place = path.rstrip("/")
        claim(self.system, place, self.checkpoint.stream, is_new=self.is_new)
        return place

    @property
    def _typed(self) -> TypedAnswers:
        assert self.live.typed is not None, "the stream was opened for tables"
        return self.live.typed
