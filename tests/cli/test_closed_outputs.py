"""Outputs that are closed, full, or no files."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from horae.cli.output import replace_file

ARGUMENTS = [sys.executable, "-c", "from horae.cli.main import main; raise SystemExit(main())"]


@pytest.fixture
def spec(tmp_path: Path) -> str:
    path = tmp_path / "m.lola"
    path.write_text("input int a\noutput int b := a\n")
    return str(path)


def test_stdout_that_is_closed(spec):
    """As `horae check m.lola >&-` has it."""
    command = [*ARGUMENTS, "check", spec]
    found = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *command], stderr=subprocess.PIPE, text=True, check=False
    )
    assert (found.returncode, found.stderr.splitlines()) == (
        3,
        ["error[ENV003]: the output cannot be written: not writable"],
    )


def test_stderr_that_is_closed(spec):
    command = [*ARGUMENTS, "check", spec]
    found = subprocess.run(
        ["sh", "-c", '"$@" 2>&-', "sh", *command], stdout=subprocess.PIPE, text=True, check=False
    )
    assert (found.returncode, found.stdout) == (0, f"{spec}: no problems\n")


def test_a_pipe_stays_a_pipe(tmp_path: Path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    with replace_file(pipe) as draft:
        draft.write_text("answers")
    reader.join()
    assert (read, pipe.is_fifo()) == (["answers"], True)
