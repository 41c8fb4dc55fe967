"""Typed tables that the workers of Spark write, and sorted answers in parts."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession

import horae
from horae.data.targets import CatalogTable, Directory
from horae.engine import merging
from horae.source.errors import InputError

SHOP = """input int id
output int seen<int i>
    invoke: id
    extend: id = i
    := seen(i)[-1, 0] + 1
output int last := id
trigger any(seen > 1) "again"
"""
SEEN = {(1, 7, 1), (2, 8, 1), (3, 7, 2)}


@pytest.fixture
def events(tmp_path: Path) -> str:
    table = pa.table({"time": pa.array([1, 2, 3], pa.timestamp("us", "UTC")), "id": [7, 8, 7]})
    parquet.write_table(table, tmp_path / "events.parquet")
    return str(tmp_path / "events.parquet")


@pytest.mark.parametrize(
    "format",
    ["jsonl", *(pytest.param(f, marks=pytest.mark.long) for f in ("csv", "orc", "parquet"))],
)
def test_a_table_per_output(spark: SparkSession, events: str, tmp_path: Path, format: str):
    program = horae.compile(SHOP)
    target = Directory(str(tmp_path / "out"), format)
    written = program.write([events], target)
    assert (written.rows, written.answers) == (3, {"seen": 3, "last": 3, "trigger": 1})
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["last", "seen", "trigger"]
    reader = spark.read.format(target.spark_format).option("header", True)
    found = reader.schema("time timestamp, i bigint, value bigint").load(f"{target.path}/seen")
    microseconds = "unix_micros(time) AS time"
    assert {tuple(row) for row in found.selectExpr(microseconds, "i", "value").collect()} == SEEN


def test_the_schema_is_known_before(spark: SparkSession, events: str, tmp_path: Path):
    program = horae.compile(SHOP)
    program.write([events], Directory(str(tmp_path / "out"), "parquet"))
    frame = spark.read.parquet(events)
    for name in ("seen", "last", "trigger"):
        read = parquet.read_table(tmp_path / "out" / name).schema
        known = program.schema(name, frame)
        assert read.names == known.names
        assert (
            spark.read.parquet(f"{tmp_path}/out/{name}").schema
            == program.answers(frame, name).schema
        )


@pytest.mark.long
def test_one_output_is_derived_straight_into_its_table(
    spark: SparkSession, events: str, tmp_path: Path
):
    written = horae.compile(SHOP).write(
        [events], Directory(str(tmp_path / "out"), "parquet"), only="last"
    )
    assert written.answers == {"last": 3}


def test_what_is_there_is_kept_unless_it_shall_go(spark: SparkSession, events: str, tmp_path: Path):
    program, target = horae.compile(SHOP), Directory(str(tmp_path / "out"), "parquet")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="ENV040"):
        program.write([events], target)
    assert (tmp_path / "out" / "mine.txt").read_text() == "mine"
    program.write([events], target, overwrite=True)
    assert not (tmp_path / "out" / "mine.txt").exists()
    assert len(parquet.read_table(tmp_path / "out" / "seen")) == 3


def test_a_run_that_fails_leaves_nothing(spark: SparkSession, events: str, tmp_path: Path):
    program = horae.compile("input int id\noutput int a := 1 / (id - 8)\noutput int b := id")
    with pytest.raises(InputError, match="RUN001"):
        program.write([events], Directory(str(tmp_path / "out"), "parquet"))
    assert [path.name for path in tmp_path.iterdir()] == ["events.parquet"]


def test_a_format_that_spark_does_not_have(spark: SparkSession, events: str, tmp_path: Path):
    with pytest.raises(InputError, match="ENV043"):
        horae.compile(SHOP).write([events], Directory(str(tmp_path / "out"), "papyrus"))


def test_a_table_of_the_catalog(spark: SparkSession, events: str):
    program, target = horae.compile(SHOP), CatalogTable("horae_shop")
    names = ("horae_shop_seen", "horae_shop_last", "horae_shop_trigger")
    try:
        assert program.write([events], target).place == ", ".join(names)
        assert spark.table("horae_shop_seen").count() == 3
        with pytest.raises(InputError, match="ENV042"):
            program.write([events], target)
        assert program.write([events], target, overwrite=True).answers["trigger"] == 1
    finally:
        for name in names:
            spark.sql(f"DROP TABLE IF EXISTS {name}")


@pytest.mark.parametrize("at", [pytest.param(None, marks=pytest.mark.long), "every 1/2"])
def test_parts_of_answers_are_those_of_one_process(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str | None
):
    monkeypatch.setattr(merging, "_IN_MEMORY", 0)
    (tmp_path / "a.facts").write_text("".join(f"a({n % 7})@{n * 37 % 50}\n" for n in range(60)))
    program = horae.compile("b(X) :- Diamondminus[0,1/2] a(X).", language="datalogmtl")
    inputs = [str(tmp_path / "a.facts")]
    expected = list(program.run_files(inputs, engine="local", at=at))
    parts = list(program.run_parts(inputs, shards=3, at=at))
    assert [answer for part in parts for answer in part] == expected
