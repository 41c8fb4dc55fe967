"""The plan without Spark: rows are spread, sorted, run and joined in process, by the stages' own code.

It does what `spark/batch.py` asks Spark to do, with a hash of its own and batches of random size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pyarrow as pa

from horae.data.layout import ROW, TIME, Layout
from horae.data.rows import read_rows
from horae.data.validate import in_order
from horae.languages.rtlola.answers import rtlola_answers
from horae.languages.rtlola.evaluate import evaluate_table
from horae.languages.rtlola.kernel.answers import ANSWERS
from horae.languages.rtlola.kernel.options import Options, QuantifiedMode
from horae.languages.rtlola.options import Emit
from horae.languages.rtlola.plan.spread import make_partition, one_place
from horae.languages.rtlola.plan.stages import Join, Partition, Shards
from horae.languages.rtlola.plan.timing import resolution
from horae.languages.rtlola.program import Program
from horae.spark.rtlola.places import SAME, place_names
from horae.spark.rtlola.stage import AnswerRows, ExportRows, InputSpan, JoinRecords

Row = dict[str, Any]
# The place of a row in its file.
PLACE = "__at"


def events_of(program: Program, rows: list[dict[str, object]], *, by_content: bool) -> pa.Table:
    """Checked events in order; with `by_content` the place in the file does not count."""
    inputs = tuple((stream.name, stream.type) for stream in program.inputs)
    clock = program.clock
    if clock is not None:
        rows = [{clock.name: row["time"], **row} for row in rows]
    events = read_rows(rows, Layout(inputs))
    return in_order(events, by_content=True) if by_content else events


def _options(program: Program, emit: Emit) -> Options:
    ticks = resolution(program, 6)
    return Options(ticks, 0, emit, scale=ticks // 10**6)


def run_whole(program: Program, events: pa.Table, emit: Emit) -> list[dict[str, Any]]:
    options = _options(program, emit)
    parts = evaluate_table(program, events, options)
    return list(rtlola_answers(parts, program, options.resolution))


class Simulation:
    """One run of a plan."""

    def __init__(self, rng: Random, program: Program, events: pa.Table, emit: Emit, shards: int):
        self.rng = rng
        self.program = program
        self.rows: list[Row] = events.drop_columns([ROW]).to_pylist()
        self.schema = events.schema.remove(events.schema.get_field_index(ROW))
        self.options = _options(program, emit)
        self.shards = shards
        self.order: tuple[str, ...] = (PLACE,)

    def ordered_by(self, *names: str) -> Simulation:
        """Rows of equal time are ordered by these columns, which may be equal too."""
        self.order = names
        return self

    def answers(self) -> list[dict[str, Any]]:
        if not self.rows:
            return []
        plan = make_partition(self.program)
        if not all(self._fits(stage) for stage in plan.shards):
            plan = one_place(self.program, ())
        return list(rtlola_answers(self._parts(plan), self.program, self.options.resolution))

    def _fits(self, stage: Shards) -> bool:
        return not any(
            row[key] is not None and row[other] is None
            for key, other in stage.present
            for row in self.rows
        )

    @property
    def span(self) -> InputSpan:
        return InputSpan(len(self.rows), self.rows[0][TIME], self.rows[-1][TIME])

    def _parts(self, plan: Partition) -> list[pa.Table]:
        parts = [ANSWERS.empty_table()]
        if plan.single is not None:
            parts += self._run(plan.single.program, [self._placed()])
        for stage in plan.shards:
            parts += self._run(stage.program, self._spread(stage))
        if plan.join is not None:
            parts += self._joined(plan.shards, plan.join)
        return parts

    def _run(self, program: Program, partitions: list[list[Row]]) -> list[pa.Table]:
        stage = AnswerRows(program, self.options, self.span)
        tables = [list(stage(self._batches(rows))) for rows in partitions]
        return [pa.Table.from_batches([batch]) for batches in tables for batch in batches]

    # --- spreading

    def _placed(self) -> list[Row]:
        return [row | {PLACE: place} for place, row in enumerate(self.rows)]

    def _spread(self, stage: Shards) -> list[list[Row]]:
        """Rows come in order, so shards are in order too."""
        partitions: list[list[Row]] = [[] for _ in range(self.shards)]
        for row in self._placed():
            homes = {key: self._home(row[key]) for key in stage.keys if row[key] is not None}
            whole = {f"whole_{name}": row[name] for name in self.order if name in stage.keys}
            for home in sorted(set(homes.values())):
                kept = {key: row[key] if homes.get(key) == home else None for key in stage.keys}
                partitions[home].append(row | whole | kept)
        return partitions

    def _home(self, value: object) -> int:
        return hash((repr(value + 0.0 if isinstance(value, float) else value), 7)) % self.shards

    def _batches(self, rows: list[Row]) -> Iterator[pa.RecordBatch]:
        """Cut anywhere, also between rows of equal time; sometimes a batch is empty."""
        fields = {field.name: field.type for field in self.schema}
        names = rows[0].keys() if rows else fields.keys()
        kinds = [(name, fields.get(name.removeprefix("whole_"), pa.int64())) for name in names]
        while rows:
            size = self.rng.randint(0, 7)
            yield pa.RecordBatch.from_pylist(rows[:size], schema=pa.schema(kinds))
            rows = rows[size:]

    # --- joining

    def _joined(self, shards: tuple[Shards, ...], join: Join) -> list[pa.Table]:
        position = (TIME, "tick", *place_names(self.order), SAME)
        records = [
            _renumbered(record, stage, join)
            for stage in shards
            for record in (self._records(stage) if stage.exported else ())
        ]
        records.sort(key=lambda record: _nulls_first(record[name] for name in position))
        schema = _without_null_types(pa.Table.from_pylist(records).schema)
        batches = [pa.RecordBatch.from_pylist(part, schema=schema) for part in self._cut(records)]
        options = replace(self.options, quantified=QuantifiedMode.IMPORT, joined=join.imported)
        run = JoinRecords(join.program, options, self.span, position=position)
        return [pa.Table.from_batches([batch]) for batch in run(iter(batches))]

    def _cut(self, rows: list[Row]) -> Iterator[list[Row]]:
        while rows:
            size = self.rng.randint(1, 9)
            yield rows[:size]
            rows = rows[size:]

    def _records(self, stage: Shards) -> Iterator[Row]:
        options = replace(
            self.options,
            quantified=QuantifiedMode.EXPORT,
            joined=stage.exported,
            emit=Emit.TRIGGERS,
        )
        order = tuple(f"whole_{n}" if n in stage.keys else n for n in self.order)
        run = ExportRows(stage.program, options, self.span, order)
        for rows in self._spread(stage):
            for batch in run(self._batches(rows)):
                yield from batch.to_pylist()


def _renumbered(record: Row, stage: Shards, join: Join) -> Row:
    """The columns of a shard's operators under the numbers that the join gives to them."""
    mine = {joined: i for i, joined in enumerate(stage.exported)}
    renumbered = {n: v for n, v in record.items() if not n.startswith(("touched", "delta"))}
    for i, joined in enumerate(join.imported):
        at = mine.get(joined)
        renumbered[f"touched{i}"] = at is not None and record[f"touched{at}"]
        for part in range(4):
            delta = 0 if at is None else record[f"delta{4 * at + part}"]
            renumbered[f"delta{4 * i + part}"] = delta
    return renumbered


def _without_null_types(schema: pa.Schema) -> pa.Schema:
    """A column of nothing but nulls has a type in Spark."""
    is_null = pa.types.is_null
    fields = [f.with_type(pa.int64()) if is_null(f.type) else f for f in schema]
    return pa.schema(fields)


def _nulls_first(position: Iterable[Any]) -> list[tuple[bool, Any]]:
    return [(value is not None, 0 if value is None else value) for value in position]
