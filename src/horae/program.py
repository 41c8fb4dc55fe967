"""A program of any language, ready to run: here, over files, or on Spark.

What can be done with it is the same for all languages; how it is done, the record of its language says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

from horae.data.formats.table_file import delimited
from horae.data.given_source import SourceFormat, source_for_spark
from horae.data.roll import called, open_roll
from horae.engine.language import Checked, Language
from horae.engine.options import RunOptions, Scope, options_of
from horae.source.diagnostic import Diagnostic
from horae.spark.given_frames import check_frame, check_frames
from horae.spark.streaming.settings import default_shards, refuse_stream_options, settings_of

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from horae.data.schema import TableSchema
    from horae.data.targets import CatalogTable, Directory, TopicTarget
    from horae.engine.answers import Answers
    from horae.engine.plan import Plan
    from horae.engine.report.report import Report
    from horae.engine.run import Run
    from horae.engine.typed_answers import Schemas
    from horae.spark.file_runs import FileRun
    from horae.spark.sinks.tables import Written
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
        from horae.engine.typed_answers import TablesInProcess

        run = self.prepare(options)
        with delimited(run.options.delimiter), called(run.names, strict=run.options.strict):
            records = run.read_values(inputs)
        return run.evaluate(records).with_tables(TablesInProcess(run, inputs))

    def schema(
        self,
        output: str,
        inputs: DataFrame | Mapping[str, DataFrame] | object = None,
        **options: object,
    ) -> pa.Schema:
        """The columns of the typed table of an output, known before a run.

        Times have the type of those of the `inputs`, and arguments of rules follow from its columns;
        without inputs, times are seconds or time points, and such arguments text.
        """
        from horae.engine.typed_answers import known_output

        schemas = self._schemas(self.prepare(options, *Scope), inputs)
        return schemas[known_output(output, schemas)]

    def run_files(
        self,
        inputs: Sequence[str],
        *,
        engine: str = "spark",
        master: str | None = None,
        input_format: str | None = None,
        input_options: Mapping[str, str] | None = None,
        **options: object,
    ) -> Answers:
        """The answers over files, `PATH` or `NAME=PATH`, sorted; `engine` is `spark` or `local`.

        Spark also reads tables of its catalog, `table:db.events`, and with `input_format` (and
        `input_options`) any source that it knows; a path may be empty there.
        """
        run = self.prepare(options, Scope.SPARK)
        source = None if input_format is None else SourceFormat(input_format, input_options or {})
        with delimited(run.options.delimiter):
            if engine == "local":
                if source is not None:
                    raise source_for_spark(source.name)
                return self._evaluate_files(run, inputs)
            return _on_spark(run, inputs, source, master).collected()

    def run_parts(
        self,
        inputs: Sequence[str],
        *,
        engine: str = "spark",
        master: str | None = None,
        source: SourceFormat | None = None,
        **options: object,
    ) -> Iterator[Answers]:
        """The same answers in parts that follow each other: in bounded memory on Spark."""
        run = self.prepare(options, Scope.SPARK)
        with delimited(run.options.delimiter):
            if engine == "local":
                return iter([self._evaluate_files(run, inputs)])
            return _on_spark(run, inputs, source, master).parts()

    def write(
        self,
        inputs: Sequence[str],
        target: Directory | CatalogTable | TopicTarget,
        *,
        master: str | None = None,
        source: SourceFormat | None = None,
        overwrite: bool = False,
        **options: object,
    ) -> Written:
        """Answers over files as typed tables, or records of a topic, that Spark's workers write."""
        run = self.prepare(options, Scope.SPARK)
        with delimited(run.options.delimiter):
            return _on_spark(run, inputs, source, master).written(target, overwrite=overwrite)

    def output_names(self, **options: object) -> list[str]:
        """Of the typed tables that a run with these options gives."""
        import pyarrow as pa

        from horae.data.input_types import NOTHING_KNOWN

        return [*self.prepare(options, *Scope).schemas(NOTHING_KNOWN, pa.string())]

    def _evaluate_files(self, run: Run, inputs: Sequence[str]) -> Answers:
        from horae.engine.typed_answers import TablesOfFiles

        tables = TablesOfFiles(run, tuple(inputs))
        with called(run.names, strict=run.options.strict):
            records = run.read_files(inputs)
        return run.evaluate(records).with_tables(tables)

    # --- on Spark

    def answers(
        self,
        frames: DataFrame | Mapping[str, DataFrame],
        output: str | None = None,
        **options: object,
    ) -> DataFrame:
        """The answers over DataFrames: of a stream, a stream. Several tables come in a dict.

        All of them in one table: `time`, `name`, and a struct per output, null in the answers of others.
        With `output`, the typed table of that one; `schema` tells its columns. The input is scanned once
        at once; all else is lazy. A bad row raises `InputError`.
        """
        from horae.engine.typed_answers import known_output
        from horae.spark.bad_rows import telling
        from horae.spark.doors import answer_frames, door_of
        from horae.spark.failures import unmarked

        run = self.prepare(options, *Scope)
        given = _checked_frames(run, frames)
        if output is not None:
            known_output(output, self._schemas(run, given))
            run = self.prepare({**options, "only": [output]}, *Scope)
        if any(frame.isStreaming for frame in given.values()):
            return self._live(run, given, None).of_output(output)
        refuse_stream_options(run.options)
        schemas = self._schemas(run, given)
        with unmarked(), called(run.names, strict=run.options.strict):
            door, count = door_of(run), default_shards(_spark_of(given), run.options)
            told = door.frames(given, telling)
            return answer_frames(run, door.frames(given), told, count, schemas, output)

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
        run = self.prepare(options, *Scope)
        return self._live(run, _checked_frames(run, frames), control)

    def _live(self, run: Run, given: Mapping[str, DataFrame], control: DataFrame | None) -> Live:
        from horae.spark.bad_rows import gate_for
        from horae.spark.doors import door_of, run_stream
        from horae.spark.failures import unmarked

        gate = gate_for(run.options.bad_rows)
        with unmarked(), called(run.names, strict=run.options.strict):
            found = door_of(run).live_frames(given, gate)
            settings = settings_of(_spark_of(given), run.options, control)
            return run_stream(run, found, settings, gate, self._schemas(run, given))

    def live_files(self, stream: FileStream, **options: object) -> LiveFiles:
        """A stream of files and topics, ready to run."""
        run = self.prepare({**options, **stream.options}, *Scope)
        opened = stream.open(run.options, has_names=run.has_names)
        opened = opened.divided(stream.source, has_names=run.has_names)
        from horae.spark.doors import door_of, run_stream
        from horae.spark.failures import unmarked
        from horae.spark.streaming.run import LiveFiles

        strict, is_all = run.options.strict, opened.checkpoint.is_new
        with (
            delimited(run.options.delimiter),
            unmarked(),
            open_roll(run.names, strict=strict, is_all=is_all) as roll,
        ):
            found = door_of(run).stream(opened)
            schemas = opened.schemas(run) if stream.has_tables else None
            live = run_stream(run, found, opened.settings, opened.gate, schemas)
        opened.remember(live, found.files, found.remembered, found.topics)
        ticks = run.resolution(live.program)
        return LiveFiles(run, live, opened.checkpoint, roll, ticks, opened.is_at_once)

    # --- options

    def _schemas(self, run: Run, inputs: object) -> Schemas:
        """Of typed tables; where the types of the input say nothing, columns are text."""
        import pyarrow as pa

        from horae.spark.given_frames import known_types

        return run.schemas(known_types(inputs), pa.string())

    def prepare(self, given: Mapping[str, object], *scopes: Scope) -> Run:
        """A run with these options; of those that only some runs take, the ones of these scopes."""
        options, known = self.options.read(given), options_of(self.options)
        for name in given:
            scope = known[name].scope
            if scope not in (Scope.ALL, *scopes):
                raise TypeError(f"`{name}` is for {scope}: leave it out")
        if options.only is not None:
            options.check_only(self._run(replace(options, only=None)).outputs)
        return self._run(options)

    def _run(self, options: RunOptions) -> Run:
        return self.record.run(self.record.fit(self.checked, options), options)


# --- files


def _on_spark(
    run: Run, inputs: Sequence[str], source: SourceFormat | None, master: str | None
) -> FileRun:
    from horae.spark.brief import Kind, brief_run, bytes_of
    from horae.spark.session import starting

    size = None if source is not None else bytes_of(inputs, has_names=run.has_names)
    on_its_way = starting(master, run.options.shards, brief=brief_run(Kind.BATCH, size))
    from horae.spark.file_runs import FileRun  # to load it takes as long as a JVM

    return FileRun(run, inputs, source, on_its_way)


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
