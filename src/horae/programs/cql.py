"""A CQL file, ready to run: here, over files, or on Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.catalogue_roll import INPUTS, Seconds
from horae.data.input_files import read_input_files
from horae.data.python_inputs import read_given_rows
from horae.data.roll import Names, called, open_roll
from horae.data.rows_of_inputs import TIME
from horae.data.schema import Input
from horae.data.time_points import EvaluationTimes, read_evaluation_times
from horae.data.topics import has_topic
from horae.engine.answers import Answers
from horae.engine.evaluation_times import find_times
from horae.languages.cql import program as cql
from horae.languages.cql.kernel.answers import sorted_answers
from horae.languages.cql.kernel.evaluate import evaluate
from horae.languages.cql.plan.algebra import Algebra
from horae.languages.cql.plan.make_algebra import make_algebra
from horae.languages.cql.report import CQLReport, analyze
from horae.languages.cql.translate.translate import translate
from horae.programs.given_frames import check_frames
from horae.programs.live_settings import read_settings, refuse_stream_options
from horae.source.diagnostic import Diagnostic
from horae.source.errors import InputError, ProgramError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from horae.programs.file_streams import FileStream
    from horae.spark.streaming.run import LiveFiles
    from horae.spark.streaming.stream import Live


@dataclass(frozen=True)
class CQLProgram:
    """Checked queries with all that can be done with them."""

    checked: cql.Program
    diagnostics: tuple[Diagnostic, ...]

    language: ClassVar[Literal["cql"]] = "cql"
    fields: ClassVar = ("time", "query", "row", "kind")

    @cached_property
    def plan(self) -> Algebra:
        return make_algebra(self.checked)

    @cached_property
    def report(self) -> CQLReport:
        """The queries, what a stream keeps, the plan, and how a stream is spread."""
        return analyze(self.checked)

    @cached_property
    def inputs(self) -> dict[str, Input]:
        """By name in lower case."""
        return {item.name.lower(): item for item in self.checked.inputs}

    @property
    def names(self) -> Names:
        """Those that rows may be of."""
        registered = [item.name for item in self.checked.inputs]
        seconds = Seconds.OF_WINDOWS if self.checked.counts_seconds else None
        return Names(registered, registered, INPUTS, any_case=True, seconds=seconds)

    def translate(self, to: str) -> str:
        """LARS rules for the core fragment; `ProgramError` names what is outside of it."""
        if to != "lars":
            raise ValueError(f"CQL is translated to `lars`, not to `{to}`")
        text, diagnostics = translate(self.checked)
        if text is None:
            raise ProgramError(self.checked.source, diagnostics)
        return text

    def evaluate(
        self,
        inputs: object,
        *,
        at: str | Sequence[object] | None = None,
        time: str = "time",
        order: str | None = None,
        strict: bool = False,
    ) -> Answers:
        """The answers to a few rows, in process: dicts as in the JSON Lines, sorted.

        `inputs` is the text of a `.facts` file, facts such as `("tram", ["a1", "p1", 36], 36)`, a path,
        or a dict of paths and tables (pandas, polars, Arrow, or lists of dicts) by stream and relation.
        """
        times = read_evaluation_times(at)
        with called(self.names, strict=strict):
            rows = read_given_rows(inputs, self.inputs, time=time, order=order)
        return self._evaluate(rows, times)

    def answers(
        self,
        frames: Mapping[str, DataFrame],
        *,
        time: str = "time",
        order: str | None = None,
        at: str | Sequence[object] | None = None,
        lateness: str | float = 0,
        idle: str | float | None = None,
        shards: int | None = None,
        strict: bool = False,
    ) -> DataFrame:
        """The answers over a DataFrame per stream and relation: streams in, a stream out.

        Columns: `time`, `query`, `row` (JSON text), `kind`, and `rank` to sort rows of a query by.
        """
        from horae.spark.cql.batch import answer_frame
        from horae.spark.cql.door import rows_of_frames
        from horae.spark.failures import unmarked

        times = read_evaluation_times(at)
        check_frames(frames, [item.name for item in self.checked.inputs])
        if any(frame.isStreaming for frame in frames.values()):
            live = self.live(
                frames,
                time=time,
                order=order,
                at=at,
                lateness=lateness,
                idle=idle,
                shards=shards,
                strict=strict,
            )
            return live.answers
        refuse_stream_options(lateness=lateness, idle=idle)
        with unmarked(), called(self.names, strict=strict):
            rows = rows_of_frames(frames, self.inputs, time=time, order=order)
            return answer_frame(self.plan, rows, times, shards)

    def live(
        self,
        frames: Mapping[str, DataFrame],
        *,
        time: str = "time",
        order: str | None = None,
        at: str | Sequence[object] | None = None,
        lateness: str | float = 0,
        idle: str | float | None = None,
        shards: int | None = None,
        bad_rows: str = "fail",
        control: DataFrame | None = None,
        strict: bool = False,
    ) -> Live:
        """Answers, late and bad rows of streams, as DataFrames of one operator.

        With `bad_rows="keep"`, rows that cannot be read do not end the stream.
        """
        from horae.spark.bad_rows import gate_for
        from horae.spark.failures import unmarked
        from horae.spark.streaming.cql import live_cql

        check_frames(frames, [item.name for item in self.checked.inputs])
        spark = next(iter(frames.values())).sparkSession
        with unmarked(), called(self.names, strict=strict):
            return live_cql(
                frames,
                self.plan,
                self.inputs,
                read_evaluation_times(at),
                read_settings(
                    spark, lateness=lateness, idle=idle, shards=shards, control=control, whole=True
                ),
                time=time,
                order=order,
                gate=gate_for(bad_rows),
            )

    def live_files(
        self,
        stream: FileStream,
        *,
        time: str | None = None,
        order: str | None = None,
        at: str | Sequence[object] | None = None,
        strict: bool = False,
    ) -> LiveFiles:
        """A stream of `.facts` files and tables, ready to run."""
        from horae.languages.cql.live.program import LiveCQL
        from horae.spark.failures import unmarked
        from horae.spark.streaming.row_sources import RowReader, late_row
        from horae.spark.streaming.run import LiveFiles
        from horae.spark.streaming.stream import run_live

        opened = stream.open(whole=True)
        is_all = opened.checkpoint.is_new
        with unmarked(), open_roll(self.names, strict=strict, is_all=is_all) as roll:
            found = RowReader(opened, self.inputs, time or "time", order).read()
            program = LiveCQL(
                self.plan, read_evaluation_times(at), found.relations, opened.settings.shards
            )
            live = run_live(program, found.rows, opened.settings)
        opened.remember(live, found.files, found.remembered, found.topics)
        return LiveFiles(
            live, opened.checkpoint, sorted_answers, lambda row: late_row(row, program.layout), roll
        )

    def run_files(
        self,
        inputs: Sequence[str],
        *,
        engine: str = "spark",
        time: str | None = None,
        order: str | None = None,
        at: str | Sequence[object] | None = None,
        master: str | None = None,
        shards: int | None = None,
        strict: bool = False,
    ) -> Answers:
        """The answers over `.facts` files and tables (`NAME=PATH`), sorted."""
        times, column = read_evaluation_times(at), time or "time"

        def read() -> dict[str, pa.Table]:
            with called(self.names, strict=strict):
                return read_input_files(inputs, self.inputs, time=column, order=order)

        if engine == "local":
            return self._evaluate(read(), times)
        try:
            with called(self.names, strict=strict):
                return self._run_on_spark(inputs, column, order, times, master, shards)
        except InputError as error:
            if error.code.startswith("INP") and not has_topic(inputs):
                read()  # with the true place
            raise

    def _evaluate(self, rows: dict[str, pa.Table], at: EvaluationTimes) -> Answers:
        streams = [rows[i.name].column(TIME) for i in self.checked.inputs if i.is_stream]
        points = [p for column in streams for p in pc.unique(column).to_pylist() if p is not None]
        times = find_times(at, points)
        return sorted_answers(evaluate(self.plan, rows, times))

    def _run_on_spark(
        self,
        inputs: Sequence[str],
        time: str,
        order: str | None,
        at: EvaluationTimes,
        master: str | None,
        shards: int | None,
    ) -> Answers:
        from horae.spark.cql.batch import answer_frame
        from horae.spark.cql.topics import rows_of_inputs
        from horae.spark.failures import unmarked
        from horae.spark.session import session

        spark = session(master, shards)
        with unmarked():
            rows = rows_of_inputs(spark, inputs, self.inputs, time=time, order=order)
            return sorted_answers(answer_frame(self.plan, rows, at, shards).toArrow())


Adapter = CQLProgram
