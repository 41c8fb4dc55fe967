"""Horae from Python: load a program, look at its report, evaluate it here or on Spark.

>>> import horae
>>> program = horae.compile("input int a\\noutput int total := total[-1, 0] + a")
>>> program.evaluate([{"time": 1, "a": 2}, {"time": 2, "a": 3}])
[{'time': 1, 'stream': 'total', 'params': [], 'value': 2}, {'time': 2, 'stream': 'total', 'params': [], 'value': 5}]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from horae.analysis.report import Report, analyze
from horae.inputs.events import read_events
from horae.inputs.layout import DECIMALS, Layout
from horae.inputs.rows import read_rows
from horae.inputs.time_text import seconds_of
from horae.kernels.rtlola.options import Emit, Options
from horae.languages.rtlola import program as rtlola
from horae.languages.rtlola.check import load as check_rtlola
from horae.local import evaluate_table
from horae.plan.explain import explain
from horae.plan.spread import make_plan
from horae.plan.stages import Plan
from horae.plan.timing import resolution
from horae.rendering import answer_dicts, sort_answers
from horae.source.diagnostic import Diagnostic
from horae.source.errors import InputError, ProgramError
from horae.source.text import Source

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LANGUAGES = {".lola": "rtlola"}


def load(path: str | Path) -> Program:
    """The program in a file; the ending tells the language."""
    file = Path(path)
    language = LANGUAGES.get(file.suffix)
    if language is None:
        known = ", ".join(LANGUAGES)
        raise ValueError(f"`{path}`: the ending must be one of {known}")
    return compile(file.read_text(encoding="utf-8"), language=language, name=str(path))


def compile(text: str, language: str = "rtlola", name: str = "<text>") -> Program:
    """The program of a text. Errors raise `ProgramError`; warnings are in `diagnostics`."""
    if language not in LANGUAGES.values():
        known = ", ".join(LANGUAGES.values())
        raise ValueError(f"`{language}` is not a language that is known here: {known}")
    source = Source(name, text)
    checked, diagnostics = check_rtlola(source)
    if checked is None:
        raise ProgramError(source, diagnostics)
    return Program(checked, tuple(diagnostics))


@dataclass(frozen=True)
class Program:
    """A checked program, ready to run."""

    checked: rtlola.Program
    diagnostics: tuple[Diagnostic, ...]

    @cached_property
    def plan(self) -> Plan:
        return make_plan(self.checked)

    @cached_property
    def report(self) -> Report:
        """What the analysis knows: paces, memory bounds, bindings, delays, and the shard plan."""
        return replace(analyze(self.checked), plan=explain(self.plan))

    def evaluate(
        self,
        inputs: Iterable[Mapping[str, object]],
        *,
        emit: str = "all",
        origin: str | float = 0,
        precision: str = "us",
        time: str | None = None,
        order: str | None = None,
    ) -> list[dict[str, Any]]:
        """The answers to a few events, in process: dicts as in the JSON Lines, sorted."""
        rows = [dict(row) for row in inputs]
        run = _Run(self.checked, emit, origin, precision, order)
        layout = run.layout(run.time_of_rows(time, rows))
        events = read_rows(run.with_clock(rows, layout), layout)
        answers = evaluate_table(self.checked, events, run.options)
        return list(answer_dicts(sort_answers(answers), run.resolution))

    def answers(
        self,
        frame: DataFrame,
        *,
        time: str | None = None,
        order: str | None = None,
        emit: str = "all",
        origin: str | float = 0,
        precision: str = "us",
        shards: int | None = None,
    ) -> DataFrame:
        """The answers over a DataFrame of events, as a DataFrame.

        Columns: `time` (seconds), `position`, `stream`, `params` and `value` (JSON text), `trigger`,
        `message`, `condition`. The input is scanned once at once, for its first and last time.
        """
        run = _Run(self.checked, emit, origin, precision, order)
        return self._on_spark(frame, run, run.layout(run.time_of(time, frame.columns)), shards)

    def run_files(
        self,
        inputs: Sequence[str],
        *,
        engine: str = "spark",
        time: str | None = None,
        order: str | None = None,
        header: bool | None = None,
        columns: Sequence[str] | None = None,
        emit: str = "all",
        origin: str | float = 0,
        precision: str = "us",
        master: str | None = None,
        shards: int | None = None,
    ) -> Iterator[dict[str, Any]]:
        """The answers over files of events, as dicts, sorted."""
        run = _Run(self.checked, emit, origin, precision, order)
        files = _Files(tuple(inputs), header, tuple(columns) if columns else None)
        layout = run.layout(run.time_of(time, None))
        if engine == "local":
            return self._run_locally(files, run, layout)
        try:
            return self._run_on_spark(files, run, layout, master, shards)
        except InputError as error:
            if error.row is not None or error.code.startswith("ENV"):
                raise
            self._run_locally(files, run, layout)  # raises the same with the row, if it can
            raise

    def _run_locally(self, files: _Files, run: _Run, layout: Layout) -> Iterator[dict[str, Any]]:
        events = read_events(files.paths, layout, header=files.header, columns=files.columns)
        answers = evaluate_table(self.checked, events, run.options)
        return answer_dicts(sort_answers(answers), run.resolution)

    def _run_on_spark(
        self, files: _Files, run: _Run, layout: Layout, master: str | None, shards: int | None
    ) -> Iterator[dict[str, Any]]:
        from horae.spark.failures import unmarked
        from horae.spark.files import read_frame
        from horae.spark.session import session

        spark: SparkSession = session(master, shards)
        frame = read_frame(spark, files.paths, layout, files.header, files.columns)
        with unmarked():
            answers = self._on_spark(frame, run, layout, shards, ", ".join(files.paths)).toArrow()
        return answer_dicts(sort_answers(answers), None)

    def _on_spark(
        self, frame: DataFrame, run: _Run, layout: Layout, shards: int | None, name: str = ""
    ) -> DataFrame:
        from horae.spark.batch import Batch
        from horae.spark.door import open_door

        count = shards or frame.sparkSession.sparkContext.defaultParallelism * 2
        return Batch(open_door(frame, layout, name), run.options, count).answers(self.plan)


@dataclass(frozen=True)
class _Files:
    paths: tuple[str, ...]
    header: bool | None
    columns: tuple[str, ...] | None


class _Run:
    """The options of one run, turned into what kernels and readers take."""

    def __init__(
        self,
        program: rtlola.Program,
        emit: str,
        origin: str | float,
        precision: str,
        order: str | None,
    ) -> None:
        if precision not in DECIMALS:
            raise ValueError(f"precision must be one of {', '.join(DECIMALS)}, not `{precision}`")
        if emit not in set(Emit):
            raise ValueError(f"emit must be one of {', '.join(Emit)}, not `{emit}`")
        self.program = program
        self.order = order
        self.decimals = DECIMALS[precision]
        start = _seconds(origin)
        self.resolution = resolution(program, self.decimals, start)
        self.options = Options(self.resolution, int(start * self.resolution), Emit(emit))

    def layout(self, time: str) -> Layout:
        inputs = tuple((i.name, i.type) for i in self.program.inputs)
        return Layout(inputs, time, self.order, self.decimals, self.resolution)

    def time_of(self, given: str | None, columns: Sequence[str] | None) -> str:
        """The time column: as given, else the `timeinput`, else `time`."""
        clock = self.program.clock
        if given is not None:
            return given
        if clock is not None and (columns is None or clock.name in columns):
            return clock.name
        return "time"

    def time_of_rows(self, given: str | None, rows: list[dict[str, object]]) -> str:
        """Rows in Python have the key `time`, unless only the `timeinput` is there."""
        if given is not None or any("time" in row for row in rows):
            return given or "time"
        return self.time_of(None, None)

    def with_clock(
        self, rows: list[dict[str, object]], layout: Layout
    ) -> list[dict[str, object]]:
        """A `timeinput` that has no key of its own is the time."""
        clock = self.program.clock
        if clock is None or clock.name == layout.time:
            return rows
        return [{clock.name: row.get(layout.time), **row} for row in rows]


def _seconds(origin: str | float) -> Fraction:
    found = seconds_of(str(origin))
    if found is not None:
        return found
    try:
        return Fraction(str(origin))
    except ValueError:
        raise ValueError(
            f"origin: `{origin}` is neither a number of seconds nor a date"
        ) from None
