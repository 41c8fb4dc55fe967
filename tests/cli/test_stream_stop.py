"""Ctrl-C in a real process, while files are dropped: it ends after the micro-batch under way.

A later run goes on. Together they give the answers of a batch run, each once.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from horae.cli.main import main

pytestmark = pytest.mark.long

COMMAND = "import sys; from horae.cli.main import main; sys.exit(main(sys.argv[1:]))"
FILES = 8
PATIENCE = 120  # seconds

QUERY = "REGISTER STREAM s(A int);\nq: SELECT SUM(A) FROM s [RANGE 3];\n"
CASES = {
    "c.lola": ("input int a\noutput int n := n[-1, 0] + 1\n", "{n}.csv", "time,a\n{n},0\n"),
    "s.lars": ("seen(X) :- win[3] <> tram(X).\n", "{n}.facts", "tram(a{n})@{n}\n"),
    "b.dmtl": ("busy(X) :- Diamondminus[0,3] up(X).\n", "{n}.facts", "up(a{n})@[{n},{n}.5)\n"),
    "q.cql": (QUERY, "{n}.facts", "s({n})@{n}\n"),
}


class Folder:
    """A program and the directory of its input."""

    def __init__(self, path: Path, spec: str) -> None:
        text, self.name, self.row = CASES[spec]
        self.path, self.spec = path, path / spec
        self.spec.write_text(text)
        (path / "in").mkdir()

    @property
    def arguments(self) -> list[str]:
        return ["run", str(self.spec), "--input", str(self.path / "in")]

    def drop(self, numbers: range) -> None:
        """Files are there as a whole or not at all."""
        for number in numbers:
            draft = self.path / f"{number}.draft"
            draft.write_text(self.row.format(n=number))
            os.utime(draft, (1000 + number,) * 2)
            draft.rename(self.path / "in" / self.name.format(n=number))


class Process:
    """A stream in a process group of its own, as a terminal has it."""

    def __init__(self, folder: Folder, options: Sequence[str]) -> None:
        self.out = folder.path / "stdout"
        place = ["--checkpoint", str(folder.path / "cp"), "--master", "local[1]", "--shards", "2"]
        command = [sys.executable, "-c", COMMAND, *folder.arguments, "--stream", *place, *options]
        with self.out.open("a") as out:
            self.process = subprocess.Popen(
                command, stdout=out, stderr=subprocess.PIPE, text=True, start_new_session=True
            )

    def lines(self) -> list[str]:
        return self.out.read_text().splitlines()

    def wait_for_answers(self) -> None:
        end = time.monotonic() + PATIENCE
        while len(self.lines()) < 2:
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < end, "no answers"
            time.sleep(0.1)

    def interrupt(self) -> tuple[int, str]:
        """To all of the group: also to the JVM and to its workers."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.end()

    def end(self) -> tuple[int, str]:
        _, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, err


@pytest.mark.parametrize("spec", CASES)
def test_ctrl_c(spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = Folder(tmp_path, spec)
    folder.drop(range(FILES))
    first = Process(folder, ["--trigger", "1 seconds", "--files-per-batch", "1"])
    first.wait_for_answers()
    folder.drop(range(FILES, FILES + 2))
    code, err = first.interrupt()
    assert (code, err) == (
        0,
        "stopping after the micro-batch under way; Ctrl-C again stops at once\n",
    )
    folder.drop(range(FILES + 2, FILES + 4))
    second = Process(folder, ["--finish"])
    assert second.end() == (0, "")
    assert main([*folder.arguments, "--engine", "local"]) == 0
    assert sorted(second.lines()) == sorted(capsys.readouterr().out.splitlines())
