"""The process of the command `horae`: what may be done in it because it runs nobody else's code."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from contextlib import suppress

from horae.data import own_process


def claim_process() -> None:
    """Say that this process is the command, and not a program that calls it."""
    own_process.claim()


def end_process(code: int) -> None:
    """End a process of our own at once: to take modules and tables apart one by one takes a while.

    What is registered for the end is done. Where Spark was there, Python ends the process.
    """
    if not own_process.is_claimed() or "pyspark" in sys.modules:
        return
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    with suppress(OSError):
        sys.stderr.flush()
    os._exit(code)


def leave_pandas_out() -> None:
    """Where this process is the command."""
    if own_process.is_claimed():
        from horae.data import arrow_alone

        arrow_alone.leave_pandas_out()
