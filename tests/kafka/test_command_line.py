"""`horae run` over topics: all languages give what they give over a file of the same records."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.kafka.broker import Broker
from tests.kafka.programs import LATENESS, TEXTS, records

import horae
from horae.cli.main import main

pytestmark = [pytest.mark.kafka, pytest.mark.spark]

_ENDINGS = {"rtlola": "lola", "datalogmtl": "dmtl", "lars": "lars", "cql": "cql"}
_PATIENCE = 240  # seconds
_TOPIC = "lines"
_PER_BATCH = 40
_MAIN = (
    "import json, sys; from horae.cli.main import main; "
    "sys.exit(max(main(words) for words in json.loads(sys.argv[1])))"
)
Answers = list[dict[str, Any]]
Words = list[str]


@pytest.fixture(scope="module")
def folder(running: Broker, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Programs, and the topic's records as files, in the order of partition and offset."""
    running.produce(_TOPIC, records())
    path = tmp_path_factory.mktemp("lines")
    for name, text in TEXTS.items():
        (path / f"spec.{_ENDINGS[name]}").write_text(text)
    events = [json.loads(value) for value in running.values(_TOPIC)]
    placed = [{**event, "place": place} for place, event in enumerate(events)]
    for file, lines in (("events", events), ("placed", placed)):
        (path / f"{file}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture(scope="module")
def answered(folder: Path, running: Broker, jars: Path) -> Path:
    """Streams of all languages but one, and batch runs of all, in one process."""
    streams = [
        _run(folder, running, jars, name) + _stream(folder, name)
        for name in ("cql", "datalogmtl", "lars")
    ]
    batches = [
        [*_run(folder, running, jars, name), "--output", str(folder / f"{name}.batch")]
        for name in TEXTS
    ]
    _call([*streams, *batches])
    return folder


def _run(folder: Path, running: Broker, jars: Path, name: str) -> Words:
    topic = f"{running.url(_TOPIC)}?maxOffsetsPerTrigger={_PER_BATCH}"
    connector = ",".join(map(str, sorted((jars / "connector").glob("*.jar"))))
    return [
        *("run", str(folder / f"spec.{_ENDINGS[name]}")),
        *("--input", topic if name == "rtlola" else f"beat={topic}"),
        *("--spark-conf", f"spark.jars={connector}", "--master", "local[2]", "--shards", "2"),
    ]


def _stream(folder: Path, name: str) -> Words:
    return [
        *("--stream", "--finish", "--lateness", str(LATENESS)),
        *("--checkpoint", str(folder / f"{name}.state"), "--output", str(folder / f"{name}.out")),
    ]


def _call(commands: Sequence[Words], *, is_quiet: bool = True) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _MAIN, json.dumps(commands)],
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not (done.stderr and is_quiet), done.stderr


def _expected(folder: Path, name: str) -> Answers:
    """Over a file, without Spark."""
    is_ordered = name != "datalogmtl"
    table = str(folder / ("placed.jsonl" if is_ordered else "events.jsonl"))
    output = folder / f"{name}.expected"
    words = [
        *("run", str(folder / f"spec.{_ENDINGS[name]}"), "--engine", "local"),
        *("--input", table if name == "rtlola" else f"beat={table}", "--output", str(output)),
        *(("--order", "place") if is_ordered else ()),
    ]
    assert main(words) == 0
    return _lines(output)


def _lines(file: Path) -> Answers:
    return [json.loads(line) for line in file.read_text().splitlines()]


def _streamed(folder: Path, name: str) -> list[str]:
    files = sorted((folder / f"{name}.out").glob("batch-*.jsonl"))
    assert len(files) > 2
    return _sorted([answer for file in files for answer in _lines(file)])


def _sorted(answers: Answers) -> list[str]:
    return sorted(json.dumps(answer, sort_keys=True) for answer in answers)


@pytest.mark.parametrize("name", ["cql", "datalogmtl", "lars"])
def test_a_stream_of_a_topic(answered: Path, name: str):
    assert _streamed(answered, name) == _sorted(_expected(answered, name))


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_a_batch_over_a_topic(answered: Path, name: str):
    assert _lines(answered / f"{name}.batch") == _expected(answered, name)


def _to_topic(folder: Path, running: Broker, topic: str) -> Words:
    """The options of a stream whose answers are records."""
    state = str(folder / f"{topic}.state")
    common = ("--stream", "--lateness", str(LATENESS), "--checkpoint", state)
    return [*common, "--output", running.url(topic)]


def _records(running: Broker, topic: str) -> list[str]:
    return _sorted([json.loads(line) for line in running.values(topic)])


def test_a_batch_into_a_topic(answered: Path, running: Broker, jars: Path):
    words = [*_run(answered, running, jars, "cql"), "--output", running.url("sums")]
    _call([words], is_quiet=False)
    assert _records(running, "sums") == _sorted(_expected(answered, "cql"))


def test_a_stream_into_a_topic_that_is_killed(folder: Path, running: Broker, jars: Path):
    """In the middle of micro-batches; and once when all records are there, but nobody knows."""
    words = _run(folder, running, jars, "lars") + _to_topic(folder, running, "near")
    state = folder / "near.state"
    for commit in ("0", "1"):
        _kill_when(state / "commits" / commit, words)
    _call([words])
    *_, last = sorted((state / "commits").glob("[0-9]*"), key=lambda file: int(file.name))
    last.unlink()
    (last.parent / f".{last.name}.crc").unlink(missing_ok=True)
    _call([[*words, "--finish"]])
    assert _records(running, "near") == _sorted(_expected(folder, "lars"))


def test_a_stream_of_a_topic_that_is_killed(folder: Path, running: Broker, jars: Path):
    words = _run(folder, running, jars, "rtlola") + _stream(folder, "rtlola")
    _kill_when(folder / "rtlola.state" / "commits" / "0", words)
    _call([words])
    assert _streamed(folder, "rtlola") == _sorted(_expected(folder, "rtlola"))


def _kill_when(file: Path, words: Words) -> None:
    """A run, with all of its processes, when this file is there."""
    killed = subprocess.Popen(
        [sys.executable, "-c", _MAIN, json.dumps([words])],
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _wait_for(file, killed)
    finally:
        os.killpg(killed.pid, signal.SIGKILL)
        killed.wait()


def _wait_for(file: Path, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _PATIENCE
    while not file.exists():
        assert process.poll() is None, "it ended too early"
        assert time.monotonic() < end, f"no {file.name} in {_PATIENCE} s"
        time.sleep(0.05)


def test_the_order_of_equal_times_matters(folder: Path):
    """So the tests above see an order that is wrong."""
    events = _lines(folder / "events.jsonl")
    program = horae.compile(TEXTS["rtlola"])
    assert program.evaluate(events) != program.evaluate(events[::-1])
