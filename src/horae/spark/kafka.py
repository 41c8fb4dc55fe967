"""Kafka topics as frames: each record's value is a JSON object, an event.

Spark's connector is not among Spark's own jars, and nothing is downloaded here: the caller
starts Spark with it (docs/kafka.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql import types as t

from horae.data import catalogue as inputs
from horae.data.formats.json_columns import exact_columns, exact_objects
from horae.data.layout import RECORD_PLACE
from horae.data.topics import SCHEME
from horae.data.written_lines import WrittenLines, written_lines
from horae.source.errors import InputError
from horae.source.suggest import did_you_mean
from horae.spark import catalogue
from horae.spark.brokers import check_broker
from horae.spark.failures import marked, marked_text
from horae.spark.piped import Batches
from horae.spark.records import place_text, record_lines

_URL = re.compile(
    SCHEME + r"(?P<servers>[^/\s?]+:\d+)/(?P<topic>[A-Za-z0-9._-]+)(?:\?(?P<options>.+))?"
)
_COLUMNS = "columns"
_OPTIONS = (
    "startingOffsets",
    "startingTimestamp",
    "failOnDataLoss",
    "maxOffsetsPerTrigger",
    "minOffsetsPerTrigger",
    "maxTriggerDelay",
    "minPartitions",
    "groupIdPrefix",
    "kafkaConsumer.pollTimeoutMs",
    "fetchOffset.numRetries",
    "fetchOffset.retryIntervalMs",
)
_OWN = {"kafka.bootstrap.servers"}
_LINES = "value string, " + ", ".join(f"{name} long" for name in RECORD_PLACE)
_WRONG = "__wrong"  # the text of a record with a value of another type


@dataclass(frozen=True)
class Topic:
    """`columns` are the keys of arguments, in order, where they are given; `options` Spark's."""

    servers: str
    name: str
    columns: tuple[str, ...] | None = None
    options: tuple[tuple[str, str], ...] = ()

    @property
    def is_over(self) -> bool:
        """Records keep coming."""
        return False

    @property
    def path(self) -> str:
        """For messages: options may hold what is nobody's business."""
        return f"{SCHEME}{self.servers}/{self.name}"


def read_url(url: str) -> Topic:
    """`kafka://host:port/topic`; several brokers are separated by commas.

    After a `?`: `columns=a,b`, and options of Spark's connector, with `&` between them.
    """
    found = _URL.fullmatch(url)
    if found is None:
        raise _no_url(url, "")
    options = dict(_options(url, found["options"] or ""))
    columns = options.pop(_COLUMNS, None)
    names = None if columns is None else tuple(name.strip() for name in columns.split(","))
    return Topic(found["servers"], found["topic"], names, tuple(sorted(options.items())))


def _options(url: str, text: str) -> Iterator[tuple[str, str]]:
    for part in filter(None, text.split("&")):
        name, _, value = part.partition("=")
        known = name in (_COLUMNS, *_OPTIONS) or name.startswith("kafka.")
        if not known or name in _OWN:
            guess = did_you_mean(name, [_COLUMNS, *_OPTIONS])
            raise _no_url(url, f": `{name}` is no option of a topic. {guess}".rstrip())
        if not value:
            raise _no_url(url, f": the option `{name}` has no value")
        yield name, unquote(value)


def _no_url(url: str, why: str) -> InputError:
    return catalogue.NOT_A_TOPIC(url=url.partition("?")[0], why=why)


def kafka_frame(
    spark: SparkSession, url: str | Topic, *, live: bool = True, per_batch: int | None = None
) -> DataFrame:
    """The records of a topic from its beginning, as a stream, or those that are there now.

    `per_batch`: at most so many records in a micro-batch.
    """
    topic = read_url(url) if isinstance(url, str) else url
    options = {"startingOffsets": "earliest", **dict(topic.options)}
    options |= {"kafka.bootstrap.servers": topic.servers, "subscribe": topic.name}
    if per_batch is not None and live:
        options["maxOffsetsPerTrigger"] = str(per_batch)
    reader = spark.readStream if live else spark.read
    try:
        frame = reader.format("kafka").options(**options).load()
    except AnalysisException as error:
        if "Failed to find data source" in str(error) or "DATA_SOURCE_NOT_FOUND" in str(error):
            raise _no_connector(spark.version) from error
        raise
    check_broker(topic.servers)
    return frame


def _no_connector(version: str) -> InputError:
    package = f"org.apache.spark:spark-sql-kafka-0-10_2.13:{version}"
    return catalogue.NO_KAFKA_CONNECTOR(package=package)


# --- rows for programs in Python


def kafka_rows(frame: DataFrame, columns: str, *, order: str | None = "order") -> DataFrame:
    """The events in records, with the columns that `columns` declares: "time long, id string".

    A value that is not such an object fails the run; a key that is missing is null, other keys are
    passed over. `order` names a further column, the place of a record in its topic, for the option
    `order` of a program; None where a language has none.
    """
    schema = t.DataType.fromDDL(columns)
    assert isinstance(schema, t.StructType), "columns have names"
    _check_order(schema, order)
    objects = record_lines(frame).mapInArrow(_objects, _LINES)
    places = [] if order is None else [place_text(*map(f.col, RECORD_PLACE)).alias(order)]
    read = objects.select(_event(schema).alias("event"), *places)
    chosen = [f.col("event").getField(name).alias(name) for name in schema.names]
    return read.select(*chosen, *([] if order is None else [f.col(_quoted(order))]))


def _check_order(schema: t.StructType, order: str | None) -> None:
    if order is not None and order.lower() in {name.lower() for name in schema.names}:
        raise catalogue.ORDER_IS_A_COLUMN(order=order)


def _event(schema: t.StructType) -> Column:
    options = {"mode": "PERMISSIVE", "columnNameOfCorruptRecord": _WRONG}
    wider = t.StructType([*schema.fields, t.StructField(_WRONG, t.StringType())])
    event = f.from_json(f.col("value"), wider, options)
    return f.when(event.getField(_WRONG).isNull(), event).otherwise(_wrong_type(schema))


def _wrong_type(schema: t.StructType) -> Column:
    """Known as an error of the input on the other side."""
    text = marked_text(
        inputs.MALFORMED_ROW(
            problem=f"the record does not have values of the types {schema.simpleString()}",
            remedy="declare the columns as the records have them",
            place=_WRONG,
        )
    )
    form = text.replace("%", "%%").replace(_WRONG, "partition %d, offset %d")
    return f.raise_error(f.format_string(form, *map(f.col, RECORD_PLACE)))


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _check_objects(found: WrittenLines) -> None:
    if exact_columns(found) is None:
        exact_objects(found)


def _objects(batches: Batches) -> Batches:
    """In the workers: Spark would pass over what follows an object, or take a list for one."""
    with marked():
        for batch in batches:
            with written_lines(batch, "") as found:
                _check_objects(found)
            yield batch
