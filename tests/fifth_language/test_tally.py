"""A language that nothing in Horae knows: registered here, it is checked, analysed and run as others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from tests.cli.stream_runs import Drop
from tests.fifth_language.tally import LANGUAGE, Tally, TallyProgram
from tests.live.driving import Driver, arrivals, cuts

import horae
from horae.cli.main import main
from horae.engine.answers import sort_rows
from horae.engine.in_process import run_in_process
from horae.languages import register, unregister
from horae.source.text import Source
from horae.spark.streaming.state_store import STORE

TEXT = "count caller per 1 min\n"
CALLS = [(0, "ann"), (59.999, "ann"), (60, "ann"), (61, "bob"), (30, "bob"), (200, "ann")]
ANSWERS = [
    {"time": 0, "key": "ann", "count": 2},
    {"time": 0, "key": "bob", "count": 1},
    {"time": 60, "key": "ann", "count": 1},
    {"time": 60, "key": "bob", "count": 1},
    {"time": 180, "key": "ann", "count": 1},
]
ROWS: list[dict[str, object]] = [{"time": t, "caller": c} for t, c in CALLS]
LINES = [json.dumps(row) + "\n" for row in ROWS]


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    register(LANGUAGE)
    yield
    unregister("tally")


@pytest.fixture
def spec(tmp_path: Path) -> str:
    path = tmp_path / "calls.tally"
    path.write_text(TEXT)
    return str(path)


def program() -> horae.Program:
    return horae.compile(TEXT, language="tally")


# --- in process


@pytest.mark.parametrize("rows", [ROWS, pa.Table.from_pylist(ROWS)], ids=["dicts", "arrow"])
def test_from_python(rows: object):
    assert program().evaluate(rows) == ANSWERS


def test_options_that_it_does_not_have():
    with pytest.raises(TypeError, match="`emit` is not an option of this language"):
        program().evaluate(ROWS, emit="all")
    with pytest.raises(TypeError, match="`lateness` is for streams"):
        program().evaluate(ROWS, lateness=1)
    with pytest.raises(ValueError, match="`count` is not an output of the program"):
        program().schema("count")
    with pytest.raises(ValueError, match="Tally is not translated to other forms"):
        program().translate("lars")


def test_the_command_line(spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "calls.jsonl").write_text("".join(LINES))
    assert main(["check", spec]) == 0
    assert main(["fmt", "--check", spec]) == 0
    capsys.readouterr()
    assert main(["analyze", spec]) == 0
    assert "`the input` by caller" in capsys.readouterr().out
    assert main(["run", spec, "--input", str(tmp_path / "calls.jsonl"), "--engine", "local"]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == ANSWERS


def test_a_wrong_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "wrong.tally").write_text("count")
    assert main(["check", str(tmp_path / "wrong.tally")]) == 1
    assert "TLY001" in capsys.readouterr().err
    with pytest.raises(horae.ProgramError):
        horae.load(tmp_path / "wrong.tally")


def test_a_wrong_input(tmp_path: Path):
    (tmp_path / "calls.csv").write_text("time,callers\n1,ann\n")
    with pytest.raises(horae.InputError, match="caller"):
        program().run_files([str(tmp_path / "calls.csv")], engine="local")


# --- on Spark


def test_frames(spark: SparkSession):
    frame = spark.createDataFrame([(float(t), c) for t, c in CALLS], "time double, caller string")
    found = program().answers(frame, "counts", shards=3)
    assert [row.asDict() for row in found.orderBy("time", "key").collect()] == ANSWERS
    together = program().answers(frame, shards=3).orderBy("time", "counts.key").collect()
    assert [{"time": row.time, **row.counts.asDict()} for row in together] == ANSWERS


def test_a_bad_row_of_a_frame(spark: SparkSession):
    frame = spark.createDataFrame([("1", "ann"), ("soon", "bob")], "time string, caller string")
    with pytest.raises(horae.InputError, match="soon"):
        program().answers(frame)


def test_files(spark: SparkSession, tmp_path: Path):
    table = [f"{time},{caller}\n" for time, caller in CALLS]
    (tmp_path / "calls.csv").write_text("".join(["time,caller\n", *table]))
    (tmp_path / "calls.jsonl").write_text("".join(LINES))
    for name in ("calls.csv", "calls.jsonl"):
        assert program().run_files([str(tmp_path / name)], master="local[2]") == ANSWERS, name


@pytest.fixture
def drop(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Drop:
    for name, value in STORE.items():
        spark.conf.set(name, value)
    return Drop.of(tmp_path / "stream", capsys, "calls.tally", TEXT)


def test_a_stream_that_is_stopped_and_goes_on(drop: Drop):
    """Minutes are answered once, when they are over; those that are not are kept over the restart."""
    options = ("--checkpoint", drop.path("checkpoint"), "--lateness", "60")
    drop.drop("a.jsonl", "".join(LINES[:4]))
    first = drop.stream(*options)
    drop.drop("b.jsonl", "".join(LINES[4:]))
    second = drop.stream(*options)
    last = drop.stream(*options, "--finish")
    assert first == []
    assert [json.loads(line) for line in second] == ANSWERS[:4]
    assert [json.loads(line) for line in last] == ANSWERS[4:]


# --- the law


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 400_000), st.sampled_from("abc")), max_size=30),
    st.integers(0, 2**32),
    st.integers(0, 100_000),
    st.integers(1, 4),
)
def test_a_stream_gives_the_answers_of_a_batch(
    calls: Sequence[tuple[int, str]], seed: int, lateness: int, width: int
):
    rng, tally = Random(seed), Tally(Source("law", TEXT), "caller", 1)
    program = TallyProgram(tally, width)
    rows = pa.Table.from_pylist([{"time": t, "key": k} for t, k in calls], program.rows)
    order = arrivals(rng, [time for time, _ in calls], lateness)
    driver = Driver(program, lateness, restart=lambda _: rng.random() < 0.3)
    steps = driver.run(rows, cuts(rng, order))
    live = pa.concat_tables([step.answers for step in steps])
    whole = run_in_process(TallyProgram(tally, 1), rows)
    assert (
        sort_rows(live, ["time", "key"]).to_pylist()
        == sort_rows(whole, ["time", "key"]).to_pylist()
    )
