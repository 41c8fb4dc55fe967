"""Events of Kafka topics: the keys of a record are the inputs of a specification, and the time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from pyspark.sql import DataFrame, SparkSession

from horae.data import catalogue as inputs
from horae.data.layout import Layout
from horae.data.topics import is_topic
from horae.spark import catalogue
from horae.spark.bad_rows import LINE
from horae.spark.kafka import Topic, kafka_frame, read_url
from horae.spark.records import record_lines


def are_topics(paths: Sequence[str]) -> bool:
    """Events come from topics or from files: each have an order of their own among equal times."""
    found = list(map(is_topic, paths))
    if any(found) and not all(found):
        raise inputs.TOPICS_AND_FILES()
    return all(found)


def topic_events(spark: SparkSession, urls: Sequence[str], layout: Layout) -> DataFrame:
    """Of the records that topics have now."""
    topics = [event_topic(url, layout) for url in urls]
    return reduce(DataFrame.unionAll, [event_lines(spark, t, live=False) for t in topics])


def event_topic(url: str, layout: Layout) -> Topic:
    topic = read_url(url)
    if topic.columns is not None:
        raise catalogue.TOPIC_WITH_COLUMNS(place=topic.path)
    if layout.order is not None:
        raise catalogue.TOPIC_WITH_ORDER(order=layout.order, place=topic.path)
    return topic


def event_topics(paths: Sequence[str]) -> dict[str, list[str]]:
    """What a checkpoint remembers of topics: nothing but their names."""
    return {read_url(path).name: [] for path in paths if is_topic(path)}


def event_lines(spark: SparkSession, topic: Topic, *, live: bool = True) -> DataFrame:
    return record_lines(kafka_frame(spark, topic, live=live), LINE)
