"""Files by their URI are the files by their path: all formats, directories, globs, what is wrong."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.orc
import pyarrow.parquet
import pytest

import horae
from horae.source.errors import InputError

pytestmark = pytest.mark.spark

EVENTS = "input int n\ninput string s\noutput int sum := sum[-1, 0] + n\n"
NAMES = ["csv", "gz", "jsonl", "json", "parquet", "orc"]
RULES = "".join(f"q(S, N) :- {name}(S, N).\n" for name in [*NAMES, "text"])
STREAMS = "".join(f"REGISTER STREAM {name}x(s string, n int);\n" for name in NAMES)
QUERIES = STREAMS + "".join(f"SELECT s, n FROM {name}x [RANGE 3 s];\n" for name in NAMES)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A file of each format in a directory, which has another one and a marker as Spark writes it."""
    folder = tmp_path / "a b%20"
    (folder / "day=1").mkdir(parents=True)
    (folder / "_SUCCESS").touch()
    for place, (name, write) in enumerate(WRITERS.items()):
        write(folder / ("day=1" if place % 2 else "") / name, f"s{place}", place)
    return folder


def _csv(s: str, n: int) -> str:
    return f"s,n,time\n{s},{n},{n}\n{s},{n},{n + 10.5:g}\n"


def _json(s: str, n: int) -> str:
    return "".join(f'{{"s": "{s}", "n": {n}, "time": {time}}}\n' for time in (n, n + 10))


def _table(s: str, n: int) -> pa.Table:
    times = pa.array([n * 1000, (n + 10) * 1000 + 500], pa.timestamp("ms"))
    return pa.table({"s": [s, s], "n": pa.array([n, n], pa.int32()), "time": times})


WRITERS = {
    "csv.csv": lambda file, s, n: file.write_text(_csv(s, n)),
    "gz.csv.gz": lambda file, s, n: file.write_bytes(gzip.compress(_csv(s, n).encode())),
    "jsonl.jsonl": lambda file, s, n: file.write_text(_json(s, n)),
    "json.json": lambda file, s, n: file.write_text(_json(s, n)),
    "parquet.parquet": lambda file, s, n: pa.parquet.write_table(_table(s, n), file),
    "orc.orc": lambda file, s, n: pa.orc.write_table(_table(s, n), str(file)),
}


def uri(path: Path) -> str:
    """As Hadoop takes it, which reads nothing into `%20`."""
    return f"file://{path}"


def answers(text: str, language: str, inputs: list[str], engine: str, **options: Any) -> list[Any]:
    program = horae.compile(text, language)
    return list(program.run_files(inputs, engine=engine, master="local[2]", shards=2, **options))


def same(text: str, language: str, inputs: list[str], folder: Path, **options: Any) -> list[Any]:
    """The answers on Spark, over the same files by their URIs, which must be those in process."""
    found = [given.replace(str(folder), uri(folder)) for given in inputs]
    expected = answers(text, language, inputs, "local", **options)
    assert answers(text, language, found, "spark", **options) == expected
    return expected


def files(data: Path, suffix: str = "") -> list[str]:
    found = {file.name.partition(".")[0]: file for file in data.rglob("*.*")}
    return [f"{name}{suffix}={found[name]}" for name in NAMES]


@pytest.mark.parametrize("path", ["", "/", "/*.*", "/**/*.[cjp]s*", "/day=1"])
def test_events(data, path):
    assert same(EVENTS, "rtlola", [f"{data}{path}"], data)


def test_facts(data):
    (data / "text.facts").write_text("text(t,1)@3\n")
    inputs = [*files(data), str(data / "text.facts")]
    found = same(RULES, "datalogmtl", inputs, data)
    assert len({tuple(answer["args"]) for answer in found}) == 7


def test_facts_of_a_directory(data):
    """Tables are called like their files there."""
    (data / "text.facts").write_text("text(t,1)@3\n")
    assert same(RULES, "datalogmtl", [str(data)], data)


def test_rows(data):
    (data / "more.facts").write_text("csvx(m,7)@3\n")
    inputs = [*files(data, "x"), f"{data}/*.facts"]
    found = same(QUERIES, "cql", inputs, data, precision="ms", time_unit="s")
    assert found


# --- what is wrong

WRONG = {
    "none.csv": None,
    "cvs.csv": None,
    "empty": "",
    "empty.csv": "",
    "empty.jsonl": "\n",
    "a.txt": "x",
    "day=2/*.csv": None,
    "twice.csv": "n,n,s,time\n1,2,a,3\n",
    "value.csv": "s,n,time\na,1,1\na,x,2\n",
    "value.jsonl": '{"s": "a", "n": 1, "time": 1}\n{"s": "a", "n": "x", "time": 2}\n',
    "ragged.csv": "s,n,time\na,1,1\na,2\n",
    "key.jsonl": '{"s": "a", "m": 1, "time": 1}\n',
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize(
    ("text", "language", "prefix"),
    [
        (EVENTS, "rtlola", ""),
        pytest.param("q(S, N) :- p(S, N).\n", "lars", "p=", marks=pytest.mark.long),
        ("REGISTER STREAM p(s string, n int); SELECT s FROM p [NOW];\n", "cql", "p="),
    ],
)
def test_the_words_for_what_is_wrong(data, name, text, language, prefix):
    """The same, with the path as it was given; where there is a row, with its number."""
    if name == "empty":
        (data / name).mkdir()
    elif WRONG[name] is not None:
        (data / name).write_text(str(WRONG[name]))
    expected = outcome(text, language, prefix + str(data / name), "local")
    found = outcome(text, language, prefix + uri(data / name), "spark")
    assert found.replace(uri(data), str(data)) == expected


def outcome(text: str, language: str, given: str, engine: str) -> str:
    try:
        return str(answers(text, language, [given], engine))
    except InputError as error:
        return str(error)
