"""`horae run` of a program of each language over events on HDFS, and over the same files here."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.hdfs.cluster import Hdfs
from tests.kafka.programs import LATENESS, TEXTS, records

from horae.cli.main import main

NAMES = sorted(TEXTS)
_ENDINGS = {"rtlola": "lola", "datalogmtl": "dmtl", "lars": "lars", "cql": "cql"}
_FILES = 6
_PATIENCE = 600  # seconds
_MAIN = (
    "import json, sys; from horae.cli.main import main; "
    "sys.exit(max(main(words) for words in json.loads(sys.argv[1])))"
)
Answers = list[dict[str, Any]]
Words = list[str]


@dataclass(frozen=True)
class Runs:
    """`folder` has the programs and, in `lines`, the files that are on HDFS too."""

    folder: Path
    hdfs: Hdfs

    def place(self, name: str) -> str:
        """On HDFS, of this folder alone."""
        return self.hdfs.place(f"{self.folder.name}/{name}")

    def batch(self, name: str, output: str) -> Words:
        return [*self._run(name, self.place("lines")), *_HERE, "--output", output]

    def stream(self, name: str, *options: str) -> Words:
        """From a directory on HDFS, with a checkpoint there."""
        return [
            *(*self._run(name, self.place("lines")), *_HERE, "--stream"),
            *("--lateness", str(LATENESS), "--files-per-batch", "1"),
            *("--checkpoint", self.place(f"{name}.state"), "--output", str(self.out(name))),
            *options,
        ]

    def _run(self, name: str, lines: str) -> Words:
        lines = lines if name == "rtlola" else f"beat={lines}"
        return ["run", str(self.folder / f"spec.{_ENDINGS[name]}"), "--input", lines]

    def out(self, name: str) -> Path:
        return self.folder / f"{name}.out"

    # --- answers

    def expected(self, name: str) -> Answers:
        """Over the files of this machine, without Spark."""
        output = self.folder / f"{name}.expected.jsonl"
        here = self._run(name, str(self.folder / "lines"))
        assert main([*here, "--engine", "local", "--output", str(output)]) == 0
        return read_lines(output)

    def answers(self, name: str, run: str) -> str:
        """A file of lines of JSON."""
        return str(self.folder / f"{name}.{run}.jsonl")

    def streamed(self, name: str) -> Answers:
        """Of all micro-batches of all runs."""
        files = sorted(self.out(name).glob("batch-*.jsonl"))
        return [answer for file in files for answer in read_lines(file)]


_HERE = ("--master", "local[2]", "--shards", "2")


def lay_out(folder: Path, hdfs: Hdfs) -> Runs:
    """Programs, and events in files that come one after another."""
    runs = Runs(folder, hdfs)
    (folder / "lines").mkdir()
    for name, text in TEXTS.items():
        (folder / f"spec.{_ENDINGS[name]}").write_text(text)
    events = [f"{event}\n" for _, event in records()]
    size = -(-len(events) // _FILES)
    for number in range(_FILES):
        file = folder / "lines" / f"{number:02}.jsonl"
        file.write_text("".join(events[number * size : (number + 1) * size]))
        os.utime(file, (1_000_000 + number,) * 2)  # Spark reads older files first
    hdfs.put(folder / "lines", f"{folder.name}/lines")
    return runs


def read_lines(file: Path) -> Answers:
    return [json.loads(line) for line in file.read_text().splitlines()]


def in_order(answers: Answers) -> list[str]:
    return sorted(json.dumps(answer, sort_keys=True) for answer in answers)


# --- processes


def call(commands: Sequence[Words], *, is_quiet: bool = True) -> None:
    """One after another in a process of their own; all of them end well, without a word of trouble."""
    done = subprocess.run(
        [sys.executable, "-c", _MAIN, json.dumps(commands)],
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not (done.stderr and is_quiet), done.stderr


def kill_when(words: Words, is_time: Callable[[], bool]) -> None:
    """A run that ends in the middle, with its JVM."""
    killed = subprocess.Popen(
        [sys.executable, "-c", _MAIN, json.dumps([words])],
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        end = time.monotonic() + _PATIENCE
        while not is_time():
            assert killed.poll() is None, "it ended too early"
            assert time.monotonic() < end, f"nothing to kill in {_PATIENCE} s"
            time.sleep(0.02)
    finally:
        os.killpg(killed.pid, signal.SIGKILL)
        killed.wait()
