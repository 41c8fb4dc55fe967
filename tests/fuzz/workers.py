"""The inputs of a target, in chunks over all cores."""

from __future__ import annotations

import gc
import multiprocessing
import os
import resource
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from io import FileIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
from tests.fuzz.search import Mistake, search
from tests.fuzz.target import Target
from tests.fuzz.targets import targets

_CHUNK = 2_000
_MEMORY = 8 << 30


def run_target(
    name: str, seed: int, indices: range, advance: Callable[[int], None]
) -> list[Mistake]:
    """The mistakes among these inputs; `advance` is told how many more are done."""
    starts = range(indices.start, indices.stop, _CHUNK)
    chunks = [range(start, min(start + _CHUNK, indices.stop)) for start in starts]
    mistakes: list[Mistake] = []
    context = multiprocessing.get_context("spawn")
    with (
        TemporaryDirectory() as notes,
        ProcessPoolExecutor(os.cpu_count(), context, initializer=_prepare) as pool,
    ):
        waiting = {pool.submit(_search, name, seed, chunk, notes): chunk for chunk in chunks}
        for future in as_completed(waiting):
            mistakes += _result(future, name, waiting[future], notes)
            advance(len(waiting[future]))
    return mistakes


def _prepare() -> None:
    """Too much memory is a MemoryError, not the end of the machine; few rows need no threads."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)


def _search(name: str, seed: int, chunk: range, notes: str) -> list[Mistake]:
    """Notes which input is under way, for the case that it takes the process with it."""
    target = _targets()[name]
    with (Path(notes) / str(os.getpid())).open("wb", buffering=0) as note:
        return list(search(target, seed, chunk, lambda index: _write(note, index)))


@cache
def _targets() -> dict[str, Target]:
    """What is loaded by now stays, so that the garbage collector need not look at it again and again."""
    found = targets()
    gc.freeze()
    return found


def _write(note: FileIO, index: int) -> None:
    note.seek(0)
    note.write(b"%9d" % index)


def _result(future: Future[list[Mistake]], name: str, chunk: range, notes: str) -> list[Mistake]:
    try:
        return future.result()
    except BrokenProcessPool:
        last = sorted(int(note.read_text(encoding="utf-8")) for note in Path(notes).iterdir())
        what = f"ProcessLost: at one of the inputs {last}, and others were not run"
        return [Mistake(name, chunk.start, what, "", None)]
