"""The lives of a stream: each ends with a kill, and the next one goes on from the checkpoint."""

from __future__ import annotations

import os
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tests.faults.driver import Driver, Stream, run_to_end, running, wait_until_gone
from tests.faults.points import Disk, Eye, Point, open_eye

_PATIENCE = 300  # seconds for a micro-batch, and all that comes before the first one
_PAUSE = 0.001


class Way(StrEnum):
    """Kills that are not at a point of a micro-batch."""

    RANDOM = "random moment"
    PYTHON = "driver without its JVM"
    JVM = "JVM without its driver"
    WORKER = "Python worker"
    EXECUTOR = "executor"


Death = Point | Way


@dataclass(frozen=True)
class Life:
    """What is killed on the way, and then what ends it."""

    death: Death
    wounds: tuple[Way, ...] = ()


@dataclass
class Report:
    """`twice` are answers that are no answers of the batch run, or too many of them."""

    name: str
    seed: int
    kills: Counter[Death] = field(default_factory=Counter)
    lost: int = 0
    twice: int = 0


def run_lives(stream: Stream, name: str, lives: Sequence[Life], seed: int) -> Report:
    """All of them, and one more that is not killed."""
    expected, report = stream.expected(), Report(name, seed)
    chance = random.Random(seed)
    for life in lives:
        print(f"{name}, seed {seed}: {life.death}", flush=True)
        _live(stream, life, chance, report)
        report.twice += (stream.answers() - expected).total()
    code, said = run_to_end(stream)
    assert code == 0, said
    assert not re.search(r"error|Traceback|late", said), said  # a warning is no harm
    report.lost = (expected - stream.answers()).total()
    report.twice += (stream.answers() - expected).total()
    return report


def _live(stream: Stream, life: Life, chance: random.Random, report: Report) -> None:
    eye = open_eye(stream)
    with running(stream, slowly=life.death is not Point.FINISH) as driver:
        for wound in life.wounds:
            _wound(driver, eye, wound, chance)
            report.kills[wound] += 1
        _die(driver, eye, life.death, chance)
        report.kills[life.death] += 1


# --- what goes on without its parts


def _wound(driver: Driver, eye: Eye, wound: Way, chance: random.Random) -> None:
    """While a micro-batch is under way; it comes to its end all the same."""
    find = eye.stream.executors if wound is Way.EXECUTOR else driver.workers
    first = eye.look().commit + 1 + chance.randrange(2)
    victims: list[int] = []
    while not victims:
        disk = _wait(driver, eye, lambda disk: disk.offset > disk.commit and disk.offset >= first)
        victims = find()
    os.kill(chance.choice(victims), signal.SIGKILL)
    _wait(driver, eye, lambda later: later.commit > disk.offset)


# --- ends


def _die(driver: Driver, eye: Eye, death: Death, chance: random.Random) -> None:
    if isinstance(death, Point):
        _die_at(driver, eye, death, chance)
        return
    _wait_a_while(driver, eye, death, chance)
    match death:
        case Way.RANDOM:
            driver.kill()
        case Way.PYTHON:
            jvm = driver.jvm()
            driver.kill_python()
            if jvm is not None:
                wait_until_gone(jvm)
        case Way.JVM:
            _lose_jvm(driver)
        case _:
            raise ValueError(f"{death} does not end a driver")


def _die_at(driver: Driver, eye: Eye, point: Point, chance: random.Random) -> None:
    """The driver is stopped to see whether it is still there, and killed on the spot."""
    first = 0 if point is Point.FINISH else eye.look().commit + 1 + chance.randrange(3)

    def is_there(disk: Disk) -> bool:
        return disk.is_at(point) and max(disk.source, disk.offset) >= first

    while True:
        _wait(driver, eye, is_there)
        driver.freeze()
        time.sleep(_PAUSE)  # what the kernel was doing for it is done
        if is_there(eye.look()):
            driver.kill()
            return
        driver.thaw()


def _lose_jvm(driver: Driver) -> None:
    jvm = driver.jvm()
    assert jvm is not None
    os.kill(jvm, signal.SIGKILL)
    assert driver.wait() == 3, driver.said
    assert "ENV014" in driver.said
    assert "Traceback" not in driver.said


def _wait_a_while(driver: Driver, eye: Eye, way: Way, chance: random.Random) -> None:
    """Often right in the middle, at times while Spark is still starting."""
    if way is Way.RANDOM and chance.random() < 0.3:
        time.sleep(chance.uniform(0, 8))
        return
    first = eye.look().commit + 1
    _wait(driver, eye, lambda disk: disk.commit >= first)
    time.sleep(chance.uniform(0, 2))


def _wait(driver: Driver, eye: Eye, is_there: Callable[[Disk], bool]) -> Disk:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        disk = eye.look()
        if is_there(disk):
            return disk
        if not driver.is_running:
            raise AssertionError(f"the driver ended by itself at {disk}: {driver.said}")
        time.sleep(_PAUSE)
    raise AssertionError(f"nothing happens after {eye.look()}: {driver.said}")
