"""A program of each language over a Kafka topic, its driver killed midway: the batch run's answers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.kafka.broker import Broker
from tests.kafka.programs import CASES, COUNT, records

pytestmark = [pytest.mark.kafka, pytest.mark.spark]

_ROOT = Path(__file__).parents[2]
_PATIENCE = 240  # seconds
_TOPIC = "beats"


@pytest.fixture(scope="module")
def folder(running: Broker, jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the streams answered, and what the batch run did, after a kill and a restart."""
    path = tmp_path_factory.mktemp("kafka")
    (path / "control").mkdir()
    url, written = running.url(_TOPIC), records()
    running.produce(_TOPIC, written[: COUNT // 2])
    with _driver(url, path, "live", jars) as driver:
        _wait_for_commits(path, driver)
        os.killpg(driver.pid, signal.SIGKILL)
    assert not any((path / "checkpoints" / name / "commits" / "7").exists() for name in CASES)
    running.produce(_TOPIC, written[COUNT // 2 :])
    with _driver(url, path, "finish", jars) as driver:
        assert driver.wait(_PATIENCE) == 0, _log(path, "finish")
    return path


@contextmanager
def _driver(url: str, path: Path, mode: str, jars: Path) -> Iterator[subprocess.Popen[bytes]]:
    """In a process group of its own, with its JVM."""
    command = [sys.executable, "-m", "tests.kafka.driver", url, str(path), mode]
    environment = {**os.environ, "HORAE_KAFKA_JARS": str(jars / "connector")}
    with (path / f"{mode}.log").open("w") as log:
        driver = subprocess.Popen(
            command,
            cwd=_ROOT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            yield driver
        finally:
            if driver.poll() is None:
                os.killpg(driver.pid, signal.SIGKILL)
                driver.wait()


def _wait_for_commits(path: Path, driver: subprocess.Popen[bytes]) -> None:
    """Every program has answered, and has more to read."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        commits = [path / "checkpoints" / name / "commits" / "0" for name in CASES]
        if all(file.exists() for file in commits):
            return
        assert driver.poll() is None, _log(path, "live")
        time.sleep(0.1)
    raise AssertionError(f"no commit in {_PATIENCE} s:\n{_log(path, 'live')}")


def _log(path: Path, mode: str) -> str:
    return (path / f"{mode}.log").read_text()[-4000:]


def _read(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def test_the_topic_has_all_events(folder: Path):
    found = [json.loads(row)[0] for row in _read(folder / "events.json")["rows"]]
    assert Counter(found) == Counter(value for _, value in records())


@pytest.mark.parametrize("name", sorted(CASES))
def test_answers_are_those_of_the_batch_run(folder: Path, name: str):
    live, batch = (_read(folder / f"{name}.{mode}.json") for mode in ("live", "batch"))
    assert live["columns"] == batch["columns"]
    assert len(batch["rows"]) > 100
    assert Counter(live["rows"]) == Counter(batch["rows"])
