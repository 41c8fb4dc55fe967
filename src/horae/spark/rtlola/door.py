"""The door: rows of any DataFrame become checked events, before anything is shuffled or sorted."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import types as spark_types

from horae.data.formats.jsonl import parse_lines
from horae.data.layout import ORDER, TIME, Layout, Place
from horae.data.types import Type
from horae.data.validate import check_columns, validate
from horae.spark.bad_rows import LINE, select_with_beside, strict, telling
from horae.spark.columns import numbered_names
from horae.spark.failures import marked
from horae.spark.piped import Batches
from horae.spark.records import RECORD_PLACE, written_lines

# Where a row stands in its file: the start of its block, and its place after that.
FILE_PLACE = ("__block", "__at")

TYPES: dict[Type, spark_types.DataType] = {
    Type.INT: spark_types.LongType(),
    Type.DOUBLE: spark_types.DoubleType(),
    Type.BOOL: spark_types.BooleanType(),
    Type.STRING: spark_types.StringType(),
}


@dataclass(frozen=True)
class Events:
    """Checked events: `__time` in ticks, a column per input, and the columns that order equal times.

    `columns` gives the column of an input. The order column, if there is one, holds text. `with_faults`
    has the same rows for a survey, and what is wrong with others.
    """

    frame: DataFrame
    with_faults: DataFrame
    columns: dict[str, str]
    order: tuple[str, ...]


@dataclass(frozen=True)
class EventDoor:
    """Runs in the workers, one Arrow batch at a time."""

    layout: Layout
    name: str
    needed: tuple[str, ...]
    kept: tuple[str, ...]

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                yield from self._events(batch.rename_columns(list(self.needed))).to_batches()

    def _events(self, batch: pa.RecordBatch) -> pa.Table:
        events = self._checked(batch)
        inputs = [events.column(name) for name, _ in self.layout.inputs]
        order = [] if self.layout.order is None else [events.column(ORDER).cast(pa.string())]
        kept = [batch.column(column) for column in self.kept]
        return pa.table([events.column(TIME), *inputs, *order, *kept], names=self.names)

    def _checked(self, batch: pa.RecordBatch) -> pa.Table:
        if LINE not in self.needed:
            return validate(batch, self.layout, Place(self.name, first_row=None))
        with written_lines(batch, self.name) as found:
            rows = parse_lines(found.lines, self.layout, found.place)
            return validate(rows, self.layout, found.place)

    @property
    def columns(self) -> dict[str, str]:
        """That of each input."""
        inputs = [name for name, _ in self.layout.inputs]
        return dict(zip(inputs, numbered_names(inputs), strict=True))

    @property
    def names(self) -> list[str]:
        order = [] if self.layout.order is None else [ORDER]
        return [TIME, *self.columns.values(), *order, *self.kept]

    def schema(self) -> spark_types.StructType:
        """The order is text, so that one schema serves numbers, dates and names."""
        long, text = spark_types.LongType(), spark_types.StringType()
        order = [] if self.layout.order is None else [text]
        kinds = [
            long,
            *(TYPES[t] for _, t in self.layout.inputs),
            *order,
            *(long for _ in self.kept),
        ]
        fields = zip(self.names, kinds, strict=True)
        return spark_types.StructType([spark_types.StructField(n, kind) for n, kind in fields])


def open_door(frame: DataFrame, layout: Layout, name: str = "") -> Events:
    """Check and convert; rows of equal time are ordered by the order column, then by their place in a
    single file if it is known, else by their place in a topic (there may be several) and by content.
    """
    chosen, door = at_the_door(frame, layout, name)
    order = () if layout.order is None else (ORDER,)
    content = () if door.kept == FILE_PLACE else tuple(door.columns.values())
    events, with_faults = (gate(chosen, door, door.schema()).rows for gate in (strict, telling))
    return Events(events, with_faults, door.columns, (*order, *door.kept, *content))


def at_the_door(frame: DataFrame, layout: Layout, name: str = "") -> tuple[DataFrame, EventDoor]:
    """The columns that its door reads, and the door."""
    kept = tuple(c for c in (*FILE_PLACE, *RECORD_PLACE) if c in frame.columns)
    if LINE not in frame.columns:
        check_columns(frame.columns, layout, Place(name))
    columns = (LINE,) if LINE in frame.columns else layout.columns
    door = EventDoor(layout, name, (*columns, *kept), kept)
    return select_with_beside(frame, door.needed), door
