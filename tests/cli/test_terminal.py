"""A terminal at stderr alone: what goes to stdout stays the product, wherever it leads."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

SPEC = "input int a\noutput int b := a + 1\n"
COMMAND = "import sys; from horae.cli.main import main; sys.exit(main(sys.argv[1:]))"


def test_answers_go_to_stdout_while_the_progress_is_seen(tmp_path):
    (tmp_path / "s.lola").write_text(SPEC)
    (tmp_path / "e.csv").write_text("time,a\n1,2\n")
    own, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "run", "s.lola", "--input", "e.csv", "--engine", "local"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=theirs,
        check=True,
    )
    os.close(theirs)
    assert done.stdout == b'{"time": 1, "stream": "b", "params": [], "value": 3}\n'
    assert b"running s.lola" in os.read(own, 10_000)
    os.close(own)
