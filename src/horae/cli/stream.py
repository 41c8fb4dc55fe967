"""`horae run --stream`: answers as they are decided, until the input ends or somebody stops the run."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from horae.cli.input_warnings import shown_warnings
from horae.cli.status_line import StatusLine, status_line
from horae.cli.stream_options import StreamOptions
from horae.cli.terminal import cannot_write, show_input_warning, tell
from horae.engine.report.state_bound import StateBound
from horae.source.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from horae.spark.streaming.checkpoint_folder import Folder
    from horae.spark.streaming.metrics import Monitor
    from horae.spark.streaming.run import LiveFiles, RowCounts, StreamRun
    from horae.spark.streaming.sinks.micro_batch import Sink
    from horae.spark.streaming.sinks.open_sinks import StreamTarget
    from horae.spark.streaming.snapshot import Snapshot


def stream_files(
    options: StreamOptions,
    target: StreamTarget | None,
    open_files: Callable[[Folder], LiveFiles],
    bound: StateBound,
    session: Callable[[], SparkSession],
) -> None:
    """`open_files` makes the stream of a program, with its checkpoint in this directory.

    Without a target answers go to standard output. `session` starts Spark, for a checkpoint that is
    not on this machine.
    """
    from horae.spark.crashes import noticing_losses
    from horae.spark.streaming.checkpoint import Checkpoint

    with noticing_losses(), _checkpoint(options.checkpoint, session) as place, place.locked():
        Checkpoint(place).check()
        is_new = Checkpoint(place).is_new
        files = open_files(place)
        interrupted = _watch(files, target, options, bound, is_new=is_new)
    if interrupted and options.every is None:
        raise KeyboardInterrupt


def _sinks(
    files: LiveFiles,
    target: StreamTarget | None,
    letters: str | None,
    line: StatusLine,
    *,
    is_new: bool,
) -> Iterator[Sink]:
    from horae.spark.streaming.sinks.open_sinks import SinkPlace
    from horae.spark.streaming.sinks.printed import PrintedLines

    place = SinkPlace(files.run, files.live, files.checkpoint, is_new)
    if target is None:
        yield PrintedLines(partial(_print, line), files.run, files.live.program)
    else:
        yield place.sink(target)
    if letters is not None:
        yield place.dead_letters(letters)


def _print(line: StatusLine, chunks: Iterable[str]) -> None:
    """A reader that has seen enough ends the stream; the caller knows."""
    try:
        with line.aside():
            sys.stdout.writelines(chunks)
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise cannot_write(error) from error


def _watch(
    files: LiveFiles,
    target: StreamTarget | None,
    options: StreamOptions,
    bound: StateBound,
    *,
    is_new: bool,
) -> bool:
    """Whether it was interrupted."""
    from horae.spark.streaming.metrics import watching
    from horae.spark.streaming.run import StreamRun

    spark = files.live.spark
    with (
        watching(spark, bound=bound, ticks_per_second=files.resolution) as monitor,
        _served(monitor, options.metrics_port),
        status_line(visible=sys.stderr.isatty()) as line,
        _interruptible(line) as stop,
    ):

        def warn(problem: InputError) -> None:
            with line.aside():
                show_input_warning(problem)

        def show() -> None:
            line.show(monitor.snapshot(), files.resolution)

        sinks = list(_sinks(files, target, options.dead_letters, line, is_new=is_new))
        run = StreamRun(files, sinks, monitor, show, stop)
        with shown_warnings(warn):
            _run(run, options)
        with line.aside():
            if not (run.counts.answers or options.finish or stop.is_set()):
                tell(undecided_text(monitor.snapshot(), files.resolution))
            if options.dead_letters is None:
                _tell_unused(run.counts)
        return stop.is_set()


def _tell_unused(counts: RowCounts) -> None:
    for count, what in ((counts.late, "late"), (counts.bad, "bad")):
        if count:
            rows = "row was" if count == 1 else "rows were"
            tell(f"{count:,} {rows} {what} and not used: --dead-letters keeps them")


def _run(run: StreamRun, options: StreamOptions) -> None:
    try:
        if options.every is None:
            run.available(finish=options.finish)
        else:
            run.until_stopped(options.every)
        run.check_names()
    except BrokenPipeError:  # a reader that has seen enough; its micro-batch counts as not done
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115


@contextmanager
def _served(monitor: Monitor, port: int | None) -> Iterator[None]:
    from horae.spark.streaming.prometheus import LOOPBACK, serving

    if port is None:
        yield
        return
    with serving([monitor], port) as found:
        tell(f"metrics are at http://{LOOPBACK}:{found}/metrics")
        yield


@contextmanager
def _checkpoint(given: str | None, session: Callable[[], SparkSession]) -> Iterator[Folder]:
    from horae.spark.streaming.checkpoint_folder import open_folder

    if given is not None:
        yield open_folder(given, session)
        return
    with tempfile.TemporaryDirectory(prefix="horae-", ignore_cleanup_errors=True) as name:
        folder = open_folder(name, session)
        try:
            yield folder
        finally:
            folder.remove()


@contextmanager
def _interruptible(line: StatusLine) -> Iterator[threading.Event]:
    """Ctrl-C asks for the end of the run, and nothing is torn off; a second one does not wait."""
    stop = threading.Event()

    def ask(*_: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        with line.aside():
            tell("stopping after the micro-batch under way; Ctrl-C again stops at once")

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


_UNDECIDED = "later rows decide the rest, or --finish does: it says that none come"


def undecided_text(snapshot: Snapshot, resolution: int) -> str:
    """What a stream says that ends without an answer: how far it is decided, and what decides the rest.

    Times are shown as those of the input.
    """
    if snapshot.last is None:
        return f"no answers: no rows came yet; {_UNDECIDED}"
    last = _time(snapshot.last, resolution)
    if snapshot.decided is None:
        return f"no answers yet: nothing is decided of the rows up to time {last}; {_UNDECIDED}"
    decided = _time(snapshot.decided, resolution)
    return (
        f"no answers yet: times up to {decided} are decided and have none, "
        f"rows came up to time {last}; {_UNDECIDED}"
    )


def _time(ticks: int, resolution: int) -> str:
    time = Fraction(ticks, resolution)
    return str(time.numerator) if time.denominator == 1 else f"{float(time)!r}"
