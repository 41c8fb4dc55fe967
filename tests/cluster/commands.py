"""`horae run` as a process of its own, on a cluster or without Spark."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.cluster.cluster import Cluster, wait_for
from tests.cluster.inputs import Case

PATIENCE = 240  # seconds, for one run on a busy machine
HORAE = "import sys; from horae.cli.main import main; sys.exit(main(sys.argv[1:]))"


def driver_environment(**more: str) -> dict[str, str]:
    """Without what a session of the tests has left there for Spark."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYSPARK", "SPARK_"))}
    return kept | more


def horae(*arguments: str) -> list[str]:
    return [sys.executable, "-c", HORAE, *arguments]


@cache
def answers_without_spark(case: Case) -> tuple[str, ...]:
    with tempfile.TemporaryDirectory() as folder:
        inputs = case.write(Path(folder, "in"))
        command = horae("run", case.spec, "--input", str(inputs), "--engine", "local")
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert done.stdout, "the test has no answers to compare"
    return tuple(done.stdout.splitlines())


@dataclass(frozen=True)
class Running:
    """A run under way, with what it says in files."""

    process: subprocess.Popen[bytes]
    folder: Path
    cluster: Cluster

    def finish(self) -> tuple[str, ...]:
        """The lines that it printed; it must have ended well, and without a word."""
        self.process.wait(PATIENCE)
        said = (self.folder / "stderr").read_text()
        assert (self.process.returncode, said) == (0, ""), f"{said}\n{self.cluster.logs()}"
        return tuple((self.folder / "stdout").read_text().splitlines())

    def wait_for(self, what: str, is_there: Callable[[], bool]) -> None:
        """Something that happens while the run goes on."""

        def looked() -> bool:
            assert self.process.poll() is None, f"the run ended before {what}"
            return is_there()

        wait_for(what, looked, self.cluster.logs, PATIENCE)


@contextmanager
def running(
    command: list[str], folder: Path, cluster: Cluster, environment: Mapping[str, str] | None = None
) -> Iterator[Running]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
        env = dict(environment or driver_environment())
        process = subprocess.Popen(command, stdout=out, stderr=err, env=env, cwd=folder)
        try:
            yield Running(process, folder, cluster)
        finally:
            process.kill()
            process.wait(PATIENCE)


def written(folder: Path) -> Counter[str]:
    """All lines of all micro-batches, each as often as it was written."""
    files = sorted(folder.glob("batch-*.jsonl"))
    return Counter(line for file in files for line in file.read_text().splitlines())
