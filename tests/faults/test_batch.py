"""A run over files that loses a part of Spark says so, and leaves no answers."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.faults.cases import CASES
from tests.faults.driver import Driver, started

_FILES = 40
_PATIENCE = 120  # seconds until Python works for Spark


def _jvm(driver: Driver) -> int | None:
    return driver.jvm() if driver.workers() else None


def _worker(driver: Driver) -> int | None:
    return next(iter(driver.workers()), None)


@pytest.mark.faults
@pytest.mark.parametrize(("find", "code"), [(_jvm, "ENV014"), (_worker, "ENV015")])
@pytest.mark.parametrize("name", ["rtlola", "datalogmtl", "lars"])
def test_a_part_of_spark_is_killed(
    name: str, find: Callable[[Driver], int | None], code: str, tmp_path: Path
):
    CASES[name].lay_out(tmp_path, _FILES, seed=1)
    output = tmp_path / "answers.jsonl"
    arguments = [*CASES[name].arguments(tmp_path), "--output", str(output), "--master", "local[2]"]
    with started(arguments, tmp_path / "run.log") as driver:
        os.kill(_wait_for(find, driver), signal.SIGKILL)
        assert driver.wait() == 3, driver.said
    assert f"error[{code}]" in driver.said
    assert "Traceback" not in driver.said
    assert not output.exists()


def _wait_for(find: Callable[[Driver], int | None], driver: Driver) -> int:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        found = find(driver)
        if found is not None:
            return found
        assert driver.is_running, driver.said
        time.sleep(0.01)
    raise AssertionError(f"no Python worker comes: {driver.said}")
