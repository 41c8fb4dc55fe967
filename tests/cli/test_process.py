"""The end of the command's process: what is registered is done, and what was written is there."""

from __future__ import annotations

import subprocess
import sys

import pytest

import horae

END = """
import atexit, sys, threading, time
from horae.cli.main import main
atexit.register(lambda: print("registered", flush=True))
threading.Thread(target=lambda: (time.sleep(0.3), print("thread", flush=True))).start()
sys.argv = ["horae", *sys.argv[1:]]
sys.exit(main())
"""


@pytest.mark.parametrize(("arguments", "code"), [(["--version"], 0), (["check", "none.lola"], 2)])
def test_all_that_a_process_owes_is_done_at_its_end(arguments, code):
    done = subprocess.run(
        [sys.executable, "-c", END, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    lines = done.stdout.splitlines()
    assert lines[-2:] == ["thread", "registered"]
    assert lines[:-2] == ([f"horae {horae.__version__}"] if code == 0 else [])
