"""RTLola over a stream of events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import types as t
from pyspark.sql.pandas.types import from_arrow_schema

from horae.data.columns import Array, DataType
from horae.data.layout import ORDER, TIME, Layout
from horae.languages.rtlola.answers import shown
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.live.program import LiveRTLola
from horae.languages.rtlola.program import Program
from horae.spark.bad_rows import LINE, Gate, strict
from horae.spark.failures import marked
from horae.spark.piped import Batches, Piped
from horae.spark.records import RECORD_PLACE, place_texts
from horae.spark.rtlola.door import EventDoor, at_the_door
from horae.spark.streaming.stream import Live, Settings, StreamSources, run_live


def live_rtlola(
    sources: StreamSources[DataFrame],
    program: Program,
    options: Options,
    layout: Layout,
    settings: Settings,
    *,
    whole_rows: bool = False,
    gate: Gate = strict,
    yes: bool = False,
) -> Live:
    """`whole_rows`: the caller promises that a row with a key has the other values of its inputs too.

    `yes`: clocks may tick as often as they do.
    """
    order = _order_type([*sources.streams, *sources.over], layout)
    live = LiveRTLola(program, options, settings.shards, order, whole_rows, yes=yes)
    rows = sources.map(lambda frame: _rows(frame, layout, live, gate))
    found = run_live(live, rows, settings, resolution=options.row_resolution)
    return replace(found, shape=partial(shown, program=program, resolution=options.resolution))


def _order_type(frames: Sequence[DataFrame], layout: Layout) -> DataType | None:
    """Whole numbers are ordered as such, all else as text; so are records by their places."""
    columns = {name for frame in frames for name in frame.columns}
    if RECORD_PLACE[0] in columns:
        return pa.string()
    if layout.order is None:
        return None
    if LINE in columns:
        return pa.string()
    found = [c.dataType for frame in frames for c in frame.schema.fields if c.name == layout.order]
    return pa.int64() if all(isinstance(kind, t.IntegralType) for kind in found) else pa.string()


def _rows(frame: DataFrame, layout: Layout, live: LiveRTLola, gate: Gate) -> Piped:
    chosen, door = at_the_door(frame, layout)
    return gate(chosen, _Rows(door, live), from_arrow_schema(live.rows))


@dataclass(frozen=True)
class _Rows:
    """Events as rows of a live program; runs in the workers."""

    door: EventDoor
    live: LiveRTLola

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for events in self.door(batches):
                yield pa.record_batch(self._columns(events), schema=self.live.rows)

    def _columns(self, events: pa.RecordBatch) -> list[Array]:
        inputs = [self.door.columns[stream.name] for stream in self.live.program.inputs]
        columns = [events.column(name) for name in (TIME, *inputs)]
        return columns if self.live.order is None else [*columns, self._order(events)]

    def _order(self, events: pa.RecordBatch) -> Array:
        if RECORD_PLACE[0] in events.schema.names:
            return place_texts(events)
        return events.column(ORDER).cast(self.live.order)
