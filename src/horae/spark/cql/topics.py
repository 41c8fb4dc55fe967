"""Rows of Kafka topics, a topic per stream. The keys of a record are found by the registered names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pyspark.sql import DataFrame, SparkSession

from horae.data import catalogue_facts as messages
from horae.data.bind_columns import read_table_name
from horae.data.facts import named_path
from horae.data.input_files import Registered
from horae.data.rows_of_inputs import InputLayout, find_input, lay_out
from horae.data.schema import Input
from horae.data.topics import is_topic
from horae.spark import catalogue
from horae.spark.bad_rows import Gate, strict
from horae.spark.cql.door import JsonRows, row_schema, rows_of_files
from horae.spark.kafka import Topic, kafka_frame, read_url
from horae.spark.piped import Piped
from horae.spark.records import RECORD_ORDER, record_lines


def rows_of_inputs(
    spark: SparkSession,
    inputs: Sequence[str],
    registered: Registered,
    *,
    time: str,
    order: str | None = None,
) -> dict[str, DataFrame]:
    """Of files, and of the records that topics have now."""
    named = [(text, *named_path(text)) for text in inputs]
    files = [text for text, _, path in named if not is_topic(path)]
    rows = rows_of_files(spark, files, registered, time=time, order=order)
    for _, name, path in named:
        if is_topic(path):
            topic = picked_columns(name, read_url(path))
            item = stream_of(name, topic, registered)
            found = topic_rows(spark, item, topic, time=time, order=order, live=False)
            rows[item.name] = rows[item.name].unionAll(found.rows)
    return rows


def picked_columns(name: str | None, topic: Topic) -> Topic:
    """`NAME(key, …)=kafka://…` says as `columns=key,…` which keys are read."""
    picked = None if name is None else read_table_name(name).columns
    return topic if picked is None else replace(topic, columns=picked)


def stream_of(name: str | None, topic: Topic, registered: Registered) -> Input:
    if name is None:
        raise messages.name_needed(topic.path, "stream")
    item = find_input(read_table_name(name).name, registered, topic.path)
    if not item.is_stream:
        raise catalogue.RELATION_FROM_TOPIC(name=item.name, place=topic.path)
    return item


def topic_rows(
    spark: SparkSession,
    item: Input,
    topic: Topic,
    *,
    time: str,
    order: str | None,
    live: bool = True,
    gate: Gate = strict,
) -> Piped:
    """Rows of equal times are in the order of a key, or in that of the records."""
    lines = record_lines(kafka_frame(spark, topic, live=live))
    layout = _lay_out(item, topic, time, order)
    return gate(lines, JsonRows(layout, topic.path), row_schema(item))


def _lay_out(item: Input, topic: Topic, time: str, order: str | None) -> InputLayout:
    ranked = order or RECORD_ORDER
    columns = topic.columns or tuple(column.name for column in item.columns)
    names = list(dict.fromkeys([*columns, time, ranked]))
    return lay_out(item, names, time=time, order=ranked, place=topic.path, picked=topic.columns)
