"""Rows on Spark are those of one process, from every kind of file and from DataFrames."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.case_folders import Case, cases

import horae
from horae.data.input_files import RowTables
from horae.data.schema import RegisteredInput
from horae.languages.cql.check.check import load
from horae.source.errors import InputError
from horae.source.text import Source
from horae.spark.failures import unmarked
from horae.spark.piped import Piped
from horae.spark.row_door import RowDoor

pytestmark = pytest.mark.spark

TEXT = """REGISTER STREAM Seen(i int, d double, t string, b bool);
REGISTER RELATION r(t string);
SELECT r.t FROM seen [NOW], r WHERE seen.t = r.t;
"""


def registered() -> dict[str, RegisteredInput]:
    program, _ = load(Source("spec.cql", TEXT))
    assert program is not None
    return {item.name.lower(): item for item in program.inputs}


Found = dict[str, list[tuple[object, ...]]]


def listed(rows: dict[str, pa.Table]) -> Found:
    return {
        name: sorted((tuple(row.values()) for row in table.to_pylist()), key=str)
        for name, table in rows.items()
    }


def collected(door: RowDoor, parts: list[Piped]) -> Found:
    """The rows of each name."""
    schema = door.reads.layout.schema
    with unmarked():
        found = [part.rows.toArrow().cast(schema) for part in parts]
    return listed(door.reads.layout.unpack(pa.concat_tables([schema.empty_table(), *found])))


def of_frames(frames: dict[str, Any]) -> Found:
    door = RowDoor(RowTables(registered()))
    return collected(door, door.frames(frames))


def write_files(folder: Path) -> list[str]:
    (folder / "a.csv").write_text('i,d,t,b,time,seq\n7,0.5,"x, ""y""",true,3,2\n-1,1/4,7,0,4,\n')
    (folder / "a.jsonl").write_text(
        '{"i": 7, "d": 0.1, "t": "ä", "b": true, "time": 5}\n\n'
        '{"time": "6", "i": 8.0, "d": 2, "t": "", "b": "false", "seq": "z"}\n'
    )
    table = {"i": [1, 2], "d": [1.5, -0.0], "t": ["u", "v"], "b": [True, False]}
    pq.write_table(pa.table({**table, "time": [7, 8], "seq": [0, 1]}), folder / "a.parquet")
    (folder / "a.facts").write_text('SEEN(7,1/2,"x y",true)@9\nr(x)\nother(1,2)@5\nr("7").\n')
    tables = [f"seen={folder / name}" for name in ("a.csv", "a.jsonl", "a.parquet")]
    return [*tables, str(folder / "a.facts")]


def test_files_of_all_kinds(spark, tmp_path: Path):
    paths, door = write_files(tmp_path), RowDoor(RowTables(registered(), order="seq"))
    expected = listed(door.reads.read_files(paths))
    assert collected(door, door.files(spark, paths)) == expected
    assert [len(rows) for rows in expected.values()] == [7, 2]


def write_shuffled(folder: Path) -> list[str]:
    """Two rows in each, with columns in any order and case, and with some that are not read."""
    (folder / "a.csv").write_text(
        "time,T,more,b,seq,D,i\n3,x,7,true,1,1.5,1\n4,y,7,false,2,2.5,2\n"
    )
    (folder / "a.jsonl").write_text(
        '{"more": [], "T": "x", "b": true, "time": 3, "d": 1.5, "I": 1, "seq": 1}\n'
        '{"i": 2, "t": "y", "seq": 2, "B": false, "Time": 4, "d": 2.5, "another": null}\n'
    )
    table = {"T": ["x", "y"], "time": [3, 4], "more": [7, 7], "b": [True, False]}
    pq.write_table(
        pa.table({**table, "seq": [1, 2], "d": [1.5, 2.5], "I": [1, 2]}), folder / "a.parquet"
    )
    (folder / "b.csv").write_text(
        "time,text,seq,flag,i,whole,d\n3,x,1,true,9,1,1.5\n4,y,2,false,9,2,2.5\n"
    )
    tables = [f"seen={folder / name}" for name in ("a.csv", "a.jsonl", "a.parquet")]
    return [*tables, f"seen(whole, D, text, flag)={folder / 'b.csv'}"]


SHUFFLED = [(1, 1.5, "x", True, 3), (2, 2.5, "y", False, 4)]


def test_columns_are_found_by_their_names(spark, tmp_path: Path):
    door = RowDoor(RowTables(registered(), order="seq"))
    for path in write_shuffled(tmp_path):
        local = door.reads.read_files([path])["Seen"].drop_columns("order")
        assert [tuple(row.values()) for row in local.to_pylist()] == SHUFFLED, path
        found = collected(door, door.files(spark, [path]))["Seen"]
        assert [row[:-1] for row in found] == SHUFFLED, path


def test_columns_of_frames_are_found_by_their_names(spark):
    rows = [(t, 7, time, b, d, i) for i, d, t, b, time in SHUFFLED]
    frame = spark.createDataFrame(rows, "T string, more int, Time int, b boolean, d double, I int")
    found = of_frames({"seen": frame})["Seen"]
    assert [row[:-1] for row in found] == SHUFFLED


def test_without_data_there_are_no_rows(spark):
    program = horae.compile(TEXT, language="cql")
    assert program.run_files([], master="local[2]", shards=2) == []
    assert program.run_files([], engine="local") == []


