"""From the records of a run to its answers, on Spark: all that is there, or a stream.

The records come through a door: `FactDoor` for facts, `RowDoor` for rows of streams and relations,
`TableDoor` for tables that a language reads by itself. What a record means runs in the workers, and is
the same code, with the same words for what is wrong, as in process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema

from horae.data.columns import fitted, plain_columns
from horae.engine.contract import Routed
from horae.engine.run import FactTables, Known, Run
from horae.engine.typed_answers import Schemas, TypedAnswers
from horae.source.errors import InputError
from horae.spark.bad_rows import Gate, refuse_told, strict, telling
from horae.spark.batch import refuse_bad, run_batch
from horae.spark.fact_door import FactDoor
from horae.spark.failures import marked, unmarked
from horae.spark.first_look import FirstLook, look_at
from horae.spark.parcels import BAD
from horae.spark.piped import Batches, Piped
from horae.spark.row_door import RowDoor
from horae.spark.streaming.open_stream import LiveInput
from horae.spark.streaming.stream import Live, Settings, run_live
from horae.spark.table_door import TableDoor


def door_of(run: Run) -> FactDoor | RowDoor | TableDoor:
    match run.reads:
        case None:
            return TableDoor(run)
        case FactTables() as facts:
            return FactDoor(facts)
        case rows:
            return RowDoor(rows)


# --- all that is there


Shape = Callable[[pa.Table], pa.Table]
"""From what kernels answer to the rows that leave Spark's workers."""


@dataclass(frozen=True)
class BatchAnswers:
    """What the kernels of a program answer; `frame` is lazy."""

    program: Routed
    frame: DataFrame


def answer_records(
    run: Run,
    records: Sequence[Piped],
    shards: int,
    shaped: Callable[[Routed], Shape] = lambda _: plain_columns,
) -> BatchAnswers:
    """As kernels give them, but plain; or as the shape for the program makes them.

    Where a language must know something of the whole input, it is scanned at once; the rest is lazy.
    """
    look = look_at(run, records) if run.surveys else FirstLook(run.records.empty_table(), ())
    program = run.program(Known(_known(run, look, strict), shards * run.shards_of_task))
    rows = [_rows(run, program, piped, strict) for piped in records]
    return BatchAnswers(program, run_batch(program, rows, shaped(program), run.shards_of_task))


def answer_frames(
    run: Run,
    records: Sequence[Piped],
    told: Sequence[Piped],
    shards: int,
    schemas: Schemas,
    output: str | None,
) -> DataFrame:
    """All typed answers, or those of one output.

    `told` has the same records, and what is wrong with other rows, which is an error at once.
    """
    look = look_at(run, told)
    survey = _known(run, look, telling)
    program = run.program(Known(survey, shards * run.shards_of_task))
    unread = look.unread if _are_rows(run, program, look.witnesses) else told
    if unread:
        refuse_bad([_rows(run, program, piped, telling) for piped in unread])
    rows = [_rows(run, program, piped, strict) for piped in records]
    shape = TypedAnswers(run, program, schemas).shape(output)
    return run_batch(program, rows, shape, run.shards_of_task)


def _known(run: Run, look: FirstLook, gate: Gate) -> pa.Table:
    """What must be known of the whole input."""
    seen = run.survey(look.witnesses)
    return pa.concat_tables([seen, _survey(run, look.unread, gate)]) if run.surveys else seen


def _are_rows(run: Run, program: Routed, witnesses: pa.Table) -> bool:
    """Whether the program takes what stands for sound tables; if not, a scan finds the row to name."""
    try:
        run.rows(program, witnesses)
    except InputError:
        return False
    return True


def _survey(run: Run, records: Sequence[Piped], gate: Gate) -> pa.Table:
    schema = run.survey(run.records.empty_table()).schema
    parts = [gate(piped, _Survey(run), from_arrow_schema(schema)) for piped in records]
    with unmarked():
        found = [part.rows.toArrow() for part in parts]
    for table in found:
        if BAD in table.column_names:
            notes = map(str, table.column(BAD).drop_null().to_pylist())
            refuse_told(min(notes, default=None))
    own = [table.select(schema.names).cast(schema) for table in found]
    return pa.concat_tables([schema.empty_table(), *own])


def _rows(run: Run, program: Routed, records: Piped, gate: Gate) -> Piped:
    return gate(records, _Rows(run, program), from_arrow_schema(program.rows))


# --- streams


def run_stream(
    run: Run, given: LiveInput, settings: Settings, gate: Gate, schemas: Schemas | None = None
) -> Live:
    survey = run.survey(given.static)
    known = Known(survey, settings.shards, live=True, static=given.static)
    program = run.program(known)
    rows = given.records.map(lambda piped: _rows(run, program, piped, gate))
    live = run_live(program, rows, settings, resolution=run.resolution(program))
    return replace(live, typed=TypedAnswers(run, program, schemas or {}))


# --- in the workers


@dataclass(frozen=True)
class _Survey:
    run: Run

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                records = fitted(pa.Table.from_batches([batch]), self.run.records)
                found = self._converted(records)
                yield from found.to_batches()

    def _converted(self, records: pa.Table) -> pa.Table:
        return self.run.survey(records)

    def show(self, row: dict[str, Any]) -> object:
        return self.run.shown(row)


@dataclass(frozen=True)
class _Rows(_Survey):
    program: Routed

    def _converted(self, records: pa.Table) -> pa.Table:
        return fitted(self.run.rows(self.program, records), self.program.rows)
