"""A LARS program, ready to run: here, over files, or on Spark."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar, Literal

import pyarrow as pa

from horae.data.catalogue_roll import PREDICATES, Seconds
from horae.data.fact_columns import facts_of_rows
from horae.data.facts import read_fact_files
from horae.data.predicate_facts import PredicateFacts
from horae.data.python_inputs import read_given_facts
from horae.data.roll import Names, called, open_roll
from horae.data.time_points import EvaluationTimes, read_evaluation_times
from horae.data.topics import has_topic
from horae.engine.answers import Answers
from horae.languages.lars import program as lars
from horae.languages.lars.answers import lars_answers
from horae.languages.lars.kernel.facts import StreamCheck
from horae.languages.lars.kernel.options import Options
from horae.languages.lars.live import LiveLARS, evaluate, to_rows, whole_lars
from horae.languages.lars.options import LARSOptions
from horae.languages.lars.plan.route_program import route_program
from horae.languages.lars.plan.routes import RoutedProgram
from horae.languages.lars.report import LARSReport, analyze
from horae.programs.given_frames import check_frames
from horae.programs.live_settings import read_settings, refuse_stream_options
from horae.source.diagnostic import Diagnostic
from horae.source.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from horae.programs.file_streams import FileStream
    from horae.spark.streaming.run import LiveFiles
    from horae.spark.streaming.stream import Live

Time = str | float | Fraction


@dataclass(frozen=True)
class LARSProgram:
    """A checked program with all that can be done with it."""

    checked: lars.Program
    diagnostics: tuple[Diagnostic, ...]

    language: ClassVar[Literal["lars"]] = "lars"
    fields: ClassVar = ("time", "at", "answer", "predicate", "args", "inconsistent")

    @cached_property
    def plan(self) -> RoutedProgram:
        return route_program(self.checked)

    @cached_property
    def report(self) -> LARSReport:
        """Fast path and solver, what a stream keeps, delays, and the shard plan."""
        return analyze(self.checked)

    @property
    def names(self) -> Names:
        """Those that facts may be about."""
        said = {fact.atom.predicate for fact in self.checked.facts} | self.checked.derived
        seconds = Seconds.OF_WINDOWS if self.checked.counts_seconds else None
        awaited = self.checked.arities.keys() - said
        return Names(self.checked.arities, awaited, PREDICATES, seconds=seconds)

    def evaluate(
        self,
        inputs: object,
        *,
        at: str | Sequence[object] | None = None,
        mode: str = "stateless",
        consequences: str = "all",
        answers: int | str | None = None,
        horizon: Time | None = None,
        time: str = "time",
        order: str | None = None,
        strict: bool = False,
    ) -> Answers:
        """The answers to a few facts, in process: dicts as in the JSON Lines, sorted.

        `inputs` is the text of a `.facts` file, facts such as `("tram", ["a1", "p1"], 36)`, a path, or a
        dict of paths and tables (pandas, polars, Arrow, or lists of dicts) by predicate.
        """
        options = read_options(mode, consequences, answers, horizon)
        with called(self.names, strict=strict):
            facts = read_given_facts(
                inputs,
                self.checked.arities,
                time=time,
                order=order,
                others=True,
                check=StreamCheck(self.checked.derived),
                clock=self.checked.clock,
            )
        return self._evaluate(facts, read_evaluation_times(at), options)

    def answers(
        self,
        frames: Mapping[str, DataFrame],
        *,
        time: str = "time",
        order: str | None = None,
        at: str | Sequence[object] | None = None,
        mode: str = "stateless",
        consequences: str = "all",
        answers: int | str | None = None,
        horizon: Time | None = None,
        lateness: str | float = 0,
        idle: str | float | None = None,
        shards: int | None = None,
        strict: bool = False,
    ) -> DataFrame:
        """The answers over a DataFrame per predicate, as a DataFrame; streams in, a stream out.

        Columns: `time`, `at`, `answer`, `predicate`, `args` (JSON text); a time point without an answer
        has nothing but its time.
        """
        from horae.spark.bad_rows import telling
        from horae.spark.datalogmtl.door import facts_of_frames
        from horae.spark.fact_batch import answer_facts
        from horae.spark.failures import unmarked

        options = read_options(mode, consequences, answers, horizon)
        check_frames(frames, sorted(self.checked.arities))
        if any(frame.isStreaming for frame in frames.values()):
            live = self.live(
                frames,
                time=time,
                order=order,
                at=at,
                mode=mode,
                consequences=consequences,
                answers=answers,
                horizon=horizon,
                lateness=lateness,
                idle=idle,
                shards=shards,
                strict=strict,
            )
            return live.answers
        refuse_stream_options(lateness=lateness, idle=idle)
        with unmarked(), called(self.names, strict=strict):
            arities, clock = self.checked.arities, self.checked.clock
            facts = facts_of_frames(frames, arities, time=time, order=order, clock=clock)
            told = facts_of_frames(
                frames, arities, time=time, order=order, clock=clock, gate=telling
            )
            count = shards or facts.sparkSession.sparkContext.defaultParallelism * 2
            whole = self._whole(read_evaluation_times(at), options, count)
            return answer_facts(facts, whole, self._to_rows, told=told)

    def live(
        self,
        frames: Mapping[str, DataFrame],
        *,
        time: str = "time",
        order: str | None = None,
        at: str | Sequence[object] | None = None,
        mode: str = "stateless",
        consequences: str = "all",
        answers: int | str | None = None,
        horizon: Time | None = None,
        lateness: str | float = 0,
        idle: str | float | None = None,
        shards: int | None = None,
        bad_rows: str = "fail",
        control: DataFrame | None = None,
        strict: bool = False,
    ) -> Live:
        """Answers, late facts and bad rows of streams, as DataFrames of one operator.

        Frames that are not streams are background data. With `bad_rows="keep"`, rows that cannot be read
        do not end the stream.
        """
        from horae.spark.bad_rows import gate_for
        from horae.spark.failures import unmarked
        from horae.spark.streaming.facts import live_lars

        check_frames(frames, sorted(self.checked.arities))
        spark = next(iter(frames.values())).sparkSession
        with unmarked(), called(self.names, strict=strict):
            return live_lars(
                frames,
                self.plan,
                read_evaluation_times(at),
                read_options(mode, consequences, answers, horizon),
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
        mode: str = "stateless",
        consequences: str = "all",
        answers: int | str | None = None,
        horizon: Time | None = None,
        strict: bool = False,
    ) -> LiveFiles:
        """A stream of `.facts` files and tables, ready to run."""
        from horae.spark.failures import unmarked
        from horae.spark.streaming.fact_sources import FactSourceReader
        from horae.spark.streaming.facts import lars_facts, shown_fact
        from horae.spark.streaming.run import LiveFiles

        opened, arities = stream.open(whole=True), self.checked.arities
        is_all = opened.checkpoint.is_new
        with unmarked(), open_roll(self.names, strict=strict, is_all=is_all) as roll:
            found = FactSourceReader(
                opened, arities, time or "time", order, others=True, clock=self.checked.clock
            ).read()
            live = lars_facts(
                found.facts,
                found.given,
                self.plan,
                read_evaluation_times(at),
                read_options(mode, consequences, answers, horizon),
                opened.settings,
                opened.gate,
            )
        opened.remember(live, found.files, found.remembered, found.topics)
        return LiveFiles(live, opened.checkpoint, lars_answers, shown_fact, roll)

    def run_files(
        self,
        inputs: Sequence[str],
        *,
        engine: str = "spark",
        time: str | None = None,
        order: str | None = None,
        at: str | Sequence[object] | None = None,
        mode: str = "stateless",
        consequences: str = "all",
        answers: int | str | None = None,
        horizon: Time | None = None,
        master: str | None = None,
        shards: int | None = None,
        strict: bool = False,
    ) -> Answers:
        """The answers over `.facts` files and tables (`NAME=PATH`), sorted."""
        options, times = (
            read_options(mode, consequences, answers, horizon),
            read_evaluation_times(at),
        )
        column = time or "time"

        def read() -> list[PredicateFacts]:
            check, arities = StreamCheck(self.checked.derived), self.checked.arities
            with called(self.names, strict=strict):
                return read_fact_files(
                    inputs,
                    arities,
                    time=column,
                    order=order,
                    others=True,
                    check=check,
                    clock=self.checked.clock,
                )

        if engine == "local":
            return self._evaluate(read(), times, options)
        try:
            with called(self.names, strict=strict):
                return self._run_on_spark(inputs, column, order, times, options, master, shards)
        except InputError as error:
            if error.code.startswith("INP") and not has_topic(inputs):
                read()  # with the true place
            raise

    def _evaluate(
        self, facts: list[PredicateFacts], at: EvaluationTimes, options: Options
    ) -> Answers:
        return lars_answers(evaluate(self.checked, facts, at, options))

    def _run_on_spark(
        self,
        inputs: Sequence[str],
        time: str,
        order: str | None,
        at: EvaluationTimes,
        options: Options,
        master: str | None,
        shards: int | None,
    ) -> Answers:
        from horae.spark.datalogmtl.topics import facts_of_inputs
        from horae.spark.fact_batch import answer_facts
        from horae.spark.failures import unmarked
        from horae.spark.session import session

        spark = session(master, shards)
        with unmarked():
            facts = facts_of_inputs(
                spark,
                inputs,
                self.checked.arities,
                time=time,
                order=order,
                others=True,
                clock=self.checked.clock,
            )
            count = shards or spark.sparkContext.defaultParallelism * 2
            found = answer_facts(facts, self._whole(at, options, count), self._to_rows)
            return lars_answers(found.toArrow())

    def _whole(
        self, at: EvaluationTimes, options: Options, shards: int
    ) -> Callable[[pa.Table], LiveLARS]:
        return lambda static: whole_lars(
            self.plan, at, options, shards=shards, given=facts_of_rows(static)
        )

    @property
    def _to_rows(self) -> Callable[[pa.Table], pa.Table]:
        return partial(to_rows, derived=frozenset(self.checked.derived))


def read_options(
    mode: str, consequences: str, answers: int | str | None, horizon: Time | None
) -> Options:
    read = LARSOptions.read(
        {"mode": mode, "consequences": consequences, "answers": answers, "horizon": horizon}
    )
    return Options(read.mode, read.consequences, read.horizon, read.answers)


Adapter = LARSProgram
