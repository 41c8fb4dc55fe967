"""The command `horae run` as a process of its own, to be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.cluster.commands import driver_environment
from tests.faults.cases import Case

_HORAE = "import sys; from horae.cli.main import main; sys.exit(main(sys.argv[1:]))"
_FRUGAL = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # a JVM that lives for seconds
_PATIENCE = 400  # seconds; a run takes a minute, on a machine with nothing else to do


@dataclass(frozen=True)
class Stream:
    """A case in a folder, and the place of its checkpoint and its answers.

    `executors` finds the processes of its cluster, if it has one.
    """

    case: Case
    folder: Path
    place: Path
    master: str = "local[2,4]"
    shards: int = 2
    executors: Callable[[], list[int]] = list

    @property
    def checkpoint(self) -> Path:
        return self.place / "checkpoint"

    @property
    def output(self) -> Path:
        return self.place / "out"

    def command(self, *, finish: bool = True, slowly: bool = False) -> list[str]:
        """`slowly`: a micro-batch a second, so that a quick machine does not come to the end."""
        options = {
            "--checkpoint": str(self.checkpoint),
            "--output": str(self.output),
            "--lateness": self.case.lateness,
            "--files-per-batch": "1",
            "--master": self.master,
            "--shards": str(self.shards),
        }
        told = [part for pair in options.items() for part in pair]
        ends = ["--trigger", "1 seconds"] if slowly else ["--finish"] if finish else []
        return [*self.case.arguments(self.folder), "--stream", *ends, *told]

    def answers(self) -> Counter[str]:
        lines = [file.read_text().splitlines() for file in self.output.glob("batch-*.jsonl")]
        return Counter(line for found in lines for line in found)

    def expected(self) -> Counter[str]:
        """The batch run over all files, without Spark."""
        done = _horae([*self.case.arguments(self.folder), "--engine", "local"])
        assert done.returncode == 0, done.stderr
        return Counter(done.stdout.splitlines())


def _horae(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _HORAE, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE)


@dataclass(frozen=True)
class Driver:
    """A running command, and all that it wrote to stdout and stderr.

    Its JVM is in its process group; Spark's Python workers are in one of their own.
    """

    process: subprocess.Popen[bytes]
    log: Path

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    @property
    def said(self) -> str:
        return self.log.read_text()

    def wait(self) -> int:
        return self.process.wait(_PATIENCE)

    # --- what it consists of

    def jvm(self) -> int | None:
        return next((p.number for p in _children(self.process.pid) if "java" in p.command), None)

    def workers(self) -> list[int]:
        """Spark forks them from a daemon, which ends with its JVM."""
        jvm = self.jvm()
        daemons = [] if jvm is None else _children(jvm)
        return [worker.number for daemon in daemons for worker in _children(daemon.number)]

    # --- what can happen to it

    def freeze(self) -> None:
        os.killpg(self.process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.killpg(self.process.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Driver and JVM at once, as when a machine loses its power."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def kill_python(self) -> None:
        """The driver alone; nobody waits for its JVM to notice."""
        self.process.kill()
        self.process.wait()


def running(stream: Stream, *, slowly: bool = False) -> AbstractContextManager[Driver]:
    return started(stream.command(slowly=slowly), stream.folder / "run.log")


@contextmanager
def started(arguments: Sequence[str], log: Path) -> Iterator[Driver]:
    """Nothing of it is left behind."""
    with log.open("w") as told:
        process = subprocess.Popen(
            [sys.executable, "-c", _HORAE, *arguments],
            stdout=told,
            stderr=subprocess.STDOUT,
            env=driver_environment(NO_COLOR="1", JDK_JAVA_OPTIONS=_FRUGAL),
            start_new_session=True,
        )
        try:
            yield Driver(process, log)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def run_to_end(stream: Stream) -> tuple[int, str]:
    """The exit code, and what was said."""
    with running(stream) as driver:
        code = driver.wait()
    return code, driver.said


# --- processes of this machine


@dataclass(frozen=True)
class _Process:
    number: int
    parent: int
    command: str


def _children(parent: int) -> list[_Process]:
    return [process for process in _processes() if process.parent == parent]


def _processes() -> list[_Process]:
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,command="], capture_output=True, text=True, check=True
    )
    parts = [line.split(None, 2) for line in listed.stdout.splitlines()]
    return [_Process(int(part[0]), int(part[1]), part[2]) for part in parts if len(part) == 3]


def wait_until_gone(number: int) -> None:
    end = time.monotonic() + _PATIENCE
    while any(process.number == number for process in _processes()):
        assert time.monotonic() < end, f"process {number} does not end"
        time.sleep(0.1)
