"""`horae run`: tables and named sources of Spark as input; wrong usage is seen before anything runs."""

from __future__ import annotations

import json

import pytest

from horae.cli.main import main

SPEC = "input int a\noutput int b := a + 1\n"


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.lola").write_text(SPEC)
    (tmp_path / "e.csv").write_text("time,a\n1,2\n")
    return tmp_path


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("", "Missing option '--input'."),
        ("--input table:db.events --engine local", "leave --engine local out"),
        ("--input e=table:events --engine local", "leave --engine local out"),
        ("--input e=table:events", "write `table:events`, not `e=table:events`"),
        ("--input e=hdfs://host/events", "write `hdfs://host/events`"),
        ("--input e.csv --input-format avro --engine local", "--input-format is for Spark"),
        ("--input e.csv --input-option a=b", "it needs --input-format"),
        ("--input e.csv --input-format csv --input-option a", "write KEY=VALUE, not `a`"),
    ],
)
def test_wrong_usage(options, words, capsys):
    assert main(["run", "m.lola", *options.split()]) == 2
    assert words in " ".join(capsys.readouterr().err.split())


@pytest.mark.long
def test_a_stream_of_a_source(spark, folder, capsys):
    spark.range(3).selectExpr("id AS time", "id * 10 AS a").write.saveAsTable(
        "streamed", path=str(folder / "made")
    )
    try:
        options = ["--stream", "--finish", "--checkpoint", "state"]
        assert main(["run", "m.lola", "--input", "table:streamed", *options]) == 0
    finally:
        spark.sql("DROP TABLE streamed")
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["value"] for row in rows] == [1, 11, 21]


def test_a_source_of_spark(spark, folder, capsys):
    spark.range(3).selectExpr("id AS time", "id * 10 AS a").write.json(str(folder / "made"))
    assert main(["run", "m.lola", "--input", "made", "--input-format", "json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["value"] for row in rows] == [1, 11, 21]
