"""Facts of Kafka topics, a topic per predicate. A record is an object, as in a line of a table.

Rules do not name arguments. So the keys of the first record are the columns, in their order, as those
of the first line of a file are; or the address of the topic names them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pyarrow as pa
from pyspark.sql import SparkSession

from horae.data import catalogue_facts as messages
from horae.data.catalogue_facts import TIMELESS_IN_STREAM
from horae.data.clock import SECONDS, Clock
from horae.data.fact_tables import FROM, INTERVAL_COLUMNS, TO, FactTable, lay_out
from horae.data.facts import named_path
from horae.data.formats.json_columns import exact_objects
from horae.data.topics import is_topic
from horae.data.written_lines import written_lines
from horae.source.errors import InputError
from horae.spark import catalogue
from horae.spark.bad_rows import Gate, strict
from horae.spark.fact_frames import FACTS, JsonFacts, tables_of_files
from horae.spark.file_system import FileSystem
from horae.spark.kafka import Topic, kafka_frame, read_url
from horae.spark.piped import Piped
from horae.spark.records import RECORD_ORDER, record_lines

_LOOKED_AT = 1000


def facts_of_inputs(
    spark: SparkSession,
    inputs: Sequence[str],
    arities: Mapping[str, int],
    *,
    time: str = "time",
    order: str | None = None,
    others: bool = False,
    clock: Clock = SECONDS,
) -> list[Piped]:
    """Of files, and of the records that topics have now."""
    named = [(text, *named_path(text, FileSystem(spark))) for text in inputs]
    parts = list[Piped]()
    for name, topic in ((name, read_url(path)) for _, name, path in named if is_topic(path)):
        predicate, names = predicate_of(name, topic), topic_columns(spark, topic, time)
        facts = topic_facts(
            spark,
            predicate,
            topic,
            arities,
            names=names,
            time=time,
            order=order,
            clock=clock,
            live=False,
        )
        parts.append(facts)
    files = [text for text, _, path in named if not is_topic(path)]
    if files or not parts:
        parts += tables_of_files(
            spark, files, arities, time=time, order=order, others=others, clock=clock
        )
    return parts


def topic_facts(
    spark: SparkSession,
    predicate: str,
    topic: Topic,
    arities: Mapping[str, int],
    *,
    names: Sequence[str],
    time: str,
    order: str | None,
    clock: Clock = SECONDS,
    live: bool = True,
    gate: Gate = strict,
) -> Piped:
    """Of records with the keys `names`; of equal times in the order of a key, or of the records."""
    table = lay_out(
        predicate, names, arities, time=time, order=order, place=topic.path, clock=clock
    )
    if table.time is None and not table.interval:
        raise _no_time(predicate, time, topic)
    lines = record_lines(kafka_frame(spark, topic, live=live))
    return gate(lines, JsonFacts(_any_record(table, order), topic.path), FACTS)


def predicate_of(name: str | None, topic: Topic) -> str:
    if name is None:
        raise messages.name_needed(topic.path, "predicate")
    return name


def topic_columns(
    spark: SparkSession, topic: Topic, time: str, *, keeps_bad: bool = False
) -> list[str]:
    """As given, where the time goes without saying; else as in the first record."""
    if topic.columns is None:
        return first_keys(spark, topic, keeps_bad=keeps_bad)
    names = list(topic.columns)
    has_time = time in names or (FROM in names and TO in names)
    return names if has_time else [*names, time]


def _any_record(table: FactTable, order: str | None) -> FactTable:
    """What may be missing in any record may be missing in the first one."""
    ends = INTERVAL_COLUMNS if table.interval else ()
    return replace(table, interval=ends, order=order or RECORD_ORDER)


def first_keys(spark: SparkSession, topic: Topic, *, keeps_bad: bool = False) -> list[str]:
    """With `keeps_bad`, those of the first record that can be read."""
    count = _LOOKED_AT if keeps_bad else 1
    first = record_lines(kafka_frame(spark, topic, live=False)).limit(count).toArrow()
    for batch in first.to_batches(max_chunksize=1):
        try:
            return _keys(batch, topic)
        except InputError:
            if not keeps_bad:
                raise
    raise catalogue.EMPTY_TOPIC(topic=topic.name, place=topic.path)


def _keys(record: pa.RecordBatch, topic: Topic) -> list[str]:
    with written_lines(record, topic.path) as found:
        (row,) = exact_objects(found)
    return list(row)


def _no_time(predicate: str, time: str, topic: Topic) -> InputError:
    return TIMELESS_IN_STREAM(
        predicate=predicate,
        remedy=f"give its records the key `{time}`, or name another one with --time",
        place=topic.path,
    )
