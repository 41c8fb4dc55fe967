"""Records of a topic, without a broker: a frame that is not a stream has the same columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from pyspark.sql import DataFrame, SparkSession

import horae
from horae.inputs.fact_tables import lay_out
from horae.inputs.layout import Layout
from horae.languages.rtlola.types import Type
from horae.source.errors import InputError
from horae.spark.datalogmtl.columns import FACTS
from horae.spark.datalogmtl.door import JsonFacts
from horae.spark.failures import unmarked
from horae.spark.records import RECORD_ORDER, record_lines
from horae.spark.rtlola.door import LINE, open_door
from horae.spark.streaming.kafka import Topic, kafka_frame, kafka_rows, read_url

Record = tuple[bytes | str | None, int, int]
_SCHEMA = "key binary, value binary, topic string, partition int, offset long, timestamp timestamp"


def _records(spark: SparkSession, records: Sequence[Record]) -> DataFrame:
    """As Spark's connector gives them: value, partition, offset."""
    written = [(v.encode() if isinstance(v, str) else v, p, o) for v, p, o in records]
    return spark.createDataFrame([(None, v, "beats", p, o, None) for v, p, o in written], _SCHEMA)


@pytest.mark.parametrize(
    ("url", "topic"),
    [
        ("kafka://broker:9092/events", Topic("broker:9092", "events")),
        ("kafka://a:1,b:2/my.topic-1_x", Topic("a:1,b:2", "my.topic-1_x")),
        ("kafka://[::1]:9092/t", Topic("[::1]:9092", "t")),
        ("kafka://a:1/t?columns=id,x", Topic("a:1", "t", ("id", "x"))),
    ],
)
def test_urls(url: str, topic: Topic):
    assert read_url(url) == topic


@pytest.mark.parametrize(
    "url",
    [
        "kafka://broker/events",
        "kafka://broker:9092",
        "kafka://broker:9092/",
        "kafka://broker:9092/a/b",
        "kafka://:/t",
        "kafka://a:1/t?columns=",
        "kafka://a:1/t?partition=3",
        "kafka://a:1/two topics",
        "http://a:1/t",
    ],
)
def test_what_is_no_url_of_a_topic(url: str):
    with pytest.raises(InputError, match=r"INP070: .* does not name a topic"):
        read_url(url)


@pytest.mark.parametrize("live", [True, False])
def test_spark_without_its_connector(spark: SparkSession, live: bool):
    with pytest.raises(InputError, match="ENV011") as found:
        kafka_frame(spark, "kafka://127.0.0.1:9/t", live=live)
    assert f"spark-sql-kafka-0-10_2.13:{spark.version}" in found.value.help


def test_rows_have_the_declared_columns_and_their_place(spark: SparkSession):
    records = _records(
        spark,
        [
            ('{"time": 1, "id": "a", "x": 1.5}', 0, 9),
            ('{"id": "b",\n "time": 2, "other": [1]}', 0, 10),
            ('{"time": 3, "x": 2}', 12, 3),
        ],
    )
    rows = kafka_rows(records, "time long, id string, x double").collect()
    assert [tuple(row)[:3] for row in rows] == [(1, "a", 1.5), (2, "b", None), (3, None, 2.0)]
    assert [row.order for row in rows] == sorted(row.order for row in rows)
    assert "order" not in kafka_rows(records, "time long", order=None).columns


def test_the_place_needs_a_name_of_its_own(spark: SparkSession):
    records = _records(spark, [])
    with pytest.raises(InputError, match="INP071"):
        kafka_rows(records, "time long, Order long")
    assert kafka_rows(records, "time long, Order long", order="at").columns[-1] == "at"


_BAD: list[tuple[bytes | str | None, str]] = [
    (None, "no value"),
    (b"", "no value"),
    (b'{"time": 1, "a": "\xff"}', "not UTF-8"),
    ('{"time": 1', "not JSON"),
    ('{"time": 1}{"time": 2}', "not JSON"),
    ('{"time": 1}\n{"time": 2}', "not JSON"),
    ('[{"time": 1}]', "not a JSON object"),
    ("7", "not a JSON object"),
]


@pytest.mark.parametrize(("value", "problem"), _BAD)
def test_a_bad_record_is_named_by_its_place(
    spark: SparkSession, value: bytes | str | None, problem: str
):
    good = '{"time": 1, "a": 1}'
    records = _records(spark, [(good, 0, 1), (value, 3, 14), (good, 3, 15)]).coalesce(1)
    with pytest.raises(InputError, match=problem) as found, unmarked():
        kafka_rows(records, "time long").collect()
    assert (found.value.code, found.value.place) == ("INP017", "partition 3, offset 14")
    with pytest.raises(InputError, match=problem) as found, unmarked():
        _events(records).collect()
    assert (found.value.code, found.value.place) == ("INP017", "topic, partition 3, offset 14")
    with pytest.raises(InputError, match=problem) as found, unmarked():
        _facts(records).collect()
    assert (found.value.code, found.value.place) == ("INP017", "topic, partition 3, offset 14")


def _events(records: DataFrame) -> DataFrame:
    layout = Layout((("a", Type.INT),))
    return open_door(record_lines(records, LINE), layout, "topic").frame


def _facts(records: DataFrame) -> DataFrame:
    table = replace(lay_out("p", ["a", "time"], {"p": 1}), order=RECORD_ORDER)
    return record_lines(records).mapInArrow(JsonFacts(table, "topic"), FACTS)


def test_a_value_of_another_type(spark: SparkSession):
    good, wrong = '{"time": 1, "a": 1}', '{"time": 2, "a": "many"}'
    records = _records(spark, [(good, 0, 1), (wrong, 0, 2)]).coalesce(1)
    with pytest.raises(InputError, match="types struct") as found, unmarked():
        kafka_rows(records, "time long, a long").collect()
    assert (found.value.code, found.value.place) == ("INP017", "partition 0, offset 2")
    with pytest.raises(InputError, match="many") as found, unmarked():
        _events(records).collect()
    assert found.value.place == "topic, partition 0, offset 2"


def test_events_keep_the_places_of_their_records(spark: SparkSession):
    records = _records(spark, [('{"time": 1, "a": 7}', 2, 5), ('{\n"time": 1}', 1, 6)])
    found = _events(records).collect()
    assert [tuple(row) for row in found] == [(10**6, 7, 2, 5), (10**6, None, 1, 6)]


def test_the_place_orders_events_of_equal_times(spark: SparkSession):
    """The difference to the event before shows the order."""
    program = horae.compile("input int x\noutput int step\n  := x - x[-1, 0]")
    places = [(0, 2), (1, 0), (0, 10), (0, 9)]
    values = [(f'{{"time": 4, "x": {10 * p + o}}}', p, o) for p, o in places]
    rows = kafka_rows(_records(spark, values).repartition(3), "time long, x long")
    answers = program.answers(rows, order="order", shards=2).orderBy("position").collect()
    assert [row.value for row in answers] == ["2", "7", "1", "0"]