def test_frames_with_and_without_fitting_types(spark):
    noon = datetime(2024, 5, 1, 12, tzinfo=UTC)
    fitting = spark.createDataFrame(
        [(7, 0.5, "x", True, noon)], "i int, d float, t string, b boolean, time timestamp"
    )
    others = spark.createDataFrame(
        [(Decimal("7.00"), 3, "x", 1, "4")], "i decimal(5,2), d int, t string, b int, time string"
    )
    found = of_frames({"SEEN": fitting, "seen": others})
    assert found == {
        "Seen": [(7, 0.5, "x", True, 1714564800, None), (7, 3.0, "x", True, 4, None)],
        "r": [],
    }


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ((None, 0.5, "x", True, 3), "INP046"),
        ((7, float("nan"), "x", True, 3), "INP047"),
        ((7, 0.5, "x", True, -3), "INP048"),
        ((7, 0.5, "x", True, None), "INP046"),
    ],
)
def test_rows_of_frames_that_do_not_fit(spark, row, code):
    frame = spark.createDataFrame([row], "i int, d double, t string, b boolean, time int")
    with pytest.raises(InputError, match=code):
        of_frames({"seen": frame})


@pytest.mark.parametrize(
    ("name", "text", "code", "place"),
    [
        ("a.csv", "i,d,t,b,time\n1,1,x,1,3\n1,1,,1,4\n", "INP046", "a.csv"),
        ("a.csv", 'i,d,t,b,time\n1,1,"",1,4\n', "INP046", "a.csv"),
        ("a.jsonl", '{"i": 1, "d": 1, "t": "x", "b": true, "time": 1.5}\n', "INP048", "a.jsonl"),
        ("a.csv", "i,d,T,time\n1,1,x,3\n", "INP120", "a.csv"),
        ("a.jsonl", '{"i": 1, "d": 1, "t": "x", "time": 1}\n', "INP120", "a.jsonl"),
        (
            "a.jsonl",
            '{"i": 1, "D": 1, "T": "x", "b": 1, "time": 1}\n{"time": 2}',
            "INP046",
            "a.jsonl",
        ),
        ("a.facts", "r(x)\nr(x,y)\n", "INP043", "a.facts:2:1"),
        ("a.facts", "r(x)\nseen(1,1,x,true)\n", "INP044", "a.facts:2:1"),
    ],
)
def test_files_that_do_not_fit(spark, tmp_path: Path, name, text, code, place):
    """The place is as exact as in process."""
    (tmp_path / name).write_text(text)
    path = str(tmp_path / name) if name.endswith(".facts") else f"seen={tmp_path / name}"
    program = horae.compile(TEXT, language="cql")
    for engine in ("local", "spark"):
        with pytest.raises(InputError) as caught:
            program.run_files([path], engine=engine, master="local[2]", shards=2)
        assert caught.value.code == code
        assert Path(caught.value.place).name == place


@pytest.mark.parametrize(
    ("at", "times"),
    [("events", [3, 7]), ("all", [3, 4, 5, 6, 7]), ("every 5", [5]), ("9,8", [8, 9])],
)
def test_evaluation_times(spark, at, times):
    """A relation is the same at all of them."""
    text = (
        "REGISTER STREAM s(x string); REGISTER STREAM u(x string); REGISTER RELATION r(x string);"
    )
    program = horae.compile(f"{text} SELECT x FROM r;", language="cql")
    rows = spark.createDataFrame([("x", 3), ("y", 7), ("x", 7)], "x string, time bigint")
    relation = spark.createDataFrame([("x",)], "x string")
    found = program.answers({"s": rows, "u": rows.limit(0), "r": relation}, at=at)
    assert sorted(row.time for row in found.collect()) == times
    nothing = times if at == "9,8" else []
    found = program.answers({"u": rows.limit(0), "r": relation}, at=at)
    assert sorted(row.time for row in found.collect()) == nothing


@pytest.mark.parametrize("engine", ["local", "spark"])
def test_an_order_column_tells_ties_apart(spark, tmp_path: Path, engine):
    """Without it, `b` is the newer one; 10 is more than 9, and text comes after numbers."""
    (tmp_path / "p.csv").write_text("x,time,seq\nb,3,9\na,3,10\nd,4,7\nc,4,late\n")
    text = "REGISTER STREAM p(x string); SELECT x FROM p [ROWS 1];"
    found = horae.compile(text, language="cql").run_files(
        [f"p={tmp_path / 'p.csv'}"], engine=engine, order="seq", master="local[2]", shards=2
    )
    assert [(answer["time"], answer["row"]) for answer in found] == [(3, ["a"]), (4, ["c"])]


WHOLE = [
    case for case in cases("cql") if case.name in ("rows_with_equal_times", "dstream", "bools")
]


@pytest.mark.parametrize("case", WHOLE, ids=lambda case: case.name)
def test_worked_example_from_a_file(spark, tmp_path: Path, case: Case):
    path = tmp_path / "input.facts"
    path.write_text(case.facts, encoding="utf-8")
    program = horae.compile(case.source.text, language="cql")
    found = program.run_files([str(path)], master="local[2]", shards=2, **case.options)
    assert found == case.expected
