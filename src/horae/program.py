"""A program of any language, ready to run: here, over files, or on Spark.

What can be done with it is the same for all languages; how it is done, the record of its language says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, cast

from horae.data import catalogue
from horae.data.endings import EVENTS, FACTS_TEXT
from horae.data.facts import named_path
from horae.data.files import find_files
from horae.data.formats.table_file import delimited, lines_in_cells
from horae.data.roll import called, open_roll
from horae.data.topics import has_topic
from horae.engine.language import Checked, Language
from horae.engine.options import RunOptions, Scope, options_of
from horae.source.diagnostic import Diagnostic
from horae.source.errors import InputError
from horae.spark.given_frames import check_frame, check_frames
from horae.spark.streaming.settings import default_shards, refuse_stream_options, settings_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from horae.data.schema import TableSchema
    from horae.engine.answers import Answers
    from horae.engine.plan import Plan
    from horae.engine.report.report import Report
    from horae.engine.run import Run
    from horae.spark.streaming.file_stream import FileStream
    from horae.spark.streaming.run import LiveFiles
    from horae.spark.streaming.stream import Live


@dataclass(frozen=True)
class Program:
    """A checked program. The keyword options of its runs are those of its language.

    `help(program.options)` lists them. One that the language does not have is a `TypeError`; one whose
    value cannot be read, a `ValueError`.
    """

    record: Language
    checked: Checked
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def language(self) -> str:
        """Its name."""
        return self.record.name

    @property
    def fields(self) -> tuple[str, ...]:
        """The columns of a table of answers; an answer fills those that it has."""
        return self.record.fields

    @property
    def options(self) -> type[RunOptions]:
        return self.record.options()

    # --- what is known before a run

    @property
    def inputs(self) -> Sequence[TableSchema]:
        """The tables that it reads; the one of a language that reads one has no name."""
        return self.record.inputs(self.checked)

    @property
    def outputs(self) -> Sequence[TableSchema]:
        """The tables that it gives: streams and triggers, predicates, queries."""
        return self.record.outputs(self.checked)

    @property
    def plan(self) -> Plan:
        """How the program is spread: its stages, and the ways to their shards."""
        return self.report.plan

    @cached_property
    def report(self) -> Report:
        """What the analysis knows: bounds, delays, and the plan."""
        return self.record.report(self.checked)

    def report_for(self, **numbers: object) -> Report:
        """The report with bounds as numbers, for an input of which these numbers are known."""
        for name in numbers:
            if name not in self.record.report_numbers:
                known = ", ".join(self.record.report_numbers) or "none"
                raise TypeError(
                    f"`{name}` is no number of {self.record.title} reports; they take {known}"
                )
        return self.record.report(self.checked, **numbers)

    def translate(self, to: str) -> str:
        """The program in another form; `ProgramError` names what has none."""
        translation = self.record.translations.get(to)
        if translation is None:
            known = " or ".join(f"`{name}`" for name in self.record.translations)
            raise ValueError(
                f"{self.record.title} is translated to {known}, not to `{to}`"
                if known
                else f"{self.record.title} is not translated to other forms"
            )
        return translation(self.checked)

    # --- in process

    def evaluate(self, inputs: object, **options: object) -> Answers:
        """The answers to what a Python program has, in process: a sequence of dicts, sorted.

        `inputs` are tables (pandas, polars, Arrow), lists of dicts, or paths; by name, where the
        language reads several. Rules and queries also take facts, and the text of a `.facts` file.
        """
        run = self._run(options)
        with delimited(run.options.delimiter), called(run.names, strict=run.options.strict):
            records = run.read_values(inputs)
        return run.evaluate(records)

    def run_files(
        self,
        inputs: Sequence[str],
        *,
        engine: str = "spark",
        master: str | None = None,
        **options: object,
    ) -> Answers:
        """The answers over files, `PATH` or `NAME=PATH`, sorted; `engine` is `spark` or `local`."""
        run = self._run(options, Scope.SPARK)
        with delimited(run.options.delimiter):
            if engine == "local":
                return run.evaluate(_read_files(run, inputs))
            return _run_on_spark(run, inputs, master)

    # --- on Spark

    def answers(
        self,
        frames: DataFrame | Mapping[str, DataFrame],
        output: str | None = None,
        **options: object,
    ) -> DataFrame:
        """The answers over DataFrames: of a stream, a stream. Several tables come in a dict.

        The input is scanned once at once; all else is lazy. A bad row raises `InputError`.

        RTLola has `time` (seconds), `position`, which orders the values of one instance at equal times,
        `stream`, `params` and `value` (JSON text), `trigger`, `message`, `condition`. With `output`, the
        values of that one, typed: `time`, a column per parameter (with its name; `time_` and `value_`
        for parameters called `time` and `value`), and `value`. DatalogMTL has `predicate`, `args` (JSON
        text), `interval`, and `lo`, `hi` to sort by; with `at`: `time`, `predicate`, `args`, `ticks`.
        LARS has `time`, `at`, `answer`, `predicate`, `args`; a time point without an answer has nothing
        but its time. CQL has `time`, `query`, `row` (JSON text), `kind`, and `rank` to sort rows by.
        """
        if output is not None and self.record.name != "rtlola":
            raise TypeError(f"{self.record.title} has no output streams: leave `output` out")
        from horae.spark.bad_rows import telling
        from horae.spark.doors import answer_frames, door_of
        from horae.spark.failures import unmarked

        run = self._run(options, *Scope)
        given = _checked_frames(run, frames)
        if any(frame.isStreaming for frame in given.values()):
            return self._live(run, given, None).of_output(partial(run.shape, output=output))
        refuse_stream_options(run.options)
        with unmarked(), called(run.names, strict=run.options.strict):
            door, count = door_of(run), default_shards(_spark_of(given), run.options)
            told = door.frames(given, telling)
            return answer_frames(run, door.frames(given), told, count, output)

    def live(
        self,
        frames: DataFrame | Mapping[str, DataFrame],
        *,
        control: DataFrame | None = None,
        **options: object,
    ) -> Live:
        """Answers, late and bad rows of streams, as DataFrames of one operator.

        Frames that are not streams are there before the streams start. With `bad_rows="keep"`, rows
        that cannot be read do not end the stream.
        """
        run = self._run(options, *Scope)
        return self._live(run, _checked_frames(run, frames), control)

    def _live(self, run: Run, given: Mapping[str, DataFrame], control: DataFrame | None) -> Live:
        from horae.spark.bad_rows import gate_for
        from horae.spark.doors import door_of, run_stream
        from horae.spark.failures import unmarked

        gate = gate_for(run.options.bad_rows)
        with unmarked(), called(run.names, strict=run.options.strict):
            found = door_of(run).live_frames(given, gate)
            settings = settings_of(_spark_of(given), run.options, control)
            return run_stream(run, found, settings, gate)

    def live_files(self, stream: FileStream, **options: object) -> LiveFiles:
        """A stream of files and topics, ready to run."""
        from horae.spark.doors import door_of, run_stream
        from horae.spark.failures import unmarked
        from horae.spark.streaming.run import LiveFiles

        run = self._run({**options, **stream.options}, *Scope)
        opened = stream.open(run.options)
        strict, is_all = run.options.strict, opened.checkpoint.is_new
        with (
            delimited(run.options.delimiter),
            unmarked(),
            open_roll(run.names, strict=strict, is_all=is_all) as roll,
        ):
            found = door_of(run).stream(opened)
            live = run_stream(run, found, opened.settings, opened.gate)
        opened.remember(live, found.files, found.remembered, found.topics)
        answers = partial(run.answers, live.program)
        ticks = run.resolution(live.program)
        return LiveFiles(live, opened.checkpoint, answers, run.shown, roll, ticks)

    # --- options

    def _run(self, given: Mapping[str, object], *scopes: Scope) -> Run:
        """Of options that such a run takes."""
        options, known = self.options.read(given), options_of(self.options)
        for name in given:
            scope = known[name].scope
            if scope not in (Scope.ALL, *scopes):
                raise TypeError(f"`{name}` is for {scope}: leave it out")
        return self.record.run(self.record.fit(self.checked, options), options)


# --- files


def _read_files(run: Run, paths: Sequence[str]) -> Any:
    with called(run.names, strict=run.options.strict):
        return run.read_files(paths)


def _run_on_spark(run: Run, inputs: Sequence[str], master: str | None) -> Answers:
    try:
        return _collected(run, inputs, master)
    except InputError as error:
        if has_topic(inputs):
            raise
        if error.code in run.too_narrow:
            return run.evaluate(_read_files(run, inputs))
        _say_with_row(run, inputs, error)
        raise


def _collected(run: Run, inputs: Sequence[str], master: str | None) -> Answers:
    """Spark cuts files at any line, until it meets a cell that has several."""
    try:
        return _answered_by_spark(run, inputs, master)
    except InputError as error:
        if error.code != catalogue.UNREADABLE:
            raise
        with lines_in_cells():
            return _answered_by_spark(run, inputs, master)


def _answered_by_spark(run: Run, inputs: Sequence[str], master: str | None) -> Answers:
    from horae.spark.doors import answer_records, door_of
    from horae.spark.failures import unmarked
    from horae.spark.kept import kept_for
    from horae.spark.session import session

    brief = not has_topic(inputs) and _bytes_of(run, inputs) <= _BRIEF
    spark = session(master, run.options.shards, brief=brief)
    with unmarked(), called(run.names, strict=run.options.strict):
        with kept_for(run, door_of(run).files(spark, inputs)) as records:
            found = answer_records(run, records, default_shards(spark, run.options))
            table = found.frame.toArrow()
        return run.answers(found.program, table)


def _say_with_row(run: Run, inputs: Sequence[str], error: InputError) -> None:
    """Read in this process, what is wrong has the number of its row."""
    if error.code.startswith("INP"):
        _read_files(run, inputs)
    elif run.tells_rows and error.code.startswith("RUN") and _bytes_of(run, inputs) <= _READ_TWICE:
        run.evaluate(_read_files(run, inputs))


def _bytes_of(run: Run, inputs: Sequence[str]) -> int:
    paths = [named_path(text)[1] if run.has_names else text for text in inputs]
    files = [file for path in paths for file in find_files(path, (*EVENTS, FACTS_TEXT))]
    return sum(file.stat().st_size for file in files)


_READ_TWICE = 1 << 28
"""So many bytes are read a second time, to find the row of an error."""
_BRIEF = 1 << 26
"""So many take less time than the start of Spark."""


# --- frames


def _checked_frames(
    run: Run, frames: DataFrame | Mapping[str, DataFrame]
) -> Mapping[str, DataFrame]:
    """By their names; the table of a language that reads one has none."""
    if run.has_names:
        check_frames(frames, sorted(run.names.known))
        return cast("Mapping[str, DataFrame]", frames)
    check_frame(frames)
    return {"": cast("DataFrame", frames)}


def _spark_of(frames: Mapping[str, DataFrame]) -> SparkSession:
    return next(iter(frames.values())).sparkSession
