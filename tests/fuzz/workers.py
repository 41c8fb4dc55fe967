"""The inputs of a target, in chunks over all cores."""

from __future__ import annotations

import multiprocessing
import os
import resource
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz.search import Mistake, search
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
        ProcessPoolExecutor(os.cpu_count(), context, initializer=_limit_memory) as pool,
    ):
        waiting = {pool.submit(_search, name, seed, chunk, notes): chunk for chunk in chunks}
        for future in as_completed(waiting):
            mistakes += _result(future, name, waiting[future], notes)
            advance(len(waiting[future]))
    return mistakes


def _limit_memory() -> None:
    """An input that asks for more ends in a MemoryError, not in a machine without memory."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _search(name: str, seed: int, chunk: range, notes: str) -> list[Mistake]:
    """Notes which input is under way, for the case that it takes the process with it."""
    note = Path(notes) / str(os.getpid())
    return list(search(targets()[name], seed, chunk, lambda index: _write(note, index)))


def _write(note: Path, index: int) -> None:
    note.write_text(str(index), encoding="utf-8")


def _result(future: Future[list[Mistake]], name: str, chunk: range, notes: str) -> list[Mistake]:
    try:
        return future.result()
    except BrokenProcessPool:
        last = sorted(int(note.read_text(encoding="utf-8")) for note in Path(notes).iterdir())
        what = f"ProcessLost: at one of the inputs {last}, and others were not run"
        return [Mistake(name, chunk.start, what, "", None)]
