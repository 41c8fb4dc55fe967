"""Files through Spark: the same answers and the same errors as without it."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import horae
from horae.source.errors import InputError

pytestmark = pytest.mark.spark

SPEC = """input string pid
input double stars
output double latest<string id>
    invoke: pid
    extend: pid = id
    := stars
output int n := n[-1, 0] + 1
trigger any(latest > 4.0)
"""
ROWS = [
    {"ts": 1.5, "pid": 'é, "x"', "stars": 4.5},
    {"ts": 1.5, "pid": "b", "stars": 1.0},
    {"ts": 3.0, "pid": "b", "stars": 5.0},
    {"ts": 2.25, "pid": "a\nb", "stars": 0.25},
]


def _write(folder, form):
    """The path to give to both engines, with the options that go with it."""
    match form:
        case "csv":
            return [_csv(folder / "e.csv", ROWS)], {}
        case "csv without header":
            path = _csv(folder / "e.csv", ROWS, header=False)
            return [path], {"columns": ["ts", "pid", "stars"]}
        case "jsonl":
            return [_jsonl(folder / "e.jsonl", ROWS)], {}
        case "parquet":
            pq.write_table(pa.Table.from_pylist(ROWS), folder / "e.parquet")
            return [str(folder / "e.parquet")], {}
        case "directory":
            _csv(folder / "1.csv", ROWS[:2])
            _csv(folder / "2.csv", ROWS[2:])
            return [str(folder)], {}
        case "glob":
            _jsonl(folder / "1.jsonl", ROWS[:1])
            _jsonl(folder / "2.jsonl", ROWS[1:])
            return [str(folder / "*.jsonl")], {}
        case _:
            return [_csv(folder / "1.csv", ROWS[:3]), _csv(folder / "2.csv", ROWS[3:])], {}


def _csv(path, rows, header=True):
    lines = ["ts,pid,stars"] if header else []
    for row in rows:
        quoted = row["pid"].replace('"', '""')
        lines.append(f'{row["ts"]},"{quoted}",{row["stars"]}')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def _jsonl(path, rows):
    path.write_text("\n".join(map(json.dumps, rows)) + "\n\n", encoding="utf-8")
    return str(path)


FORMS = ("csv", "csv without header", "jsonl", "parquet", "directory", "glob", "several files")


@pytest.mark.parametrize("form", FORMS)
def test_the_same_answers_as_without_spark(spark, tmp_path, form):
    paths, options = _write(tmp_path, form)
    program = horae.compile(SPEC)
    here = list(program.run_files(paths, engine="local", time="ts", **options))
    there = list(program.run_files(paths, time="ts", shards=3, master="local[2]", **options))
    assert there == here
    assert len(here) >= 11


BAD = {
    "value": ("ts,pid,stars\n1,a,1\n2,b,good\n", "INP009", 2),
    "time": ("ts,pid,stars\n1,a,1\n2,b,2\nx,c,3\n", "INP012", 3),
    "fault": ("ts,pid,stars\n1,a,1\n2,b,2\n3,c,1e300\n", "RUN003", 3),
}


@pytest.mark.parametrize("kind", BAD)
def test_an_error_in_a_worker_names_the_row_of_the_file(spark, tmp_path, kind):
    text, code, row = BAD[kind]
    (tmp_path / "e.csv").write_text(text, encoding="utf-8")
    program = horae.compile(SPEC.replace(":= stars", ":= stars * stars"))
    with pytest.raises(InputError) as caught:
        program.run_files([str(tmp_path / "e.csv")], time="ts", master="local[2]", shards=2)
    assert (caught.value.code, caught.value.row) == (code, row)


def test_a_file_without_rows(spark, tmp_path):
    (tmp_path / "e.csv").write_text("ts,pid,stars\n", encoding="utf-8")
    found = horae.compile(SPEC).run_files([str(tmp_path / "e.csv")], time="ts", master="local[2]")
    assert list(found) == []


@pytest.mark.parametrize("late", [True, False])
def test_a_key_that_comes_late(spark, tmp_path, monkeypatch, late):
    """Beyond the rows that the driver looks at, workers look for it."""
    monkeypatch.setattr("horae.data.formats.jsonl._LOOKED_AT", 1)
    rows = [{"time": time, "a": time} for time in range(4)] + [{"time": 9, "b" if late else "c": 1}]
    path = _jsonl(tmp_path / "e.jsonl", rows)
    program = horae.compile("input int a\ninput int b\noutput int c := b[0, 0]\n", "rtlola")
    if late:
        expected = list(program.run_files([path], engine="local"))
        assert list(program.run_files([path], master="local[2]", shards=2)) == expected
    else:
        with pytest.raises(InputError, match=r"INP006: there is no column `b`"):
            program.run_files([path], master="local[2]", shards=2)
