"""A bar about a batch run on Spark, on a terminal: stages, tasks done of all, time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_POLL = 0.3  # seconds


@contextmanager
def job_bar(text: str) -> Iterator[None]:
    """Shown while the block runs, if somebody is there to see it; stdout stays what it is."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[told]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    over = threading.Event()
    with bar:
        task = bar.add_task(text, total=None, told="starting Spark")
        watcher = threading.Thread(target=_watch, args=(bar, task, over), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()


def _watch(bar: Progress, task: TaskID, over: threading.Event) -> None:
    rows: dict[int, int] = {}
    while not over.wait(_POLL):
        if "pyspark" in sys.modules:
            _show(bar, task, rows)


def _show(bar: Progress, task: TaskID, rows: dict[int, int]) -> None:
    """`rows` keeps what stages read that are over by now."""
    from horae.spark.job_progress import job_progress

    found = job_progress()
    if found is None or not found.tasks:
        return
    rows.update(found.rows)
    told = (
        f"stage {min(found.stages_done + 1, found.stages)} of {found.stages}, "
        f"{found.tasks_done:,} of {found.tasks:,} tasks, {sum(rows.values()):,} rows read"
    )
    bar.update(task, total=found.tasks, completed=found.tasks_done, told=told)
