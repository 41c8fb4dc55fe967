"""A run of an RTLola specification: how events are read, its kernel program, and its answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from horae.data import layout as events_of
from horae.data.catalogue_roll import COLUMNS, Seconds
from horae.data.clock import DECIMALS, Clock
from horae.data.columns import Array, DataType
from horae.data.events import read_events
from horae.data.formats.jsonl import check_keys, parse_lines
from horae.data.formats.table_file import Dialect
from horae.data.input_types import InputTypes
from horae.data.layout import FILE_PLACE, RECORD_PLACE, Layout, Place
from horae.data.python_tables import paths_in, table_in
from horae.data.roll import Names
from horae.data.rows import clock_value, given_rows, read_rows
from horae.data.seconds import seconds_of_ticks
from horae.data.sound_columns import SoundTable, sound_events
from horae.data.typed_times import time_type
from horae.data.validate import check_columns, in_order, validate
from horae.data.written_lines import written_lines
from horae.engine.answers import Answers
from horae.engine.contract import Routed
from horae.engine.in_process import answers_in_process
from horae.engine.run import Form, InputTable, Known, Run
from horae.languages.rtlola import catalogue
from horae.languages.rtlola.answers import rtlola_answers
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.live.columns import (
    NUMBER,
    ORDER,
    PLACE,
    TIME,
    input_columns,
    rows_schema,
)
from horae.languages.rtlola.live.load_ahead import loading_ahead
from horae.languages.rtlola.live.program import LiveRTLola, incomplete
from horae.languages.rtlola.options import Emit, RTLolaOptions
from horae.languages.rtlola.plan.spread import make_partition
from horae.languages.rtlola.plan.timing import resolution
from horae.languages.rtlola.program import TRIGGERS, Program, answered
from horae.languages.rtlola.typed import output_schemas, typed_output

_INCOMPLETE = "incomplete"
"""Of a survey: whether rows have a key without what the plan assumes with it."""


@dataclass(frozen=True)
class RTLolaRun(Run):
    """Records are events: the time in ticks, the inputs, and what orders rows of equal time."""

    checked: Program
    options: RTLolaOptions
    wants_places = True
    tells_rows = True
    shards_of_task = 4  # the state of some ten thousand instances stays in the processor's memory

    @cached_property
    def kernel_options(self) -> Options:
        options = self.options
        ticks = resolution(self.checked, options.decimals, options.origin)
        start, scale = int(options.origin * ticks), ticks // 10**options.decimals
        only = None if options.only is None else tuple(sorted({*options.only}))
        emit = Emit.TRIGGERS if only == (TRIGGERS,) else options.emit
        return Options(ticks, start, emit, scale=scale, only=only)

    @cached_property
    def answered(self) -> Program:
        """With nothing but what is answered."""
        return answered(self.checked, self.options.only)

    @property
    def names(self) -> Names:
        """Those of columns; the clock has the time."""
        inputs = [item.name for item in self.checked.inputs]
        clock = self.checked.clock
        awaited = [name for name in inputs if clock is None or name != clock.name]
        return Names(inputs, awaited, COLUMNS, seconds=Seconds.OF_EVENTS)

    # --- input

    @property
    def records(self) -> pa.Schema:  # type: ignore[override]
        has_order = self.options.order is not None
        return rows_schema(self.checked.inputs, order=has_order, numbered=False)

    @property
    def dialect(self) -> Dialect:
        """A quoted empty cell of CSV is a value."""
        options = self.options
        return Dialect(header=options.header, columns=options.columns, keeps_empty=True)

    def layout(self, time: str) -> Layout:
        options = self.options
        inputs = tuple((item.name, item.type) for item in self.checked.inputs)
        return Layout(inputs, time, options.order, options.decimals, options.time_unit)

    def read_files(self, paths: Sequence[str]) -> pa.Table:
        with loading_ahead(self._here, paths):
            events = read_events(paths, self.layout(self._time(())), self.dialect)
        return self._numbered(events)

    def read_values(self, inputs: object) -> pa.Table:
        paths, table = paths_in(inputs), table_in(inputs)
        if isinstance(inputs, str) or paths is not None:
            return self.read_files([inputs] if isinstance(inputs, str) else paths or [])
        if table is not None:
            layout = self.layout(self._time(table.column_names))
            return self._numbered(in_order(validate(table, layout, Place())))
        rows = list(given_rows(inputs))
        keys = ["time"] if any("time" in row for row in rows) else []
        layout = self.layout(self._time(keys))
        return self._numbered(read_rows(self._with_clock(rows, layout), layout))

    def _time(self, columns: Sequence[str]) -> str:
        """The time column: as given, else the `timeinput`, unless there is only a column `time`."""
        clock, given = self.checked.clock, self.options.time
        if given is not None:
            return given
        is_elsewhere = clock is not None and clock.name not in columns and "time" in columns
        return "time" if clock is None or is_elsewhere else clock.name

    def _with_clock(self, rows: list[dict[str, object]], layout: Layout) -> list[dict[str, object]]:
        """A `timeinput` that has no key of its own is the time."""
        clock = self.checked.clock
        if clock is None or clock.name == layout.time:
            return rows
        seconds = Clock(self.options.time_unit)
        return [{clock.name: clock_value(row.get(layout.time), seconds), **row} for row in rows]

    def _numbered(self, events: pa.Table) -> pa.Table:
        """Events in order, as the rows of a program in this process."""
        columns = [events_of.TIME, *(item.name for item in self.checked.inputs), events_of.ROW]
        names = [TIME, *input_columns(self.checked.inputs).values(), NUMBER]
        return events.select(columns).rename_columns(names)

    def door(self, table: InputTable) -> EventDoor:
        layout = self.layout(self._time(table.columns))
        if table.form is not Form.LINES:
            check_columns(list(table.columns), layout, Place(table.place))
        elif table.files:
            check_keys(table.files, layout, keeps_bad=table.keeps_bad, all_keys=table.all_keys)
        elif table.columns:
            raise catalogue.TOPIC_WITH_COLUMNS(place=table.place)
        return EventDoor(layout, table.read_in_workers, self.records)

    # --- the program

    def survey(self, records: pa.Table) -> pa.Table:
        """Whether rows are as the plan assumes, where it assumes something."""
        columns = input_columns(self.checked.inputs)
        pairs = dict.fromkeys(pair for stage in self._stages for pair in stage.present)
        if not pairs:
            return pa.table({})
        lost = any(len(incomplete(records, columns[key], columns[other])) for key, other in pairs)
        return pa.table({_INCOMPLETE: pa.array([lost])})

    @property
    def _stages(self) -> Any:
        return self._partition.shards

    @cached_property
    def _partition(self) -> Any:
        return make_partition(self.checked)

    def program(self, known: Known) -> LiveRTLola:
        return LiveRTLola(
            self.checked,
            self.kernel_options,
            known.shards,
            self.options.order is not None,
            self.options.whole_rows if known.live else _are_whole(known.survey),
            yes=self.options.yes,
        )

    @property
    def _here(self) -> LiveRTLola:
        """The program in this process, whose rows are in order, and have numbers."""
        return LiveRTLola(self.checked, self.kernel_options, yes=self.options.yes, numbered=True)

    def evaluate(self, records: pa.Table) -> Answers:
        """Rows are in order, and have numbers; answers are sorted as they come."""
        return self._sorted(answers_in_process(self._here, records))

    # --- answers

    def answers(self, program: Routed, table: pa.Table) -> Answers:
        return self._sorted([table])

    def _sorted(self, parts: Iterable[pa.Table]) -> Answers:
        ticks = self.kernel_options.resolution
        return rtlola_answers(parts, self.answered, ticks).in_ticks(ticks)

    @property
    def outputs(self) -> list[str]:
        """All triggers are one output."""
        return [*(output.name for output in self.checked.outputs), TRIGGERS]

    def schemas(self, types: InputTypes, unknown: DataType) -> dict[str, pa.Schema]:
        options, clock = self.options, self.options.clock
        columns = [*types.tables.get("", ())]
        exact = resolution(self.checked, DECIMALS[clock.number_unit], options.origin)
        time = time_type(
            types.named(self._time(columns)),
            pa.float64(),
            whole=exact == clock.numbers_per_second,
        )
        return output_schemas(self.answered, options.emit, time)

    def typed(self, rows: pa.Table, output: str, schema: pa.Schema, ticks: int) -> pa.Table:
        unit = self.options.clock.numbers_per_second
        return typed_output(rows, self.checked, output, schema, ticks, unit)

    def ticks(self, program: Routed) -> int:
        return self.kernel_options.resolution

    def resolution(self, program: Routed) -> int:
        return self.kernel_options.row_resolution

    def shown(self, row: dict[str, Any]) -> dict[str, Any]:
        """Under the names of the inputs, which carry their numbers in rows."""
        others = (TIME, ORDER, *PLACE)
        values = {name.partition(":")[2]: v for name, v in row.items() if name not in others}
        seconds = seconds_of_ticks(row[TIME], self.kernel_options.row_resolution)
        return {"time": seconds, "inputs": values}


def _are_whole(survey: pa.Table) -> bool:
    return _INCOMPLETE not in survey.column_names or True not in survey[_INCOMPLETE].to_pylist()


@dataclass(frozen=True)
class EventDoor:
    """Makes events of the rows of one table."""

    layout: Layout
    table: InputTable
    records: pa.Schema
    is_static = False

    @property
    def columns(self) -> tuple[str, ...]:
        if self.table.form is Form.LINES:
            return ()
        return (*self.layout.columns, *(FILE_PLACE if self.table.has_places else ()))

    def sound(self, found: pa.Schema) -> SoundTable | None:
        return sound_events(found, self.layout) if self.table.form is Form.TYPED else None

    def read(self, batch: pa.RecordBatch) -> pa.Table:
        events = self._events(batch)
        inputs = [events.column(name) for name, _ in self.layout.inputs]
        order = [] if self.layout.order is None else [events.column(events_of.ORDER)]
        columns: list[Any] = [events.column(events_of.TIME), *inputs, *order, *_places(batch)]
        return pa.table(columns, names=self.records.names)

    def _events(self, batch: pa.RecordBatch) -> pa.Table:
        name = self.table.place
        if self.table.form is not Form.LINES:
            return validate(batch, self.layout, Place(name, first_row=None))
        with written_lines(batch, name) as found:
            rows = parse_lines(found, self.layout)
            return validate(rows, self.layout, found.place)


def _places(batch: pa.RecordBatch) -> list[Array]:
    """Where rows stand in their file, or records in their topic; null where that is not known."""
    for names in (FILE_PLACE, RECORD_PLACE):
        if names[0] in batch.schema.names:
            return [batch.column(name) for name in names]
    return [pa.nulls(batch.num_rows, pa.int64()) for _ in PLACE]
