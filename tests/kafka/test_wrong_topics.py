"""Topics that are not there, records that are bad, a checkpoint of another topic: clear errors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.kafka.broker import Broker, free_ports

pytestmark = [pytest.mark.kafka, pytest.mark.spark]

_PATIENCE = 240  # seconds
_SPEC = "input int a\noutput int step := a - a[-1, 0]\n"
_RECORDS = ['{"time": 1, "a": 3}', '{"time": 2, "a": "many"}', '{"time": 3, "a": 10}', "none"]
_GOOD = [_RECORDS[0], _RECORDS[2]]
_MAIN = """
import contextlib, io, json, sys
from horae.cli.main import main
for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stderr(io.StringIO()) as said:
        code = main(words)
    print(json.dumps([code, said.getvalue()]))
"""

Said = tuple[int, str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("wrong")


@pytest.fixture(scope="module")
def said(running: Broker, jars: Path, folder: Path) -> dict[str, Said]:
    """What each run ends with, all in one process."""
    running.produce("bad", [("k", value) for value in _RECORDS])
    running.produce("good", [("k", value) for value in _GOOD])
    spec, state = folder / "spec.lola", str(folder / "state")
    spec.write_text(_SPEC)
    (silent,) = free_ports(1)
    keeping = ["--bad-rows", "keep", "--dead-letters", str(folder / "dead")]
    runs = {
        "silent": [f"kafka://127.0.0.1:{silent}/good"],
        "missing": [running.url("nowhere")],
        "bad": [running.url("bad")],
        "kept": [running.url("bad"), *keeping, "--output", str(folder / "kept")],
        "begun": [running.url("good"), "--checkpoint", state, "--output", str(folder / "out")],
        "other": [running.url("bad"), "--checkpoint", state, "--output", str(folder / "out")],
    }
    connector = ",".join(map(str, sorted((jars / "connector").glob("*.jar"))))
    common = ["--stream", "--finish", "--spark-conf", f"spark.jars={connector}", "--shards", "1"]
    words = [["run", str(spec), *common, "--input", *run] for run in runs.values()]
    return dict(zip(runs, _call(words), strict=True))


def _call(commands: list[list[str]]) -> list[Said]:
    done = subprocess.run(
        [sys.executable, "-c", _MAIN, json.dumps(commands)],
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=True,
    )
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    return [(int(code), str(text)) for code, text in found]


@pytest.mark.parametrize(
    ("run", "code", "words"),
    [
        ("silent", "ENV013", "no broker of Kafka answers at 127.0.0.1:"),
        ("missing", "INP076", "has no such topic"),
        ("bad", "INP009", ", offset 1, the row "),
        ("other", "CHK001", ""),
    ],
)
def test_errors(said: dict[str, Said], run: str, code: str, words: str):
    status, text = said[run]
    assert status == 3, text
    assert f"error[{code}]" in text
    assert words in text


def test_bad_records_that_are_kept(said: dict[str, Said], folder: Path):
    assert said["kept"][0] == 0, said["kept"][1]
    assert [answer["value"] for answer in _lines(folder / "kept")] == [3, 7]
    letters = _lines(folder / "dead")
    assert [letter["row"] for letter in letters] == [_RECORDS[1], _RECORDS[3]]
    places = [str(letter["file"]).rpartition(", ")[2] for letter in letters]
    assert places == ["offset 1", "offset 3"]


def test_a_checkpoint_of_the_topic(said: dict[str, Said], folder: Path):
    assert said["begun"][0] == 0, said["begun"][1]
    assert [answer["value"] for answer in _lines(folder / "out")] == [3, 7]


def _lines(path: Path) -> list[dict[str, object]]:
    files = sorted(path.glob("batch-*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]
