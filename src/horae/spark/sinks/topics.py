"""Answers as records of a Kafka topic: the value is a line of JSON, as on standard output."""

from __future__ import annotations

from pyspark import StorageLevel
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from horae.data.targets import TopicTarget
from horae.spark.brokers import check_broker
from horae.spark.kafka import Topic, read_url
from horae.spark.sinks.answer_lines import LINE, answer_lines
from horae.spark.sinks.tables import Derived, Written


def write_topic(found: Derived, target: TopicTarget) -> Written:
    """All answers are derived before the first is sent: a run that fails sends none.

    Nor would Spark say how many it has sent: what observes rows is not told of this sink.
    """
    topic = read_url(target.url)
    check_broker(topic.servers)
    lines = answer_lines(found.parcels, found.typed.run, found.program)
    kept = lines.persist(StorageLevel.DISK_ONLY)
    try:
        count = kept.count()
        save_lines(kept, topic)
        return Written(topic.path, {"": count})
    finally:
        kept.unpersist()


def save_lines(lines: DataFrame, topic: Topic, headers: Column | None = None) -> None:
    columns = [f.col(LINE), *([] if headers is None else [headers.alias("headers")])]
    writer = lines.select(*columns).write.format("kafka").options(**client_options(topic))
    writer.option("topic", topic.name).save()


def client_options(topic: Topic) -> dict[str, str]:
    """For a client of its brokers, of any kind, as Spark takes them."""
    options = {name: value for name, value in topic.options if name.startswith("kafka.")}
    return {**options, "kafka.bootstrap.servers": topic.servers}
