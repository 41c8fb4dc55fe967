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

from horae.cli.main import main

pytestmark = [pytest.mark.kafka, pytest.mark.spark]

_ENDINGS = {"rtlola": "lola", "datalogmtl": "dmtl", "lars": "lars", "cql": "cql"}
_PATIENCE = 200  # seconds
_TOPIC = "lines"
_PER_BATCH = 40
Answers = list[dict[str, Any]]


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


def _expected(folder: Path, name: str) -> Answers:
    file = "events" if name == "datalogmtl" else "placed"
    words = [] if name == "datalogmtl" else ["--order", "place"]
    table = str(folder / f"{file}.jsonl")
    given = table if name == "rtlola" else f"beat={table}"
    output = folder / f"{name}.expected"
    spec = str(folder / f"spec.{_ENDINGS[name]}")
    wanted = ["--engine", "local", "--output", str(output)]
    assert main(["run", spec, "--input", given, *words, *wanted]) == 0
    return _lines(output)


def _lines(file: Path) -> Answers:
    return [json.loads(line) for line in file.read_text().splitlines()]


def _command(folder: Path, running: Broker, jars: Path, name: str, *words: str) -> list[str]:
    topic = f"{running.url(_TOPIC)}?maxOffsetsPerTrigger={_PER_BATCH}"
    connector = ",".join(map(str, sorted((jars / "connector").glob("*.jar"))))
    call = "import sys; from horae.cli.main import main; sys.exit(main(sys.argv[1:]))"
    return [
        *(sys.executable, "-c", call, "run", str(folder / f"spec.{_ENDINGS[name]}")),
        *("--input", topic if name == "rtlola" else f"beat={topic}"),
        *("--spark-conf", f"spark.jars={connector}", "--master", "local[2]", "--shards", "2"),
        *words,
    ]


def _stream(folder: Path, name: str) -> list[str]:
    return [
        *("--stream", "--finish", "--lateness", str(LATENESS)),
        *("--checkpoint", str(folder / f"{name}.state"), "--output", str(folder / f"{name}.out")),
    ]


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def _streamed(folder: Path, name: str) -> Answers:
    files = sorted((folder / f"{name}.out").glob("batch-*.jsonl"))
    assert len(files) > 2
    return [answer for file in files for answer in _lines(file)]


def _key(answer: dict[str, Any]) -> str:
    return json.dumps(answer, sort_keys=True)


@pytest.mark.parametrize("name", ["cql", "datalogmtl", "lars"])
def test_a_stream_of_a_topic(folder: Path, running: Broker, jars: Path, name: str):
    _run(_command(folder, running, jars, name, *_stream(folder, name)))
    expected = _expected(folder, name)
    assert sorted(_streamed(folder, name), key=_key) == sorted(expected, key=_key)


def test_a_stream_of_a_topic_that_is_killed(folder: Path, running: Broker, jars: Path):
    """The difference to the event before shows the order of events at equal times."""
    command = _command(folder, running, jars, "rtlola", *_stream(folder, "rtlola"))
    killed = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        _wait_for(folder / "rtlola.state" / "commits" / "0", killed)
    finally:
        os.killpg(killed.pid, signal.SIGKILL)
        killed.wait()
    _run(command)
    expected = _expected(folder, "rtlola")
    assert {answer["value"] for answer in expected if answer["stream"] == "step"} > set(range(9))
    assert sorted(_streamed(folder, "rtlola"), key=_key) == sorted(expected, key=_key)


def _wait_for(file: Path, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _PATIENCE
    while not file.exists():
        assert process.poll() is None, "it ended too early"
        assert time.monotonic() < end, f"no {file.name} in {_PATIENCE} s"
        time.sleep(0.05)


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_a_batch_over_a_topic(folder: Path, running: Broker, jars: Path, name: str):
    output = folder / f"{name}.batch"
    _run(_command(folder, running, jars, name, "--output", str(output)))
    assert _lines(output) == _expected(folder, name)
