"""A worker and its executor are killed midway: nothing is lost, and nothing is answered twice.

Example 1 of the DatalogMTL paper and Figure 8 of the RTLola paper.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.cluster.cluster import Worker
from tests.cluster.commands import answers_without_spark, horae, running, written
from tests.cluster.executor_log import Tasks, last_tasks
from tests.cluster.inputs import FILES, ratings, signals

pytestmark = pytest.mark.cluster

CASES = [signals(), ratings()]
_COMMITTED = 3


@dataclass
class _Hunt:
    """Waits for a worker that has given results, which get lost with it, and has a task under way."""

    workers: list[Worker]
    left: Tasks | None = None

    def kills(self) -> bool:
        return any(map(self._kills, self.workers))

    def _kills(self, worker: Worker) -> bool:
        if not _is_at_work(worker):
            return False
        worker.hold()
        if not _is_at_work(worker):
            worker.release()
            return False
        assert worker.kill() == 1
        self.left = last_tasks(worker.work)
        return True


def _is_at_work(worker: Worker) -> bool:
    tasks = last_tasks(worker.work)
    return bool(worker.executors() and tasks.done and tasks.under_way)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.program)
def test_a_batch(case, two_workers, tmp_path):
    folder = case.write(tmp_path / "in")
    command = horae("run", case.spec, "--input", str(folder), "--shards", "4")
    with running([*command, "--master", two_workers.url], tmp_path, two_workers) as run:
        hunt = _Hunt(two_workers.workers)
        run.wait_for("a task", hunt.kills)
        assert run.finish() == answers_without_spark(case)
    assert hunt.left is not None
    assert hunt.left.under_way


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.program)
def test_a_stream(case, two_workers, tmp_path):
    folder, out, checkpoint = case.write(tmp_path / "in"), tmp_path / "out", tmp_path / "checkpoint"
    options = ("--stream", "--finish", "--files-per-batch", "1", "--shards", "2")
    places = ("--checkpoint", str(checkpoint), "--output", str(out))
    command = horae("run", case.spec, "--input", str(folder), *options, *places)
    with running([*command, "--master", two_workers.url], tmp_path, two_workers) as run:
        hunt = _Hunt(two_workers.workers)
        run.wait_for("micro-batches", lambda: _count(checkpoint / "commits") >= _COMMITTED)
        run.wait_for("a task", hunt.kills)
        committed = _count(checkpoint / "commits")
        assert run.finish() == ()
    assert hunt.left is not None
    assert hunt.left.under_way
    assert _COMMITTED <= committed < FILES
    assert _count(checkpoint / "commits") > FILES
    assert written(out) == Counter(answers_without_spark(case))


def _count(log: Path) -> int:
    """Micro-batches have numbers; other files are Spark's own."""
    return sum(file.name.isdigit() for file in log.glob("*"))
