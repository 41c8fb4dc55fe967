"""Tally, a language of one sentence: how often each key occurs in each minute.

    count caller per 1 min

It reads one table, with a time and a column of text that is called `caller`. An answer is a key, the
time at which a minute begins, and how many rows it has there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from zlib import crc32

import numpy as np
import pyarrow as pa

from horae.data.catalogue_roll import COLUMNS
from horae.data.cuts import Cuts
from horae.data.events import read_events
from horae.data.formats.jsonl import parse_lines
from horae.data.input_types import InputTypes
from horae.data.layout import TIME, Layout, Place
from horae.data.python_tables import paths_in, table_in
from horae.data.roll import Names
from horae.data.rows import given_rows, read_rows
from horae.data.schema import TableSchema
from horae.data.typed_times import times_of_ticks
from horae.data.types import Type
from horae.data.validate import check_columns, in_order, validate
from horae.data.written_lines import written_lines
from horae.engine.answers import AnswerField, Answers, AnswerShape, sort_rows
from horae.engine.contract import StateSize, Wants
from horae.engine.language import Language
from horae.engine.options import RunOptions
from horae.engine.plan import ByKey, Key, Plan, PlanStage, StageInput, StateItem
from horae.engine.report.bounds import Bounded
from horae.engine.report.report import Report
from horae.engine.report.sections import Section
from horae.engine.run import Form, InputTable, Known, Run
from horae.source.diagnostic import Diagnostic, Severity
from horae.source.errors import ProgramError
from horae.source.text import Source, Span

# --- text


@dataclass(frozen=True)
class Tally:
    """`minutes`: how long the periods are in which keys are counted."""

    source: Source
    key: str
    minutes: int


_SENTENCE = re.compile(r"\s*count\s+(\w+)\s+per\s+(\d+)\s*min\s*", re.ASCII)


def check(source: Source) -> tuple[Tally | None, list[Diagnostic]]:
    found = _SENTENCE.fullmatch(source.text)
    if found is not None and int(found[2]) > 0:
        return Tally(source, found[1], int(found[2])), []
    error = Diagnostic(
        "TLY001",
        Severity.ERROR,
        "this is not a tally",
        Span(0, len(source.text)),
        help="write `count KEY per N min`",
    )
    return None, [error]


def format_source(source: Source) -> str:
    checked, diagnostics = check(source)
    if checked is None:
        raise ProgramError(source, diagnostics)
    return f"count {checked.key} per {checked.minutes} min\n"


class TallyReport(Report):
    def own_sections(self) -> tuple[Section, ...]:
        return (Section("Tally", lines=(self.source.text.strip(),)),)

    def own_data(self) -> dict[str, object]:
        return {"tally": self.source.text.strip()}


def input_tables(checked: Tally) -> tuple[TableSchema, ...]:
    return (TableSchema("", ((checked.key, "string"),)),)


def output_tables(checked: Tally) -> tuple[TableSchema, ...]:
    return (TableSchema("counts", ((checked.key, "string"), ("count", "int"))),)


def report(checked: Tally) -> Report:
    stage = PlanStage(
        "stage 1",
        "counts",
        (StageInput("the input", ByKey((Key(0, checked.key),))),),
        output_tables(checked),
        Bounded(60 * checked.minutes),
        (StateItem("counts", Bounded(1), "number", "key and period that is not over"),),
    )
    return TallyReport(checked.source, Plan("second", (stage,)))


# --- the kernel

_ROWS: dict[str, pa.DataType] = {"time": pa.int64(), "key": pa.string()}
_ANSWERS: dict[str, pa.DataType] = {"time": pa.int64(), "key": pa.string(), "count": pa.int64()}
TICKS = 1000  # of a second


@dataclass
class Counts:
    """The rows of each key in each period that is not decided."""

    period: int
    counts: dict[tuple[int, str], int] = field(default_factory=dict)

    def see(self, points: Cuts) -> None:
        """Nothing depends on them."""

    def add(self, rows: pa.Table) -> None:
        starts = np.asarray(rows.column("time")) // self.period * self.period
        periods = pa.table({"start": starts, "key": rows.column("key")})
        for row in periods.group_by(["start", "key"]).aggregate([([], "count_all")]).to_pylist():
            place = row["start"], row["key"]
            self.counts[place] = self.counts.get(place, 0) + row["count_all"]

    def decide(self, until: int) -> pa.Table:
        return self._take([p for p in self.counts if p[0] + self.period <= until + 1])

    def finish(self) -> pa.Table:
        return self._take([*self.counts])

    def _take(self, places: Sequence[tuple[int, str]]) -> pa.Table:
        rows = [{"time": t, "key": k, "count": self.counts.pop((t, k))} for t, k in places]
        return pa.Table.from_pylist(rows, pa.schema(_ANSWERS))

    def save(self) -> Iterator[tuple[str, bytes]]:
        for (start, key), count in self.counts.items():
            yield json.dumps([start, key]), str(count).encode()

    def state_size(self) -> StateSize:
        return StateSize(len(self.counts), len(self.counts), 0)


@dataclass(frozen=True)
class TallyProgram:
    tally: Tally
    width: int
    rows = pa.schema(_ROWS)
    answers = pa.schema(_ANSWERS)
    wants = Wants.NOTHING
    later = None

    @property
    def fingerprint(self) -> str:
        return f"{self.tally} {self.width}"

    @property
    def _period(self) -> int:
        return 60 * TICKS * self.tally.minutes

    def route(self, rows: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        keys = rows.column("key").to_pylist()
        shards = np.array([crc32(str(key).encode()) % self.width for key in keys], np.int64)
        for shard in np.unique(shards).tolist():
            yield shard, rows.filter(pa.array(shards == shard))

    def start(self, shard: int) -> Counts:
        return Counts(self._period)

    def restore(self, shard: int, chunks: Mapping[str, bytes]) -> Counts:
        places = {name: json.loads(name) for name in chunks}
        return Counts(self._period, {(t, k): int(chunks[n]) for n, (t, k) in places.items()})


# --- a run


@dataclass(frozen=True)
class TallyDoor:
    layout: Layout
    table: InputTable
    is_static = False

    @property
    def columns(self) -> tuple[str, ...]:
        return () if self.table.form is Form.LINES else self.layout.columns

    def read(self, batch: pa.RecordBatch) -> pa.Table:
        place = Place(self.table.place, None)
        if self.table.form is not Form.LINES:
            return as_rows(validate(batch, self.layout, place))
        with written_lines(batch, self.table.place) as found:
            return as_rows(validate(parse_lines(found, self.layout), self.layout, found.place))


def as_rows(events: pa.Table) -> pa.Table:
    """Rows without a key count nowhere."""
    columns = [name for name in events.column_names if not name.startswith("__")]
    rows = pa.table({"time": events.column(TIME), "key": events.column(columns[0])})
    return rows.filter(rows.column("key").is_valid()).cast(pa.schema(_ROWS))


@dataclass(frozen=True)
class TallyRun(Run):
    checked: Tally
    options: RunOptions
    records = pa.schema(_ROWS)

    @property
    def names(self) -> Names:
        return Names([self.checked.key], [self.checked.key], COLUMNS)

    @cached_property
    def layout(self) -> Layout:
        return Layout(((self.checked.key, Type.STRING),), self.options.time_column, decimals=3)

    def read_values(self, inputs: object) -> pa.Table:
        paths, table = paths_in(inputs), table_in(inputs)
        if paths is not None:
            return self.read_files(paths)
        if table is not None:
            return as_rows(in_order(validate(table, self.layout, Place())))
        return as_rows(read_rows(given_rows(inputs), self.layout))

    def read_files(self, paths: Sequence[str]) -> pa.Table:
        return as_rows(read_events(paths, self.layout))

    def door(self, table: InputTable) -> TallyDoor:
        check_columns(list(table.columns), self.layout, Place(table.place))
        return TallyDoor(self.layout, table.read_in_workers)

    def program(self, known: Known) -> TallyProgram:
        return TallyProgram(self.checked, known.shards)

    def resolution(self, program: object) -> int:
        return TICKS

    ticks = resolution

    def schemas(self, types: InputTypes, unknown: pa.DataType) -> dict[str, pa.Schema]:
        fields: dict[str, pa.DataType] = {"time": pa.float64(), "key": pa.string()}
        return {"counts": pa.schema({**fields, "count": pa.int64()})}

    def typed(self, rows: pa.Table, output: str, schema: pa.Schema, ticks: int) -> pa.Table:
        times = times_of_ticks(rows.column("time"), ticks, pa.float64())
        return pa.table([times, rows.column("key"), rows.column("count")], names=schema.names)

    def answers(self, program: object, table: pa.Table) -> Answers:
        seconds = AnswerField("time", value=lambda ticks: ticks // TICKS)
        shape = AnswerShape(seconds, AnswerField("key"), AnswerField("count"))
        return Answers(sort_rows(table, ["time", "key"]), (shape,))


LANGUAGE = Language(
    name="tally",
    title="Tally",
    ending=".tally",
    check=check,
    format=format_source,
    report=report,
    inputs=input_tables,
    outputs=output_tables,
    options=lambda: RunOptions,
    fields=("time", "key", "count"),
    run=TallyRun,
)
