"""`horae run --stream`: answers as they are decided, until the input ends or somebody stops the run."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from horae.cli.input_warnings import shown_warnings
from horae.cli.status_line import StatusLine, status_line
from horae.cli.stream_options import StreamOptions
from horae.cli.stream_sink import StreamSink
from horae.cli.terminal import show_input_warning, tell
from horae.data.targets import Directory, OneFile
from horae.engine.report.state_bound import StateBound
from horae.source.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from horae.spark.sinks.stream_tables import StreamTables
    from horae.spark.streaming.checkpoint_folder import Folder
    from horae.spark.streaming.metrics import Monitor
    from horae.spark.streaming.run import LiveFiles, StreamRun
    from horae.spark.streaming.snapshot import Snapshot


def stream_files(
    options: StreamOptions,
    target: OneFile | Directory,
    open_files: Callable[[Folder], LiveFiles],
    bound: StateBound,
    session: Callable[[], SparkSession],
) -> None:
    """`open_files` makes the stream of a program, with its checkpoint in this directory.

    `session` starts Spark, for a checkpoint that is not on this machine.
    """
    from horae.spark.crashes import noticing_losses
    from horae.spark.streaming.checkpoint import Checkpoint

    is_plain = isinstance(target, OneFile)
    output = Path(target.path) if is_plain and target.path is not None else None
    sink = StreamSink(output, options.dead_letters, prints=is_plain)
    with noticing_losses(), _checkpoint(options.checkpoint, session) as place, place.locked():
        Checkpoint(place).check()
        is_new = Checkpoint(place).is_new
        sink.check(is_new=is_new)
        files = open_files(place)
        sink.claim(files.checkpoint.stream, is_new=is_new)
        tables = None if isinstance(target, OneFile) else _tables(files, target, is_new=is_new)
        interrupted = _watch(files, sink, options, bound, tables)
    sink.tell_unused()
    if interrupted and options.every is None:
        raise KeyboardInterrupt


def _tables(files: LiveFiles, target: Directory, *, is_new: bool) -> StreamTables:
    """Those of this stream from now on."""
    from horae.spark.file_system import FileSystem
    from horae.spark.sinks.stream_tables import StreamTables

    assert files.live.typed is not None, "the stream was opened for tables"
    tables = StreamTables(target, files.live.typed)
    tables.claim(FileSystem(files.live.spark), files.checkpoint.stream, is_new=is_new)
    return tables


def _watch(
    files: LiveFiles,
    sink: StreamSink,
    options: StreamOptions,
    bound: StateBound,
    tables: StreamTables | None,
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
        sink.aside = line.aside

        def warn(problem: InputError) -> None:
            with line.aside():
                show_input_warning(problem)

        def show() -> None:
            line.show(monitor.snapshot(), files.resolution)

        with shown_warnings(warn):
            _run(StreamRun(files, sink, monitor, show, stop, tables), options)
        answers = sink.answers if tables is None else tables.count
        if not (answers or options.finish or stop.is_set()):
            with line.aside():
                tell(undecided_text(monitor.snapshot(), files.resolution))
        return stop.is_set()


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
