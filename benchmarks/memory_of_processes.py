"""The memory of a process and all that it started, as Linux counts it.

RSS counts a page that several processes share once for each of them; PSS divides it among them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

_PROC = Path("/proc")
_SECONDS = 0.5


class Sampler:
    """The greatest sums that were seen while it ran, in bytes; and the greatest RSS by program.

    They are those of the process `root` and its descendants that `counts` counts; by default of this
    process and all of them.
    """

    def __init__(
        self, root: int | None = None, counts: Callable[[int], bool] = lambda pid: True
    ) -> None:
        self._root = os.getpid() if root is None else root
        self._counts = counts
        self.rss = self.pss = self.processes = 0
        self.by_program: dict[str, int] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(_SECONDS):
            self._sample()

    def _sample(self) -> None:
        counted = filter(self._counts, tree(self._root))
        found = [memory for pid in counted if (memory := _memory(pid)) is not None]
        by_program: dict[str, int] = {}
        for name, rss, _ in found:
            by_program[name] = by_program.get(name, 0) + rss
        for name, rss in by_program.items():
            self.by_program[name] = max(rss, self.by_program.get(name, 0))
        self.rss = max(self.rss, sum(by_program.values()))
        self.pss = max(self.pss, sum(pss for _, _, pss in found))
        self.processes = max(self.processes, len(found))


def tree(root: int) -> Iterator[int]:
    """A process, its children, theirs, and so on."""
    children: dict[int, list[int]] = {}
    for folder in _PROC.glob("[0-9]*"):
        parent = _field(folder / "status", "PPid")
        if parent is not None:
            children.setdefault(parent, []).append(int(folder.name))
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        yield pid
        waiting += children.get(pid, [])


def _memory(pid: int) -> tuple[str, int, int] | None:
    """The program, RSS and PSS in bytes; None: the process has ended."""
    folder = _PROC / str(pid)
    rss, pss = _field(folder / "status", "VmRSS"), _field(folder / "smaps_rollup", "Pss")
    if rss is None or pss is None:
        return None
    try:
        name = (folder / "comm").read_text().strip()
    except OSError:
        return None
    return name, rss * 1024, pss * 1024


def _field(file: Path, name: str) -> int | None:
    try:
        lines = file.read_text().splitlines()
    except OSError:
        return None
    found = (line.split()[1] for line in lines if line.startswith(f"{name}:"))
    return next(map(int, found), None)
