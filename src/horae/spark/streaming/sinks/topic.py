"""Answers of a stream as records of a topic: each once, though Spark's own sink may write some twice.

The checkpoint remembers where the topic ended before a micro-batch, and records carry the stream and the
number of their micro-batch in a header. One that runs again after a crash reads what has come since, and
adds what is missing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from horae.engine.contract import Routed
from horae.engine.run import Run
from horae.spark.kafka import Topic
from horae.spark.parcels import ParcelKind
from horae.spark.sinks.answer_lines import LINE, answer_lines
from horae.spark.sinks.topics import client_options, save_lines
from horae.spark.streaming.checkpoint_folder import Folder
from horae.spark.streaming.sinks.micro_batch import MicroBatch

HEADER = "horae"
_PLACE = "horae/topic.json"
_EARLIEST = -2  # as Spark writes it
_BYTES = "org.apache.kafka.common.serialization.ByteArrayDeserializer"

Ends = Mapping[str, int]
"""The next offset of each partition of a topic, by its number."""


@dataclass(frozen=True)
class StreamTopic:
    """The records of the stream with this name; `folder` is its checkpoint."""

    topic: Topic
    stream: str
    run: Run
    program: Routed
    folder: Folder
    spark: SparkSession
    is_in_driver: ClassVar[bool] = False

    def write(self, batch: MicroBatch) -> None:
        if not any(shard.answers for shard in batch.metrics):
            return
        lines = answer_lines(batch.parcels(ParcelKind.ANSWERS), self.run, self.program)
        before = self._remembered(batch.number)
        if before is None:
            self._remember(batch.number)
        else:
            lines = lines.exceptAll(self._written(batch.number, before))
        save_lines(lines, self.topic, self._headers(batch.number))

    # --- where the topic ended before

    def _remembered(self, number: int) -> Ends | None:
        """None: the micro-batch has not been written before."""
        if not self.folder.exists(_PLACE):
            return None
        found = json.loads(self.folder.read(_PLACE))
        return dict(found["ends"]) if found["batch"] == number else None

    def _remember(self, number: int) -> None:
        text = json.dumps({"batch": number, "ends": topic_ends(self.spark, self.topic)})
        self.folder.write(_PLACE, text.encode())

    # --- what an earlier try has written

    def _written(self, number: int, before: Ends) -> DataFrame:
        starts = {part: before.get(part, _EARLIEST) for part in topic_ends(self.spark, self.topic)}
        records = (
            self.spark.read.format("kafka")
            .options(**client_options(self.topic))
            .option("subscribe", self.topic.name)
            .option("startingOffsets", json.dumps({self.topic.name: starts}))
            .option("includeHeaders", "true")
            .load()
        )
        own = f.array_contains(f.col("headers"), self._header(number))
        return records.where(own).select(f.col("value").cast("string").alias(LINE))

    def _headers(self, number: int) -> Column:
        return f.array(self._header(number))

    def _header(self, number: int) -> Column:
        value = f.lit(f"{self.stream}/{number}").cast("binary")
        return f.struct(f.lit(HEADER).alias("key"), value.alias("value"))


def topic_ends(spark: SparkSession, topic: Topic) -> dict[str, int]:
    """By a client of the connector's; a topic that is not there has no partitions."""
    jvm: Any = spark._jvm
    kafka = jvm.org.apache.kafka
    settings = jvm.java.util.Properties()
    for name, value in client_options(topic).items():
        settings.put(name.removeprefix("kafka."), value)
    for name in ("key.deserializer", "value.deserializer"):
        settings.put(name, _BYTES)
    client = kafka.clients.consumer.KafkaConsumer(settings)
    try:
        parts = jvm.java.util.ArrayList()
        for part in client.partitionsFor(topic.name) or ():
            parts.add(kafka.common.TopicPartition(topic.name, part.partition()))
        ends = client.endOffsets(parts)
        return {str(part.partition()): int(ends.get(part)) for part in parts}
    finally:
        client.close()
