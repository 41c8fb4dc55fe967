"""Facts of Kafka topics, a topic per predicate. A record is an object, as in a line of a table.

Rules do not name arguments. So the keys of the first record are the columns, in their order, as those
of the first line of a file are; or the address of the topic names them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

from pyspark.sql import DataFrame, SparkSession

from horae.inputs import catalogue_facts as messages
from horae.inputs.fact_tables import FROM, INTERVAL_COLUMNS, TO, FactTable, lay_out
from horae.inputs.facts import json_rows, named_path
from horae.inputs.topics import is_topic
from horae.source.errors import InputError
from horae.spark.bad_rows import Gate, strict
from horae.spark.datalogmtl.columns import FACTS
from horae.spark.datalogmtl.door import JsonFacts, facts_of_files
from horae.spark.records import RECORD_ORDER, record_lines, written_lines
from horae.spark.streaming.kafka import Topic, kafka_frame, read_url


def facts_of_inputs(
    spark: SparkSession,
    inputs: Sequence[str],
    arities: Mapping[str, int],
    *,
    time: str = "time",
    order: str | None = None,
    others: bool = False,
) -> DataFrame:
    """Of files, and of the records that topics have now."""
    named = [(text, *named_path(text)) for text in inputs]
    parts = [
        topic_facts(spark, name, read_url(path), arities, time=time, order=order, live=False)
        for _, name, path in named
        if is_topic(path)
    ]
    files = [text for text, _, path in named if not is_topic(path)]
    if files or not parts:
        parts.append(facts_of_files(spark, files, arities, time=time, order=order, others=others))
    return reduce(DataFrame.unionAll, parts)


def topic_facts(
    spark: SparkSession,
    predicate: str | None,
    topic: Topic,
    arities: Mapping[str, int],
    *,
    time: str,
    order: str | None,
    live: bool = True,
    gate: Gate = strict,
) -> DataFrame:
    """Facts of equal times are in the order of a key, or in that of the records."""
    if predicate is None:
        raise messages.name_needed(topic.path, "predicate")
    names = _names(topic, time) or first_keys(spark, topic)
    table = lay_out(predicate, names, arities, time=time, order=order, place=topic.path)
    if table.time is None and not table.interval:
        raise _no_time(predicate, time, topic)
    lines = record_lines(kafka_frame(spark, topic, live=live))
    return gate(lines, JsonFacts(_any_record(table, order), topic.path), FACTS)


def _names(topic: Topic, time: str) -> list[str]:
    """As given; the time goes without saying."""
    names = list(topic.columns or ())
    has_time = time in names or (FROM in names and TO in names)
    return names if has_time or not names else [*names, time]


def _any_record(table: FactTable, order: str | None) -> FactTable:
    """What may be missing in any record may be missing in the first one."""
    ends = INTERVAL_COLUMNS if table.interval else ()
    return replace(table, interval=ends, order=order or RECORD_ORDER)


def first_keys(spark: SparkSession, topic: Topic) -> list[str]:
    first = record_lines(kafka_frame(spark, topic, live=False)).limit(1).toArrow().to_batches()
    for batch in first:
        with written_lines(batch, topic.path) as found:
            for row in json_rows(found.lines, found.place):
                return list(row)
    raise InputError(
        "INP072",
        f"there are no records in the topic `{topic.name}` yet, which say what the arguments are",
        place=topic.path,
        help="write a first record, or name the keys of the arguments: kafka://…?columns=a,b",
    )


def _no_time(predicate: str, time: str, topic: Topic) -> InputError:
    return InputError(
        "INP055",
        f"a fact about `{predicate}` comes in a stream, but has no time",
        place=topic.path,
        help=f"give its records the key `{time}`, or name another one with --time",
    )
