"""An RTLola specification, ready to run: here, over files, or on Spark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal

from horae.data.catalogue_roll import COLUMNS, Seconds
from horae.data.events import read_events
from horae.data.files import find_files
from horae.data.formats.table_file import Dialect
from horae.data.layout import TIME, Layout
from horae.data.roll import Names, called, open_roll
from horae.data.topics import has_topic
from horae.engine.answers import Answers
from horae.languages.rtlola import program as rtlola
from horae.languages.rtlola.answers import rtlola_answers
from horae.languages.rtlola.evaluate import evaluate_table
from horae.languages.rtlola.options import RTLolaOptions
from horae.languages.rtlola.plan.spread import make_partition
from horae.languages.rtlola.plan.stages import Partition
from horae.languages.rtlola.report import RTLolaReport, analyze
from horae.languages.rtlola.settings import RunSettings, read_given_events
from horae.programs.given_frames import check_frame
from horae.programs.live_settings import read_settings, refuse_stream_options
from horae.source.diagnostic import Diagnostic
from horae.source.errors import InputError
from horae.source.suggest import did_you_mean

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from horae.programs.file_streams import FileStream
    from horae.spark.rtlola.files import Files
    from horae.spark.streaming.run import LiveFiles
    from horae.spark.streaming.stream import Live


@dataclass(frozen=True)
class RTLolaProgram:
    """A checked specification with all that can be done with it."""

    language: ClassVar[Literal["rtlola"]] = "rtlola"
    fields: ClassVar = ("time", "stream", "params", "value", "trigger", "message", "condition")

    checked: rtlola.Program
    diagnostics: tuple[Diagnostic, ...]

    @cached_property
    def plan(self) -> Partition:
        return make_partition(self.checked)

    @cached_property
    def report(self) -> RTLolaReport:
        """What the analysis knows: paces, memory bounds, bindings, delays, and the shard plan."""
        return analyze(self.checked)

    @property
    def names(self) -> Names:
        """Those of columns; the clock has the time."""
        inputs = [item.name for item in self.checked.inputs]
        clock = self.checked.clock
        awaited = [name for name in inputs if clock is None or name != clock.name]
        return Names(inputs, awaited, COLUMNS, seconds=Seconds.OF_EVENTS)

    def evaluate(
        self,
        inputs: object,
        *,
        emit: str = "all",
        origin: str | float = 0,
        precision: str = "us",
        time_unit: str | None = None,
        time: str | None = None,
        order: str | None = None,
        yes: bool = False,
        strict: bool = False,
    ) -> Answers:
        """The answers to a few events, in process: dicts as in the JSON Lines, sorted.

        `inputs` is a list of dicts, one per event, a table (pandas, polars, Arrow), or a path. A time is
        a number, a `datetime`, or text.
        """
        run = RunSettings(self.checked, emit, origin, precision, order, yes, time_unit)
        with called(self.names, strict=strict):
            events = read_given_events(inputs, run, time)
        return _evaluate(events, run)

    def answers(
        self,
        frame: DataFrame,
        *,
        stream: str | None = None,
        time: str | None = None,
        order: str | None = None,
        emit: str = "all",
        origin: str | float = 0,
        precision: str = "us",
        time_unit: str | None = None,
        lateness: str | float = 0,
        idle: str | float | None = None,
        whole_rows: bool = False,
        shards: int | None = None,
        yes: bool = False,
        strict: bool = False,
    ) -> DataFrame:
        """The answers over a DataFrame of events, as a DataFrame; a stream in, a stream out.

        Columns: `time` (seconds), `position`, `stream`, `params` and `value` (JSON text), `trigger`,
        `message`, `condition`. `position` orders the values of one instance at equal times.

        With `stream`, the values of one output, typed: `time`, a column per parameter (with its name;
        `time_` and `value_` for parameters called `time` and `value`), and `value`.

        The input is scanned once at once, for its first and last time; all else is lazy. `shards` is
        the number of partitions that instances are spread over; the answers do not depend on it.
        A bad row raises `InputError`; a fault in a computation stops the action that needs the answers.

        For streams: `lateness` is how long rows may come after later ones (`live` gives those beyond
        it too). With `whole_rows` you promise that a row with a value for one input has values for all:
        then more specifications can be spread.
        """
        from horae.spark.rtlola.typed import typed_values

        check_frame(frame)
        if frame.isStreaming:
            live = self.live(
                frame,
                time=time,
                order=order,
                emit=emit,
                origin=origin,
                precision=precision,
                time_unit=time_unit,
                lateness=lateness,
                idle=idle,
                whole_rows=whole_rows,
                shards=shards,
                yes=yes,
                strict=strict,
            )
            streamed = live.answers
            return streamed if stream is None else typed_values(streamed, self._output(stream))

        refuse_stream_options(lateness=lateness, idle=idle, whole_rows=whole_rows)
        run = RunSettings(self.checked, emit, origin, precision, order, yes, time_unit)
        output = None if stream is None else self._output(stream)
        layout = run.layout(run.time_of(time, frame.columns))
        with called(self.names, strict=strict):
            answers = self._on_spark(frame, run, layout, shards, is_shown=True)
        return answers if output is None else typed_values(answers, output)

    def live(
        self,
        frame: DataFrame,
        *,
        time: str | None = None,
        order: str | None = None,
        emit: str = "all",
        origin: str | float = 0,
        precision: str = "us",
        time_unit: str | None = None,
        lateness: str | float = 0,
        idle: str | float | None = None,
        whole_rows: bool = False,
        shards: int | None = None,
        bad_rows: str = "fail",
        control: DataFrame | None = None,
        yes: bool = False,
        strict: bool = False,
    ) -> Live:
        """Answers, late and bad rows of a stream, as DataFrames of one operator.

        With `bad_rows="keep"`, rows that cannot be read do not end the stream.
        """
        from horae.spark.bad_rows import gate_for
        from horae.spark.streaming.rtlola import live_rtlola
        from horae.spark.streaming.stream import StreamSources

        check_frame(frame)
        run = RunSettings(self.checked, emit, origin, precision, order, yes, time_unit)
        settings = read_settings(
            frame.sparkSession, lateness=lateness, idle=idle, shards=shards, control=control
        )
        return live_rtlola(
            StreamSources([frame]),
            self.checked,
            run.options,
            run.layout(run.time_of(time, frame.columns)),
            settings,
            whole_rows=whole_rows,
            gate=gate_for(bad_rows),
            yes=yes,
        )

    def live_files(
        self,
        stream: FileStream,
        *,
        time: str | None = None,
        order: str | None = None,
        header: bool | None = None,
        columns: str | Sequence[str] | None = None,
        emit: str = "all",
        origin: str | float = 0,
        precision: str = "us",
        time_unit: str | None = None,
        yes: bool = False,
        whole_rows: bool = False,
        strict: bool = False,
    ) -> LiveFiles:
        """A stream of event files, ready to run."""
        from horae.spark.failures import unmarked
        from horae.spark.rtlola.topics import event_topics
        from horae.spark.streaming.event_sources import event_stream, late_event
        from horae.spark.streaming.rtlola import live_rtlola
        from horae.spark.streaming.run import LiveFiles

        run = RunSettings(self.checked, emit, origin, precision, order, yes, time_unit)
        layout, names = (
            run.layout(run.time_of(time, None)),
            RTLolaOptions.read({"columns": columns}).columns,
        )
        opened = stream.open()
        is_all = opened.checkpoint.is_new
        with unmarked(), open_roll(self.names, strict=strict, is_all=is_all) as roll:
            events = event_stream(opened, layout, header, names)
            live = live_rtlola(
                events,
                self.checked,
                run.options,
                layout,
                opened.settings,
                gate=opened.gate,
                yes=yes,
                whole_rows=whole_rows,
            )
        opened.remember(live, topics=event_topics(stream.inputs))
        return LiveFiles(
            live,
            opened.checkpoint,
            lambda table: rtlola_answers([table], self.checked, run.resolution),
            lambda row: late_event(row, run.options.row_resolution),
            roll,
            run.options.row_resolution,
        )

    def _output(self, name: str) -> rtlola.Output:
        found = next((o for o in self.checked.outputs if o.name == name), None)
        if found is None:
            guess = did_you_mean(name, [o.name for o in self.checked.outputs])
            raise ValueError(f"`{name}` is not an output of the program. {guess}".rstrip())
        return found

    def run_files(
        self,
        inputs: Sequence[str],
        *,
        engine: str = "spark",
        time: str | None = None,
        order: str | None = None,
        header: bool | None = None,
        columns: str | Sequence[str] | None = None,
        emit: str = "all",
        origin: str | float = 0,
        precision: str = "us",
        time_unit: str | None = None,
        master: str | None = None,
        shards: int | None = None,
        yes: bool = False,
        strict: bool = False,
    ) -> Answers:
        """The answers over files of events: dicts, sorted; also as lines of JSON."""
        run = RunSettings(self.checked, emit, origin, precision, order, yes, time_unit)
        files = _Files(tuple(inputs), header, RTLolaOptions.read({"columns": columns}).columns)
        layout = run.layout(run.time_of(time, None))
        with called(self.names, strict=strict):
            return self._run(files, run, layout, engine, master, shards)

    def _run(
        self,
        files: _Files,
        run: RunSettings,
        layout: Layout,
        engine: str,
        master: str | None,
        shards: int | None,
    ) -> Answers:
        if engine == "local":
            return self._run_locally(files, run, layout)
        try:
            return self._run_on_spark(files, run, layout, master, shards)
        except InputError as error:
            if error.code.startswith("ENV") or files.are_many(_READ_TWICE):
                raise
            self._run_locally(files, run, layout)  # raises the same with the row
            raise

    def _run_locally(self, files: _Files, run: RunSettings, layout: Layout) -> Answers:
        events = read_events(
            files.paths, layout, Dialect(header=files.header, columns=files.columns)
        )
        return _evaluate(events, run)

    def _run_on_spark(
        self,
        files: _Files,
        run: RunSettings,
        layout: Layout,
        master: str | None,
        shards: int | None,
    ) -> Answers:
        from horae.spark.rtlola.files import Files
        from horae.spark.session import session

        spark: SparkSession = session(master, shards, brief=not files.are_many(_BRIEF))
        wanted = Files(files.paths, layout, files.header, files.columns)
        try:
            answers = self._collect(spark, wanted, run, shards)
        except InputError as error:
            if error.code != "INP003":
                raise
            answers = self._collect(spark, replace(wanted, multi_line=True), run, shards)
        return rtlola_answers([answers], self.checked, run.resolution)

    def _collect(
        self, spark: SparkSession, wanted: Files, run: RunSettings, shards: int | None
    ) -> pa.Table:
        """The answers with their times in ticks."""
        from horae.spark.failures import unmarked
        from horae.spark.rtlola.files import read_frame

        with unmarked():
            frame = read_frame(spark, wanted)
            name = ", ".join(wanted.paths)
            return self._on_spark(frame, run, wanted.layout, shards, name).toArrow()

    def _on_spark(
        self,
        frame: DataFrame,
        run: RunSettings,
        layout: Layout,
        shards: int | None,
        name: str = "",
        *,
        is_shown: bool = False,
    ) -> DataFrame:
        from horae.spark.rtlola.batch import evaluate_frame
        from horae.spark.rtlola.door import open_door

        count = shards or frame.sparkSession.sparkContext.defaultParallelism * 2
        events = open_door(frame, layout, name)
        return evaluate_frame(
            events, self.plan, run.options, count, run.check_clocks, is_shown=is_shown
        )


def _evaluate(events: pa.Table, run: RunSettings) -> Answers:
    """In process, in order of time."""
    if len(events):
        times = events.column(TIME)
        run.check_clocks(times[0].as_py(), times[-1].as_py())
    answers = evaluate_table(run.program, events, run.options)
    return rtlola_answers(answers, run.program, run.resolution)


@dataclass(frozen=True)
class _Files:
    """What to read."""

    paths: tuple[str, ...]
    header: bool | None
    columns: tuple[str, ...] | None

    def are_many(self, limit: int) -> bool:
        """More than so many bytes; how many a topic has is not known."""
        if has_topic(self.paths):
            return True
        found = [file for path in self.paths for file in find_files(path)]
        return sum(file.stat().st_size for file in found) > limit


# So many bytes are read a second time here, to find the row of an error.
_READ_TWICE = 1 << 28
# So many take less time than the start of Spark.
_BRIEF = 1 << 26


Adapter = RTLolaProgram
