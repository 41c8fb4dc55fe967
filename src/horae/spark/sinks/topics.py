"""Answers as records of a Kafka topic: the value is a line of JSON, as on standard output."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from horae.data.columns import fitted
from horae.data.targets import TopicTarget
from horae.engine.contract import Routed
from horae.engine.run import Run
from horae.spark.brokers import check_broker
from horae.spark.failures import marked
from horae.spark.kafka import Topic, read_url
from horae.spark.parcels import unpack
from horae.spark.piped import Batches
from horae.spark.sinks.answer_parcels import PAYLOAD
from horae.spark.sinks.tables import Derived, Written, counted

_LINE = "value string"


@dataclass(frozen=True)
class _Lines:
    """Parcels → lines of JSON, each parcel in the order of answers."""

    run: Run
    program: Routed

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                for payload in batch.column(PAYLOAD):
                    yield from self._lines(payload.as_py())

    def _lines(self, payload: bytes) -> Iterator[pa.RecordBatch]:
        answers = fitted(unpack(payload), self.program.answers)
        for text in self.run.answers(self.program, answers).json_lines():
            yield pa.record_batch([pa.array(text.splitlines(), pa.string())], names=["value"])


def lines_of(parcels: DataFrame, run: Run, program: Routed) -> DataFrame:
    """A row per answer, with its line."""
    return parcels.select(PAYLOAD).mapInArrow(_Lines(run, program), _LINE)


def write_topic(found: Derived, target: TopicTarget) -> Written:
    topic = read_url(target.url)
    check_broker(topic.servers)
    lines = lines_of(found.parcels, found.typed.run, found.program)
    return Written(topic.path, {"": counted(lines, lambda frame: save_lines(frame, topic))})


def save_lines(lines: DataFrame, topic: Topic) -> None:
    options = {name: value for name, value in topic.options if name.startswith("kafka.")}
    lines.select(f.col("value")).write.format("kafka").options(**options).option(
        "kafka.bootstrap.servers", topic.servers
    ).option("topic", topic.name).save()
