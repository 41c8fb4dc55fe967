"""Spark's own standalone cluster on loopback, from the jars of the installed PySpark.

A master and workers are processes of their own, and so are the executors that workers start for a
run. All of them end with their block, by their ids.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pyspark

from horae.spark.java import java_home

HOST = "127.0.0.1"
SPARK_HOME = Path(pyspark.__file__).parent
_DEPLOY = "org.apache.spark.deploy"
_PATIENCE = 60  # seconds
_KEPT = ("HOME", "HORAE_CACHE", "LANG", "XDG_CACHE_HOME")


@dataclass(frozen=True)
class Worker:
    """`work` is where its executors log."""

    process: subprocess.Popen[bytes]
    work: Path
    log: Path

    @property
    def is_ready(self) -> bool:
        return "Successfully registered with master" in self.log.read_text()

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    def executors(self) -> list[int]:
        """The ids of the JVMs that it has started."""
        return children(self.process.pid) if self.is_alive else []

    def hold(self) -> None:
        """Its executors stand still, so that one can look at what they are doing."""
        for executor in self.executors():
            tell(executor, signal.SIGSTOP)

    def release(self) -> None:
        for executor in self.executors():
            tell(executor, signal.SIGCONT)

    def kill(self) -> int:
        """With its executors, at once and without a word; how many of them there were."""
        executors = self.executors()
        for process in (self.process.pid, *executors):
            tell(process, signal.SIGKILL)
        self.process.wait(_PATIENCE)
        return len(executors)


@dataclass
class Cluster:
    folder: Path
    port: int
    environment: Mapping[str, str]
    stack: ExitStack
    workers: list[Worker] = field(default_factory=list)
    _started: int = 0

    @property
    def url(self) -> str:
        return f"spark://{HOST}:{self.port}"

    def grow(self, count: int) -> None:
        """Until so many workers are alive."""
        self.workers = [worker for worker in self.workers if worker.is_alive]
        while len(self.workers) < count:
            self.workers.append(self.stack.enter_context(_worker(self, self._started)))
            self._started += 1
        wait_for("workers", lambda: all(worker.is_ready for worker in self.workers), self.logs)

    def logs(self) -> str:
        """What master and workers say, for the report of a test that failed."""
        return "\n".join(log.read_text()[-2000:] for log in sorted(self.folder.glob("*.log")))


@contextmanager
def cluster(folder: Path, workers: int = 2, **environment: str) -> Iterator[Cluster]:
    """Workers of one core each. They see nothing of the environment of the tests but `environment`."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        port = free_port()
        master = ("master.Master", "--host", HOST, "--port", str(port), "--webui-port", "0")
        stack.enter_context(_daemon(folder / "master.log", *master))
        started = Cluster(folder, port, environment, stack)
        wait_for("the master", lambda: _answers(port), started.logs)
        started.grow(workers)
        yield started


@contextmanager
def _worker(home: Cluster, number: int) -> Iterator[Worker]:
    work, log = home.folder / f"work-{number}", home.folder / f"worker-{number}.log"
    arguments = ("--host", HOST, "--webui-port", "0", "--cores", "1", "--memory", "1g")
    place = ("--work-dir", str(work), home.url)
    with _daemon(log, "worker.Worker", *arguments, *place, **home.environment) as process:
        worker = Worker(process, work, log)
        try:
            yield worker
        finally:
            worker.kill()


@contextmanager
def _daemon(
    log: Path, name: str, *arguments: str, **environment: str
) -> Iterator[subprocess.Popen[bytes]]:
    program = [str(java_home() / "bin" / "java"), "-Xmx256m", "-XX:TieredStopAtLevel=1"]
    command = [*program, "-cp", f"{SPARK_HOME}/jars/*", f"{_DEPLOY}.{name}", *arguments]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=bare_environment() | environment,
            cwd=log.parent,
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait(_PATIENCE)


def bare_environment() -> dict[str, str]:
    """Of a machine with Spark and Java, and a Python of its own: nothing of a virtual environment."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return kept | {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "JAVA_HOME": str(java_home()),
        "SPARK_HOME": str(SPARK_HOME),
        "SPARK_LOCAL_IP": HOST,
        "SPARK_SCALA_VERSION": _scala(),
    }


def _scala() -> str:
    """Spark's scripts tell it to workers, which build the commands of executors with it."""
    core = next((SPARK_HOME / "jars").glob("spark-core_*.jar"))
    return core.name.removeprefix("spark-core_").partition("-")[0]


# --- processes and ports


def children(process: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
    ).stdout
    pairs = [tuple(map(int, line.split())) for line in listed.splitlines()]
    return [child for child, parent in pairs if parent == process]


def tell(process: int, sign: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # it may have ended by itself
        os.kill(process, sign)


def free_port() -> int:
    with socket.create_server((HOST, 0)) as found:
        port: int = found.getsockname()[1]
        return port


def wait_for(
    what: str,
    is_there: Callable[[], bool],
    logs: Callable[[], str] = lambda: "",
    patience: float = _PATIENCE,
) -> None:
    end = time.monotonic() + patience
    while not is_there():
        assert time.monotonic() < end, f"waited too long for {what}\n{logs()}"
        time.sleep(0.05)


def _answers(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), 1).close()
    except OSError:
        return False
    return True
