"""RTLola over a stream of events."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql import types as t

from horae.inputs.layout import ORDER, TIME, Layout
from horae.kernels.rtlola.options import Options
from horae.languages.rtlola.program import Program
from horae.live.rtlola.columns import ORDER as LIVE_ORDER
from horae.live.rtlola.columns import TIME as LIVE_TIME
from horae.live.rtlola.columns import input_columns
from horae.live.rtlola.program import LiveRTLola
from horae.spark.bad_rows import LINE, Gate, columns_beside, strict
from horae.spark.records import RECORD_PLACE, place_text
from horae.spark.rtlola.columns import column
from horae.spark.rtlola.door import Events, open_door
from horae.spark.streaming.stream import Live, Settings, Sources, run_live


def live_rtlola(
    sources: Sources,
    program: Program,
    options: Options,
    layout: Layout,
    settings: Settings,
    *,
    whole_rows: bool = False,
    gate: Gate = strict,
) -> Live:
    """`whole_rows`: the caller promises that a row with a key has the other values of its inputs too."""
    order = _order_type(sources.rows, layout)
    live = LiveRTLola(program, options, settings.shards, order, whole_rows)
    rows = sources.map(lambda frame: _rows(frame, layout, program, order, gate))
    found = run_live(live, rows, settings, resolution=options.resolution)
    return replace(found, shape=lambda answers: with_seconds(answers, options.resolution))


def _order_type(frame: DataFrame, layout: Layout) -> pa.DataType | None:
    """Whole numbers are ordered as such, all else as text; so are records by their places."""
    if RECORD_PLACE[0] in frame.columns:
        return pa.string()
    if layout.order is None:
        return None
    if LINE in frame.columns:
        return pa.string()
    is_whole = isinstance(frame.schema[layout.order].dataType, t.IntegralType)
    return pa.int64() if is_whole else pa.string()


def _rows(
    frame: DataFrame, layout: Layout, program: Program, order: pa.DataType | None, gate: Gate
) -> DataFrame:
    events = open_door(frame, layout, gate=gate)
    names = input_columns(program.inputs)
    chosen = [f.col(TIME).alias(LIVE_TIME)]
    chosen += [column(events.columns[name]).alias(live) for name, live in names.items()]
    if order is not None:
        chosen.append(_order(events, order).alias(LIVE_ORDER))
    return events.frame.select(*chosen, *columns_beside(events.frame))


def _order(events: Events, order: pa.DataType) -> Column:
    if RECORD_PLACE[0] in events.frame.columns:
        return place_text(*map(f.col, RECORD_PLACE))
    return f.col(ORDER).cast("long" if order == pa.int64() else "string")


def with_seconds(answers: DataFrame, resolution: int) -> DataFrame:
    """The columns of a batch run: times in seconds."""
    others = [name for name in answers.columns if name != LIVE_TIME]
    return answers.select((f.col(LIVE_TIME) / f.lit(resolution)).alias(LIVE_TIME), *others)
