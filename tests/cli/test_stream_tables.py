"""`--stream --format parquet`: answers as typed tables that Spark's workers write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession

from horae.cli.main import main

SPEC = """input int id
output int seen<int i>
    invoke: id
    extend: id = i
    := seen(i)[-1, 0] + 1
output int last := id
"""

pytestmark = pytest.mark.spark


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("m.lola").write_text(SPEC)
    Path("events").mkdir()
    return tmp_path


def arrive(name: str, *lines: str) -> None:
    Path("events", name).write_text("".join(["time,id\n", *lines]))


def stream(*options: str, output: tuple[str, ...] = ("out", "--format", "parquet")) -> int:
    common = ["--stream", "--checkpoint", "state", "--output", *output]
    return main(["run", "m.lola", "--input", "events", "--shards", "2", *common, *options])


def rows(output: str) -> list[tuple[object, ...]]:
    found = parquet.read_table(Path("out", output), partitioning=None)
    return sorted(tuple(row.values()) for row in found.to_pylist())


def test_tables_of_several_runs(spark: object, capsys: pytest.CaptureFixture[str]):
    arrive("a.csv", "1,7\n", "2,8\n")
    assert stream() == 0
    arrive("b.csv", "3,7\n", "4,7\n")
    assert stream("--finish") == 0
    assert rows("seen") == [(1.0, 7, 1), (2.0, 8, 1), (3.0, 7, 2), (4.0, 7, 3)]
    assert rows("last") == [(1.0, 7), (2.0, 8), (3.0, 7), (4.0, 7)]
    assert capsys.readouterr().out == ""
    names = {path.name.split("-part")[0] for path in Path("out", "seen").iterdir()}
    assert all(name.startswith("batch-") for name in names)
    assert not list(Path("out").glob(".*.draft"))


def test_another_stream_does_not_mix_its_answers(spark: object, capsys: pytest.CaptureFixture[str]):
    arrive("a.csv", "1,7\n")
    Path("out").mkdir()
    Path("out", "mine.txt").write_text("mine")
    assert stream() == 3
    assert "CHK005" in capsys.readouterr().err
    assert [path.name for path in Path("out").iterdir()] == ["mine.txt"]


def test_tables_of_the_catalog(spark: SparkSession, capsys: pytest.CaptureFixture[str]):
    arrive("a.csv", "1,7\n", "2,8\n")
    try:
        assert stream(output=("table:live",)) == 0
        arrive("b.csv", "3,7\n")
        assert stream("--finish", output=("table:live",)) == 0
        found = spark.table("live_seen").collect()
        assert sorted(map(tuple, found)) == [(1.0, 7, 1), (2.0, 8, 1), (3.0, 7, 2)]
        assert spark.table("live_last").columns == ["time", "value"]
        arrive("c.csv", "4,7\n")
        assert (
            main(["run", "m.lola", "--input", "events", "--stream", "--output", "table:live"]) == 3
        )
        assert "ENV042" in capsys.readouterr().err
    finally:
        for name in ("live_seen", "live_last"):
            spark.sql(f"DROP TABLE IF EXISTS {name}")


def test_a_table_that_is_a_view(spark: SparkSession, capsys: pytest.CaptureFixture[str]):
    """The run before has made a checkpoint, so that the table counts as its own."""
    arrive("a.csv", "1,7\n")
    assert stream("--only", "last") == 0
    spark.range(3).createOrReplaceTempView("seen_before")
    try:
        assert stream("--only", "last", output=("table:seen_before",)) == 3
        assert "ENV044" in capsys.readouterr().err
    finally:
        spark.catalog.dropTempView("seen_before")


def test_lines_hold_any_text(spark: object):
    """Separators of lines in strings are none of lines of JSON."""
    Path("m.lola").write_text("input string id\noutput string last := id\n")
    arrive("a.csv", "1,a\u2028b\n", "2,c\x85d\n")
    assert stream("--finish", output=("out",)) == 0
    texts = [file.read_text() for file in sorted(Path("out").glob("batch-*.jsonl"))]
    lines = "".join(texts).removesuffix("\n").split("\n")
    assert [json.loads(line)["value"] for line in lines] == ["a\u2028b", "c\x85d"]


def test_typed_tables_as_text(spark: object):
    arrive("a.csv", "1,7\n")
    assert stream("--finish", output=("out", "--format", "jsonl")) == 0
    (file,) = Path("out", "seen").glob("batch-*")
    assert json.loads(file.read_text()) == {"time": 1.0, "i": 7, "value": 1}


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--format", "parquet"], "--format parquet writes a table per output: it needs --output."),
        (["--output", "table:t", "--format", "csv"], "--format is for files: leave it out."),
        (["--output", "out", "--overwrite"], "--overwrite is for runs over what is there"),
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], options: list[str], problem: str):
    arrive("a.csv", "1,7\n")
    assert main(["run", "m.lola", "--input", "events", "--stream", *options]) == 2
    assert problem in " ".join(capsys.readouterr().err.split())
