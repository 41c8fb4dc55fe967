"""Tables of the catalog and sources that Spark knows by name, through every door."""

from __future__ import annotations

import re
from typing import Any

import pytest

import horae
from horae.source.errors import InputError

SPARK: dict[str, Any] = {"engine": "spark", "master": "local[2]", "shards": 2}
EVENTS = "input double x\noutput double y := x + 1.0\n"
RULE = "q(X) :- Diamondminus[0,5] p(X).\n"
QUERY = "REGISTER STREAM p(s string, n int); SELECT s, n FROM p [RANGE 5];\n"


@pytest.fixture
def warehouse(spark, tmp_path):
    """A database with tables of its own, in a directory of its own."""
    spark.sql(f"CREATE DATABASE shop LOCATION '{tmp_path.as_uri()}'")
    events = [("2024-05-01T12:00:00Z", 1.5), ("2024-05-01T12:00:01.25Z", 2.5)]
    frame = spark.createDataFrame(events, "at string, x double")
    frame.selectExpr("to_timestamp(at) AS time", "x").write.saveAsTable("shop.events")
    facts = spark.createDataFrame([("a", 1, 1), ("b", 2, 3)], "s string, n int, time bigint")
    facts.write.saveAsTable("shop.rows")
    facts.selectExpr("s", "time").write.saveAsTable("shop.facts")
    yield tmp_path
    spark.sql("DROP DATABASE shop CASCADE")


def answers(text: str, language: str, inputs: list[str], **options: Any) -> list[Any]:
    return list(horae.compile(text, language).run_files(inputs, **(SPARK | options)))


def test_events_of_a_table(warehouse):
    found = answers(EVENTS, "rtlola", ["table:shop.events"])
    file = warehouse / "same.csv"
    file.write_text("time,x\n2024-05-01T12:00:00Z,1.5\n2024-05-01T12:00:01.25Z,2.5\n")
    assert found == answers(EVENTS, "rtlola", [str(file)], engine="local", master=None)


def test_facts_of_a_table(warehouse):
    (warehouse / "same.facts").write_text("p(a)@1\np(b)@3\n")
    expected = answers(RULE, "datalogmtl", [str(warehouse / "same.facts")], engine="local")
    assert answers(RULE, "datalogmtl", ["p=table:shop.facts"]) == expected


def test_rows_of_a_table(warehouse):
    (warehouse / "same.csv").write_text("s,n,time\na,1,1\nb,2,3\n")
    expected = answers(QUERY, "cql", [f"p={warehouse / 'same.csv'}"], engine="local", at="all")
    assert answers(QUERY, "cql", ["p=table:shop.rows"], at="all") == expected


def test_a_table_beside_a_file(warehouse):
    (warehouse / "more.facts").write_text("p(c)@9\n")
    (warehouse / "all.facts").write_text("p(a)@1\np(b)@3\np(c)@9\n")
    found = answers(RULE, "datalogmtl", ["p=table:shop.facts", str(warehouse / "more.facts")])
    assert found == answers(RULE, "datalogmtl", [str(warehouse / "all.facts")], engine="local")


@pytest.mark.parametrize("form", ["parquet", "orc", "json"])
def test_a_format_of_spark(spark, tmp_path, form):
    frame = spark.createDataFrame([(1, 1.5), (2, 2.5)], "time int, x double")
    frame.write.format(form).save(str(tmp_path / "made"))
    found = answers(EVENTS, "rtlola", [str(tmp_path / "made")], input_format=form)
    assert [answer["value"] for answer in found] == [2.5, 3.5]


def test_options_of_a_format(tmp_path):
    """Facts have a name before the path; files of facts stay what they are."""
    (tmp_path / "a.txt").write_text("s|time\na|1\n")
    (tmp_path / "b.facts").write_text("p(b)@1\n")
    options = {"sep": "|", "header": "true", "inferSchema": "true"}
    inputs = [f"p={tmp_path / 'a.txt'}", str(tmp_path / "b.facts")]
    found = answers(RULE, "datalogmtl", inputs, input_format="csv", input_options=options)
    (tmp_path / "same.facts").write_text("p(a)@1\np(b)@1\n")
    assert found == answers(RULE, "datalogmtl", [str(tmp_path / "same.facts")], engine="local")


@pytest.mark.parametrize(
    ("inputs", "options", "words"),
    [
        (["table:shop.none"], {}, "INP081: .*no table `shop.none`"),
        ([""], {"input_format": "nonsense"}, r"INP082: .*\(nonsense\)"),
        ([""], {"input_format": "jdbc"}, r"INP083: .*url.*\(jdbc\)"),
        (["/none/at/all"], {"input_format": "parquet"}, r"INP083: .*/none/at/all"),
        (["table:shop.rows"], {}, r"INP006: .*`x`.*\(table:shop.rows\)"),
        (["table:shop.events"], {"engine": "local"}, "INP084: .*table"),
        (["x.avro"], {"engine": "local", "input_format": "avro"}, "INP084: "),
    ],
)
def test_what_spark_cannot_read(warehouse, inputs, options, words):
    with pytest.raises(InputError, match=re.compile(words, re.DOTALL)) as raised:
        answers(EVENTS, "rtlola", inputs, **options)
    assert "\n" not in raised.value.message


@pytest.mark.parametrize(("text", "language"), [(RULE, "datalogmtl"), (QUERY, "cql")])
def test_a_table_without_a_name(warehouse, text, language):
    with pytest.raises(InputError, match=r"table:shop\.rows"):
        answers(text, language, ["table:shop.rows"])


def test_a_wrong_value_in_a_table(spark, warehouse):
    spark.createDataFrame([("soon", 1.0)], "time string, x double").write.saveAsTable("shop.bad")
    with pytest.raises(InputError, match=r"INP012: .*table:shop\.bad"):
        answers(EVENTS, "rtlola", ["table:shop.bad"])
