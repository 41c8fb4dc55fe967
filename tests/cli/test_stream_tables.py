"""`--stream --format parquet`: answers as typed tables that Spark's workers write."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyarrow import parquet

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


def stream(*options: str) -> int:
    common = ["--stream", "--checkpoint", "state", "--output", "out", "--format", "parquet"]
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


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--format", "parquet"], "--format parquet writes a table per output: it needs --output."),
        (["--output", "table:t"], "--output table:t is for runs over what is there."),
        (["--output", "hdfs://h:1/out"], "name their --format, such as parquet."),
        (["--output", "out", "--overwrite"], "--overwrite is for runs over what is there"),
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], options: list[str], problem: str):
    arrive("a.csv", "1,7\n")
    assert main(["run", "m.lola", "--input", "events", "--stream", *options]) == 2
    assert problem in " ".join(capsys.readouterr().err.split())
