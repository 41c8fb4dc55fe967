"""kill -9 at every point of a micro-batch, and of every process: no answer lost, none twice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from tests.cluster.cluster import Cluster, cluster
from tests.faults.cases import CASES
from tests.faults.driver import Stream
from tests.faults.lives import Life, Report, Way, run_lives
from tests.faults.points import Point
from tests.faults.table import REPORTS

_SEED = 5
_FILES = 80
_KILLS = 50
_LIVES = (
    Life(Way.RANDOM),
    Life(Way.RANDOM),
    Life(Way.PYTHON),
    Life(Way.JVM),
    Life(Point.SOURCE),
    Life(Point.OFFSET, wounds=(Way.WORKER,)),
    Life(Point.STATE),
    Life(Point.SINK),
    Life(Point.ANSWERED),
    Life(Point.COMMITTED),
)
_END = Life(Point.FINISH)


@pytest.mark.faults
@pytest.mark.parametrize("name", CASES)
def test_a_stream_that_is_killed_again_and_again(name: str, tmp_path: Path):
    seed = _SEED + list(CASES).index(name)
    lives = random.Random(seed).sample(_LIVES, len(_LIVES))
    _check(_run(name, tmp_path, [*lives, _END], seed=seed, files=_FILES))


@pytest.mark.faults
def test_there_were_enough_kills():
    assert sum(report.kills.total() for report in REPORTS) >= _KILLS
    assert {CASES[report.name].language for report in REPORTS} >= {
        case.language for case in CASES.values()
    }


@pytest.mark.faults
def test_executors_are_lost(tmp_path: Path):
    lives = [Life(Point.STATE, wounds=(Way.EXECUTOR, Way.EXECUTOR))]
    with cluster(tmp_path / "cluster") as started:
        _check(_run("datalogmtl", tmp_path, lives, seed=_SEED, files=16, on=started))


@pytest.mark.spark
def test_three_kills(tmp_path: Path):
    lives = [Life(Point.STATE, wounds=(Way.WORKER, Way.WORKER))]
    _check(_run("rtlola", tmp_path, lives, seed=_SEED, files=10))


def _run(
    name: str,
    folder: Path,
    lives: Sequence[Life],
    *,
    seed: int,
    files: int,
    on: Cluster | None = None,
) -> Report:
    case = CASES[name]
    case.lay_out(folder, files, seed)
    stream = Stream(case, folder, folder)
    if on is not None:
        stream = replace(stream, master=on.url, executors=partial(_executors, on))
    report = run_lives(stream, name, lives, seed)
    REPORTS.append(report)
    return report


def _executors(on: Cluster) -> list[int]:
    return [executor for worker in on.workers for executor in worker.executors()]


def _check(report: Report) -> None:
    assert report.lost == 0
    assert report.twice == 0
