"""`horae run --stream`: answers as they are decided, until the input ends or somebody stops the run."""

from __future__ import annotations

import os
import re
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from horae.cli.answers import Answer, AnswerFormat, write_answers
from horae.cli.output import replace_file
from horae.cli.terminal import tell
from horae.cli.usage import WrongUsage
from horae.source.errors import InputError

if TYPE_CHECKING:
    from horae.spark.streaming.run import LiveFiles

AVAILABLE = "available"
_REASON = "it came after the time points up to it had been decided: allow for more with --lateness"
_EVERY = re.compile(r"\s*[0-9]+(?:\.[0-9]+)?\s+(?:milli|micro)?(?:second|minute|hour|day)s?\s*")


@dataclass(frozen=True)
class StreamOptions:
    checkpoint: str | None
    trigger: str | None
    finish: bool
    dead_letters: Path | None
    output: Path | None

    def check(self) -> None:
        """What typer cannot see for itself; all of it is wrong usage."""
        if self.checkpoint is not None and "://" in self.checkpoint:
            raise WrongUsage("--checkpoint is a directory of this machine.")
        if self.trigger not in (None, AVAILABLE) and not _EVERY.fullmatch(str(self.trigger)):
            raise WrongUsage(f"--trigger is `{AVAILABLE}` or a duration such as `5 seconds`.")
        if self.finish and self.is_endless:
            raise WrongUsage(f"--finish ends at the end of the input: --trigger {AVAILABLE}.")
        for path in (self.output, self.dead_letters):
            if path is not None and path.exists() and not path.is_dir():
                raise WrongUsage(f"{path} is a file; with --stream answers go to a directory.")

    @property
    def is_endless(self) -> bool:
        return self.trigger not in (None, AVAILABLE)


def run_stream(options: StreamOptions, open_files: Callable[[Path], LiveFiles]) -> None:
    """`open_files` makes the stream of a program, with its checkpoint in this directory."""
    from horae.spark.streaming.checkpoint import Checkpoint
    from horae.spark.streaming.run import Run

    with _checkpoint(options.checkpoint) as place:
        Checkpoint(place).check()
        _check_folders(options, Checkpoint(place).is_new)
        sink, stop = _Sink(options), threading.Event()
        files = open_files(place)
        with _status(sink) as report, _interruptible(stop) as interrupted:
            run = Run(files, sink, report, stop)
            _run(run, options)
        sink.tell_late()
        if interrupted.is_set() and not options.is_endless:
            raise KeyboardInterrupt


def _run(run: Any, options: StreamOptions) -> None:
    try:
        if options.is_endless:
            run.until_stopped(str(options.trigger))
        else:
            run.available(finish=options.finish)
    except BrokenPipeError:  # a reader that has seen enough; its micro-batch counts as not done
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115


@contextmanager
def _checkpoint(given: str | None) -> Iterator[Path]:
    if given is not None:
        yield Path(given)
        return
    with tempfile.TemporaryDirectory(prefix="horae-", ignore_cleanup_errors=True) as folder:
        yield Path(folder, "checkpoint")


def _check_folders(options: StreamOptions, is_new: bool) -> None:
    """Micro-batches are numbered from 0 again: files of another stream would be mixed with these."""
    for path in (options.output, options.dead_letters):
        if path is None:
            continue
        path.mkdir(parents=True, exist_ok=True)
        if is_new and any(path.glob("batch-*.jsonl")):
            raise InputError(
                "CHK005",
                f"the directory `{path}` holds the answers of another stream",
                help="name an empty directory, or the --checkpoint of that stream",
            )


@contextmanager
def _interruptible(stop: threading.Event) -> Iterator[threading.Event]:
    """Ctrl-C asks for the end of the run; nothing is torn off."""
    interrupted = threading.Event()

    def ask(*_: object) -> None:
        interrupted.set()
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield interrupted
        return
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


@dataclass
class _Sink:
    """A file per micro-batch, or lines on stdout."""

    options: StreamOptions
    late: int = 0
    answers: int = 0
    last: object = field(default=None)

    def __call__(self, number: int, answers: Iterable[Answer], late: list[Answer]) -> None:
        shown = list(answers)
        if self.options.output is None:
            _print(shown)
        else:
            _write(shown, self.options.output, number)
        if late and self.options.dead_letters is not None:
            letters = [{"reason": "late", **row, "note": _REASON} for row in late]
            _write(letters, self.options.dead_letters, number)
        self.late, self.answers = self.late + len(late), self.answers + len(shown)
        self.last = next((a["time"] for a in reversed(shown) if "time" in a), self.last)

    def tell_late(self) -> None:
        if self.late and self.options.dead_letters is None:
            rows = "row was" if self.late == 1 else "rows were"
            tell(f"{self.late} {rows} late and not used: --dead-letters keeps them")


def _print(answers: Sequence[Answer]) -> None:
    from horae.cli.answers import json_line

    for answer in answers:
        sys.stdout.write(json_line(answer))
    sys.stdout.flush()


def _write(answers: Sequence[Answer], folder: Path, number: int) -> None:
    """In place as a whole; a micro-batch that runs again replaces its own file."""
    path = folder / f"batch-{number:09}.jsonl"
    if not answers:
        path.unlink(missing_ok=True)
        return
    with replace_file(path) as draft:
        write_answers(answers, draft, AnswerFormat.JSONL, ())


# --- the status line


@contextmanager
def _status(sink: _Sink) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("waiting for input") as line:
        yield lambda progress: line.update(status_text(progress, sink.last, sink.late))


def status_text(progress: Mapping[str, Any], last: object, late: int) -> str:
    """Of the last micro-batch: rows per second, the last answered time, state, late rows."""
    rate = progress.get("processedRowsPerSecond") or 0
    operators = progress.get("stateOperators") or []
    rows = sum(operator["numRowsTotal"] for operator in operators)
    size = sum(operator["memoryUsedBytes"] for operator in operators)
    parts = [f"batch {progress['batchId']}", f"{rate:,.0f} rows/s"]
    if last is not None:
        parts.append(f"answered up to {last}{_lag(last)}")
    parts += [f"state {rows:,} rows, {size / 2**20:,.1f} MiB", f"{late:,} late"]
    return " · ".join(parts)


def _lag(last: object) -> str:
    """How far behind the clock, where times are dates."""
    behind = time.time() - last if isinstance(last, int | float) else None
    return f" (lag {behind:,.0f} s)" if behind is not None and 0 <= behind < 10**8 else ""
