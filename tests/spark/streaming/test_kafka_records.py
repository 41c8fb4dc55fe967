"""Records of a topic, without a broker: a frame that is not a stream has the same columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

import horae
from horae.cli.main import main
from horae.data.fact_tables import lay_out
from horae.data.layout import RECORD_PLACE
from horae.data.row_layout import RowLayout
from horae.data.rows_of_inputs import lay_out_input as lay_out_rows
from horae.engine.run import Form, InputTable
from horae.languages.rtlola.options import RTLolaOptions
from horae.languages.rtlola.run import RTLolaRun
from horae.source.errors import InputError
from horae.spark.fact_frames import JsonFacts
from horae.spark.failures import MarkedError, recognise, unmarked
from horae.spark.kafka import Topic, kafka_frame, kafka_rows, read_url
from horae.spark.records import RECORD_ORDER
from horae.spark.row_door import JsonRows
from horae.spark.table_door import ReadTable

Worker = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]
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


_GOOD = '{"time": 1, "a": 1}'
_BAD: list[tuple[str | None, str]] = [
    (None, "no value"),
    ("", "no value"),
    ('{"time": 1', "not JSON"),
    ('{"time": 1}{"time": 2}', "not JSON"),
    ('{"time": 1}\n{"time": 2}', "not JSON"),
    ('[{"time": 1}]', "not a JSON object"),
    ("7", "not a JSON object"),
]


def _doors() -> dict[str, Worker]:
    """Of each language."""
    table = replace(lay_out("p", ["a", "time"], {"p": 1}), order=RECORD_ORDER)
    (item,) = horae.compile(_SPECS["cql"], language="cql").checked.inputs[:1]
    rows = lay_out_rows(item, ["a", "time", RECORD_ORDER], order=RECORD_ORDER)
    run = RTLolaRun(horae.compile(_SPECS["lola"]).checked, RTLolaOptions())
    return {
        "rtlola": ReadTable(run.door(InputTable(None, "topic", (), Form.LINES)), run.records),
        "rules": JsonFacts(table, "topic"),
        "cql": JsonRows(rows, RowLayout((item,)), "topic"),
    }


def _opened(name: str, records: Sequence[tuple[str | None, int, int]]) -> pa.Table:
    door = _doors()[name]
    values, partitions, offsets = (list(column) for column in zip(*records, strict=True))
    columns = [pa.array(values, pa.string()), pa.array(partitions), pa.array(offsets)]
    batch = pa.record_batch(columns, ["value", *RECORD_PLACE])
    return pa.Table.from_batches(door(iter([batch])))


def test_keys_of_queries_are_found_by_their_names():
    found = _opened(
        "cql", [('{"more": 7, "time": 1, "A": 2}', 0, 1), ('{"a": 3, "time": 1}', 0, 2)]
    )
    assert found.column("int0").to_pylist() == [2, 3]


@pytest.mark.parametrize("name", ["rtlola", "rules", "cql"])
@pytest.mark.parametrize(("value", "problem"), _BAD)
def test_a_bad_record_is_named_by_its_place(name: str, value: str | None, problem: str):
    with pytest.raises(MarkedError) as found:
        _opened(name, [(_GOOD, 0, 1), (value, 3, 14), (_GOOD, 3, 15)])
    error = recognise(str(found.value))
    assert error is not None
    assert (error.code, error.place) == ("INP017", "topic, partition 3, offset 14")
    assert problem in error.message


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rtlola", '{"time": 1, "a": "many"}'),
        ("rtlola", '{"a": 1}'),
        ("rules", '{"time": "soon", "a": 1}'),
        ("rules", '{"time": 1}'),
        ("rules", '{"time": 1, "a": 1, "b": 2}'),
        ("cql", '{"time": 1, "a": 1.5}'),
        ("cql", '{"time": 1, "b": 1}'),
    ],
)
def test_values_that_do_not_fit_the_program(name: str, value: str):
    with pytest.raises(MarkedError) as found:
        _opened(name, [(_GOOD, 0, 1), (value, 1, 2)])
    error = recognise(str(found.value))
    assert error is not None
    assert error.place == "topic, partition 1, offset 2"


def test_an_object_may_have_several_lines():
    for name in _doors():
        found = _opened(name, [('{"time": 1,\n "a": 7}', 2, 5), (_GOOD, 1, 10)])
        assert found.num_rows == 2


def test_facts_and_rows_are_in_the_order_of_their_records():
    records = [(_GOOD, 0, 9), (_GOOD, 0, 10), (_GOOD, 2, 0), (_GOOD, 10, 0)]
    for name in ("rules", "cql"):
        orders = list(map(str, _opened(name, records).column("order").to_pylist()))
        assert orders == sorted(set(orders))


def test_bad_records_on_spark(spark: SparkSession):
    """Text that is no text is found before the doors, and values of another type after them."""
    records = _records(spark, [(_GOOD, 0, 1), (b'{"time": 1, "a": "\xff"}', 0, 2)])
    with pytest.raises(InputError, match="not UTF-8") as found, unmarked():
        kafka_rows(records, "time long").collect()
    assert (found.value.code, found.value.place) == ("INP017", "partition 0, offset 2")
    records = _records(spark, [(_GOOD, 0, 1), ('{"time": 2, "a": "many"}', 0, 2)])
    with pytest.raises(InputError, match="types struct") as found, unmarked():
        kafka_rows(records, "time long, a long").collect()
    assert (found.value.code, found.value.place) == ("INP017", "partition 0, offset 2")


def test_the_place_orders_events_of_equal_times(spark: SparkSession):
    """The difference to the event before shows the order."""
    program = horae.compile("input int x\noutput int step\n  := x - x[-1, 0]")
    places = [(0, 2), (1, 0), (0, 10), (0, 9)]
    values = [(f'{{"time": 4, "x": {10 * p + o}}}', p, o) for p, o in places]
    rows = kafka_rows(_records(spark, values).repartition(3), "time long, x long")
    answers = program.answers(rows, "step", order="order", shards=2).collect()
    assert [row.value for row in answers] == [2, 7, 1, 0]


_TOPIC = "kafka://127.0.0.1:9/beats"


@pytest.mark.parametrize(
    ("language", "inputs", "code"),
    [
        ("lola", [_TOPIC], "ENV011"),
        ("lola", ["kafka://127.0.0.1/beats"], "INP070"),
        ("lola", [f"{_TOPIC}?colums=a"], "INP070"),
        ("lola", [f"{_TOPIC}?columns=a"], "INP074"),
        ("lars", [f"p={_TOPIC}?columns=a"], "ENV011"),
        ("lars", [_TOPIC], "INP030"),
        ("lars", [f"q={_TOPIC}?columns=a"], "INP020"),
        ("cql", [f"p={_TOPIC}"], "ENV011"),
        ("cql", [f"r={_TOPIC}"], "INP073"),
    ],
)
def test_topics_that_the_command_line_cannot_read(
    spark: SparkSession,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    language: str,
    inputs: list[str],
    code: str,
):
    spec = tmp_path / f"spec.{language}"
    spec.write_text(_SPECS[language])
    words = [word for text in inputs for word in ("--input", text)]
    for live in ([], ["--stream"]):
        assert main(["run", str(spec), *words, *live]) == 3
        assert f"error[{code}]" in capsys.readouterr().err


_SPECS = {
    "lola": "input int a\noutput int b := a\n",
    "lars": "far(X) :- win[3] <> p(X).\n",
    "cql": "REGISTER STREAM p(a int);\nREGISTER RELATION r(a int);\nSELECT a FROM p [NOW];\n",
}
