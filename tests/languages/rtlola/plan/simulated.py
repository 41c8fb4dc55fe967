"""The plan without Spark: rows in disorder are spread over shards, run and joined in process."""

from __future__ import annotations

from random import Random
from typing import Any

import pyarrow as pa
from tests.languages.rtlola.evaluating import evaluate_table

from horae.data.columns import fitted
from horae.data.layout import ROW, TIME, Layout
from horae.data.rows import read_rows
from horae.data.validate import in_order
from horae.engine.in_process import run_in_process
from horae.languages.rtlola.answers import rtlola_answers
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.live import columns
from horae.languages.rtlola.live.program import LiveRTLola, incomplete
from horae.languages.rtlola.options import Emit
from horae.languages.rtlola.plan.spread import make_partition
from horae.languages.rtlola.plan.timing import resolution
from horae.languages.rtlola.program import Program


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


def run_spread(
    rng: Random, program: Program, events: pa.Table, emit: Emit, shards: int, *, by_content: bool
) -> list[dict[str, Any]]:
    """Over shards; without `by_content`, rows have places."""
    options, rows = _options(program, emit), _rows(program, events, by_content=by_content)
    live = LiveRTLola(program, options, shards, whole_rows=_are_whole(program, rows))
    shuffled = rows.take(pa.array(rng.sample(range(len(rows)), len(rows)), pa.int64()))
    answers = run_in_process(live, fitted(shuffled, live.rows))
    return list(rtlola_answers([answers], program, options.resolution))


def _rows(program: Program, events: pa.Table, *, by_content: bool) -> pa.Table:
    names = columns.input_columns(program.inputs)
    rows = events.drop_columns([ROW])
    rows = rows.rename_columns([columns.TIME if n == TIME else names[n] for n in rows.column_names])
    if by_content:
        return rows
    block, within = columns.PLACE
    numbers = pa.array(range(len(rows)), pa.int64())
    return rows.append_column(block, pa.array([0] * len(rows), pa.int64())).append_column(
        within, numbers
    )


def _are_whole(program: Program, rows: pa.Table) -> bool:
    names = columns.input_columns(program.inputs)
    stages = make_partition(program).shards
    pairs = {pair for stage in stages for pair in stage.present}
    return not any(len(incomplete(rows, names[key], names[other])) for key, other in pairs)
