"""Where answers go, by what `--output` and `--format` say."""

from __future__ import annotations

import pytest

from horae.data.targets import CatalogTable, Directory, OneFile, Target, TopicTarget, read_target

CASES: list[tuple[str | None, str | None, Target]] = [
    (None, None, OneFile(None)),
    (None, "csv", OneFile(None, "csv")),
    ("out.jsonl", None, OneFile("out.jsonl")),
    ("a.b/out.CSV", None, OneFile("a.b/out.CSV", "csv")),
    ("out.csv", "jsonl", OneFile("out.csv", "jsonl")),
    ("answers.txt", None, OneFile("answers.txt")),
    ("answers", None, OneFile("answers")),
    ("answers/", None, Directory("answers/", "parquet")),
    ("answers.jsonl/", None, Directory("answers.jsonl/", "parquet")),
    ("answers", "jsonl", Directory("answers", "jsonl")),
    ("answers.v2", "orc", Directory("answers.v2", "orc")),
    ("a.b/answers", "parquet", Directory("a.b/answers", "parquet")),
    ("hdfs://h:1/answers", "csv", Directory("hdfs://h:1/answers", "csv")),
    ("file:///tmp/answers.parquet", None, Directory("file:///tmp/answers.parquet", "parquet")),
    ("table:db.answers", None, CatalogTable("db.answers")),
    ("kafka://h:1/answers", None, TopicTarget("kafka://h:1/answers")),
]


@pytest.mark.parametrize(("output", "format", "expected"), CASES)
def test_where_answers_go(output: str | None, format: str | None, expected: Target):
    assert read_target(output, format) == expected


def test_tables_of_the_catalog():
    assert CatalogTable("db.t").of("q", 1) == "db.t"
    assert CatalogTable("db.t").of("q", 2) == "db.t_q"


def test_lines_of_json_are_json_for_spark():
    assert Directory("d", "jsonl").spark_format == "json"
    assert Directory("d", "delta").spark_format == "delta"
