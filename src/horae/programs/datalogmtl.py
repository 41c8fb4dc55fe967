"""A DatalogMTL program, ready to run: here, over files, or on Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal

from horae.data.answer_times import AnswerTimes, answer_times, read_at, read_horizon, read_number
from horae.data.catalogue_roll import PREDICATES, Seconds
from horae.data.facts import read_fact_files
from horae.data.predicate_facts import PredicateFacts, times_of_columns
from horae.data.python_inputs import read_given_facts
from horae.data.roll import Names, called, open_roll
from horae.data.topics import has_topic
from horae.engine.answers import Answers
from horae.languages.datalogmtl import program as datalogmtl
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.languages.datalogmtl.check.normalise import normalise
from horae.languages.datalogmtl.check.print_normal import print_normal
from horae.languages.datalogmtl.kernel.answers import answer_dicts, interval_answers, point_answers
from horae.languages.datalogmtl.kernel.evaluate import evaluate, program_facts
from horae.languages.datalogmtl.options import DatalogMTLOptions
from horae.languages.datalogmtl.plan.make_stages import make_stages
from horae.languages.datalogmtl.plan.stages import StagedProgram
from horae.languages.datalogmtl.report import DatalogMTLReport, analyze
from horae.programs.given_frames import check_frames
from horae.programs.live_settings import read_settings, refuse_stream_options
from horae.source.diagnostic import Diagnostic
from horae.source.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from horae.programs.file_streams import FileStream
    from horae.spark.streaming.run import LiveFiles
    from horae.spark.streaming.stream import Live

_PRECISION = "1/1000000"

# Times that the columns of Spark do not hold: of a fact, in ticks, or derived.
TOO_NARROW = frozenset(("INP026", "RUN010", "RUN045"))


@dataclass(frozen=True)
class DatalogMTLProgram:
    """A checked program with all that can be done with it."""

    checked: datalogmtl.Program
    diagnostics: tuple[Diagnostic, ...]

    language: ClassVar[Literal["datalogmtl"]] = "datalogmtl"
    fields: ClassVar = ("time", "predicate", "args", "interval")

    @cached_property
    def normal(self) -> NormalProgram:
        return normalise(self.checked)

    @cached_property
    def plan(self) -> StagedProgram:
        return make_stages(self.normal)

    @cached_property
    def report(self) -> DatalogMTLReport:
        """Fragment, windows, bounds, delays, and the shard plan."""
        return self.report_for()

    def report_for(
        self,
        *,
        objects: int | None = None,
        gcd: str | Fraction | None = None,
        step: str | Fraction | None = None,
    ) -> DatalogMTLReport:
        """The report with the bounds as numbers, for a stream with so many constants, whose times are
        multiples of `gcd`, decided `step` by `step`.
        """
        numbers = (read_number("gcd", gcd), read_number("step", step))
        return analyze(self.checked, objects=objects, gcd=numbers[0], step=numbers[1])

    def translate(self, to: str) -> str:
        """The program in normal form, as text."""
        if to != "normal":
            raise ValueError(f"DatalogMTL is translated to `normal`, not to `{to}`")
        return print_normal(self.normal)

    @property
    def names(self) -> Names:
        """Those that facts may be about."""
        said = {fact.atom.predicate for fact in self.checked.facts} | self.checked.derived
        return Names(
            self.checked.arities,
            self.checked.arities.keys() - said,
            PREDICATES,
            seconds=Seconds.BESIDE_DATES,
        )

    def evaluate(
        self,
        inputs: object,
        *,
        at: str | Sequence[object] | None = None,
        horizon: str | float | Fraction | None = None,
        time: str = "time",
        strict: bool = False,
    ) -> Answers:
        """The answers to a few facts, in process: dicts as in the JSON Lines, sorted.

        `inputs` is the text of a `.facts` file, facts such as `("up", ["a"], "[1,5/2)")`, a path, or a
        dict of paths and tables (pandas, polars, Arrow, or lists of dicts) by predicate.
        """
        with called(self.names, strict=strict):
            facts = read_given_facts(
                inputs, self.checked.arities, time=time, clock=self.checked.clock
            )
        return self._evaluate(facts, read_at(at), read_horizon(horizon))

    def answers(
        self,
        frames: Mapping[str, DataFrame],
        *,
        time: str = "time",
        at: str | Sequence[object] | None = None,
        horizon: str | float | Fraction | None = None,
        lateness: str | float | Fraction = 0,
        idle: str | float | Fraction | None = None,
        precision: str | Fraction = _PRECISION,
        shards: int | None = None,
        strict: bool = False,
    ) -> DataFrame:
        """The answers over a DataFrame per predicate, as a DataFrame; streams in, a stream out.

        Columns: `predicate`, `args` (JSON text), `interval`, and `lo`, `hi` to sort by; with `at`:
        `time`, `predicate`, `args`, and `ticks`.
        """
        from horae.spark.bad_rows import telling
        from horae.spark.datalogmtl.answers import answer_frame
        from horae.spark.datalogmtl.batch import evaluate_facts
        from horae.spark.datalogmtl.door import facts_of_frames
        from horae.spark.failures import unmarked

        check_frames(frames, sorted(self.checked.arities))
        if any(frame.isStreaming for frame in frames.values()):
            live = self.live(
                frames,
                time=time,
                at=at,
                horizon=horizon,
                lateness=lateness,
                idle=idle,
                precision=precision,
                shards=shards,
                strict=strict,
            )
            return live.answers
        coarse = None if precision == _PRECISION else precision
        refuse_stream_options(lateness=lateness, idle=idle, precision=coarse)
        with unmarked(), called(self.names, strict=strict):
            arities, clock = self.checked.arities, self.checked.clock
            facts = facts_of_frames(frames, arities, time=time, clock=clock)
            told = facts_of_frames(frames, arities, time=time, clock=clock, gate=telling)
            count = shards or facts.sparkSession.sparkContext.defaultParallelism * 2
            end, domain = read_horizon(horizon), read_at(at)
            derived = evaluate_facts(facts, self.plan, count, horizon=end, at=domain, told=told)
        return answer_frame(derived)

    def live(
        self,
        frames: Mapping[str, DataFrame],
        *,
        time: str = "time",
        at: str | Sequence[object] | None = None,
        horizon: str | float | Fraction | None = None,
        lateness: str | float | Fraction = 0,
        idle: str | float | Fraction | None = None,
        precision: str | Fraction = _PRECISION,
        shards: int | None = None,
        bad_rows: str = "fail",
        control: DataFrame | None = None,
        strict: bool = False,
    ) -> Live:
        """Answers, late facts and bad rows of streams, as DataFrames of one operator.

        Frames that are not streams are given before the streams start. All times are multiples of
        `precision`. A fact counts for lateness where its interval begins. With `bad_rows="keep"`, rows
        that cannot be read do not end the stream.
        """
        from horae.spark.bad_rows import gate_for
        from horae.spark.failures import unmarked
        from horae.spark.streaming.facts import live_datalogmtl

        check_frames(frames, sorted(self.checked.arities))
        spark = next(iter(frames.values())).sparkSession
        exact = DatalogMTLOptions.read({"precision": precision}).precision
        with unmarked(), called(self.names, strict=strict):
            return live_datalogmtl(
                frames,
                self.normal,
                read_settings(spark, lateness=lateness, idle=idle, shards=shards, control=control),
                time=time,
                precision=exact,
                at=read_at(at),
                horizon=read_horizon(horizon),
                gate=gate_for(bad_rows),
            )

    def live_files(
        self,
        stream: FileStream,
        *,
        time: str | None = None,
        at: str | Sequence[object] | None = None,
        horizon: str | float | Fraction | None = None,
        precision: str | Fraction = _PRECISION,
        strict: bool = False,
    ) -> LiveFiles:
        """A stream of `.facts` files and tables, ready to run."""
        from horae.data.fact_columns import shown_fact
        from horae.languages.datalogmtl.live.program import LiveDatalogMTL
        from horae.spark.failures import unmarked
        from horae.spark.streaming.fact_sources import FactSourceReader
        from horae.spark.streaming.facts import datalogmtl_facts
        from horae.spark.streaming.run import LiveFiles

        exact = DatalogMTLOptions.read({"precision": precision}).precision
        opened = stream.open()
        is_all = opened.checkpoint.is_new
        with unmarked(), open_roll(self.names, strict=strict, is_all=is_all) as roll:
            found = FactSourceReader(
                opened, self.checked.arities, time or "time", clock=self.checked.clock
            ).read()
            live = datalogmtl_facts(
                found.facts,
                found.given,
                self.normal,
                opened.settings,
                precision=exact,
                at=read_at(at),
                horizon=read_horizon(horizon),
                gate=opened.gate,
            )
        opened.remember(live, found.files, found.remembered, found.topics)
        assert isinstance(live.program, LiveDatalogMTL), "it was just made"
        return LiveFiles(
            live, opened.checkpoint, answer_dicts, shown_fact, roll, live.program.resolution
        )

    def run_files(
        self,
        inputs: Sequence[str],
        *,
        engine: str = "spark",
        time: str | None = None,
        at: str | Sequence[object] | None = None,
        horizon: str | float | Fraction | None = None,
        master: str | None = None,
        shards: int | None = None,
        strict: bool = False,
    ) -> Answers:
        """The answers over `.facts` files and tables (`NAME=PATH`), sorted."""
        domain, end, column = read_at(at), read_horizon(horizon), time or "time"

        def read() -> list[PredicateFacts]:
            with called(self.names, strict=strict):
                return self._files(inputs, column)

        if engine == "local":
            return self._evaluate(read(), domain, end)
        try:
            with called(self.names, strict=strict):
                return self._run_on_spark(inputs, column, domain, end, master, shards)
        except InputError as error:
            if not has_topic(inputs) and error.code in TOO_NARROW:
                facts = self._files(inputs, column)
                return self._evaluate(facts, domain, end)  # in integers of any size
            if error.code.startswith("INP") and not has_topic(inputs):
                read()  # with the true place
            raise

    def _files(self, inputs: Sequence[str], time: str) -> list[PredicateFacts]:
        return read_fact_files(inputs, self.checked.arities, time=time, clock=self.checked.clock)

    def _evaluate(
        self, facts: list[PredicateFacts], at: AnswerTimes | None, horizon: Fraction | None
    ) -> Answers:
        if at is None:
            found = evaluate(self.normal, facts, horizon=horizon)
            return interval_answers(found.found, found.symbols, found.timeline)
        known = times_of_columns([*program_facts(self.normal), *facts])
        times = [*answer_times(at, known, horizon)]
        found = evaluate(self.normal, facts, horizon=horizon, at=times)
        points = [found.timeline.ticks(time) for time in times]
        return point_answers(found.found, found.symbols, found.timeline, points)

    def _run_on_spark(
        self,
        inputs: Sequence[str],
        time: str,
        at: AnswerTimes | None,
        horizon: Fraction | None,
        master: str | None,
        shards: int | None,
    ) -> Answers:
        from horae.spark.datalogmtl.answers import collect_answers
        from horae.spark.datalogmtl.batch import evaluate_facts
        from horae.spark.datalogmtl.topics import facts_of_inputs
        from horae.spark.failures import unmarked
        from horae.spark.session import session

        spark = session(master, shards)
        with unmarked():
            facts = facts_of_inputs(
                spark, inputs, self.checked.arities, time=time, clock=self.checked.clock
            )
            count = shards or spark.sparkContext.defaultParallelism * 2
            derived = evaluate_facts(facts, self.plan, count, horizon=horizon, at=at)
            return collect_answers(derived)


Adapter = DatalogMTLProgram
