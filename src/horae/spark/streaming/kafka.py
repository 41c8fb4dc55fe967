"""Kafka topics as frames: each record's value is a JSON object, an event.

Spark's connector is not among Spark's own jars, and nothing is downloaded here: the caller
starts Spark with it (docs/kafka.md).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql import types as t

from horae.source.errors import InputError

_URL = re.compile(r"kafka://(?P<servers>[^/\s]+:\d+)/(?P<topic>[A-Za-z0-9._-]+)")
_DIGITS = (10, 19)  # of the greatest partition and of the greatest offset


@dataclass(frozen=True)
class Topic:
    servers: str
    name: str


def read_url(url: str) -> Topic:
    """`kafka://host:port/topic`; several brokers are separated by commas."""
    found = _URL.fullmatch(url)
    if found is None:
        raise InputError(
            "INP070",
            f"`{url}` does not name a topic of Kafka",
            help="write kafka://host:port/topic, several brokers as host:port,host:port",
        )
    return Topic(found["servers"], found["topic"])


def kafka_frame(
    spark: SparkSession, url: str, *, live: bool = True, per_batch: int | None = None
) -> DataFrame:
    """The records of a topic from its beginning, as a stream, or those that are there now.

    `per_batch`: at most so many records in a micro-batch.
    """
    topic = read_url(url)
    options = {"kafka.bootstrap.servers": topic.servers, "subscribe": topic.name}
    options["startingOffsets"] = "earliest"
    if per_batch is not None and live:
        options["maxOffsetsPerTrigger"] = str(per_batch)
    reader = spark.readStream if live else spark.read
    try:
        return reader.format("kafka").options(**options).load()
    except AnalysisException as error:
        if "Failed to find data source" in str(error) or "DATA_SOURCE_NOT_FOUND" in str(error):
            raise _no_connector(spark.version) from error
        raise


def _no_connector(version: str) -> InputError:
    package = f"org.apache.spark:spark-sql-kafka-0-10_2.13:{version}"
    return InputError(
        "ENV011",
        "Spark was started without its connector for Kafka",
        help=f"start it with `spark-submit --packages {package}`, or with its jars in `--jars`",
    )


def kafka_rows(frame: DataFrame, columns: str, *, order: str | None = "order") -> DataFrame:
    """The events in records, with the columns that `columns` declares: "time long, id string".

    A value that is not such an object fails the run; a key that is missing is null, other keys are
    passed over. `order` names a further column, the place of a record in its topic, for the option
    `order` of a program; None where a language has none.
    """
    schema = t.DataType.fromDDL(columns)
    assert isinstance(schema, t.StructType), "columns have names"
    _check_order(schema, order)
    event = f.from_json(_object(), schema, {"mode": "FAILFAST"}).alias("event")
    places = [] if order is None else [record_place().alias(order)]
    read = frame.select(event, *places)
    chosen = [f.col("event").getField(name).alias(name) for name in schema.names]
    return read.select(*chosen, *([] if order is None else [f.col(_quoted(order))]))


def _check_order(schema: t.StructType, order: str | None) -> None:
    if order is not None and order.lower() in {name.lower() for name in schema.names}:
        raise InputError(
            "INP071",
            f"the column `{order}` would be both of the events and the place of a record",
            help="name the place otherwise: `order=...`",
        )


def _object() -> Column:
    """A value as text. Spark would take an empty one, or a list of one object, for an object."""
    text = f.col("value").cast("string")
    wrong = f.concat(
        f.lit("a record is not a JSON object: partition "),
        f.col("partition").cast("string"),
        f.lit(", offset "),
        f.col("offset").cast("string"),
    )
    return f.when(text.rlike(r"^\s*\{"), text).otherwise(f.raise_error(wrong))


def record_place() -> Column:
    """Partition, then offset, as text that sorts as the numbers do."""
    names = ("partition", "offset")
    padded = [
        f.lpad(f.col(name).cast("string"), digits, "0")
        for name, digits in zip(names, _DIGITS, strict=True)
    ]
    return f.concat_ws(":", *padded)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
