"""The door: rows of any DataFrame become checked events, before anything is shuffled or sorted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql import types as spark_types

from horae.inputs.json_lines import parse_lines
from horae.inputs.layout import ORDER, ROW, TIME, Layout, Place
from horae.inputs.validate import check_columns, validate
from horae.languages.rtlola.types import Type
from horae.spark.failures import marked

# Where a row stands in its file: the start of its block, and its place after that.
FILE_PLACE = ("__block", "__at")
# A line of JSON that is still to be read.
LINE = "__line"
ORDER_NUMBER = "__order_number"

_TYPES: dict[Type, spark_types.DataType] = {
    Type.INT: spark_types.LongType(),
    Type.DOUBLE: spark_types.DoubleType(),
    Type.BOOL: spark_types.BooleanType(),
    Type.STRING: spark_types.StringType(),
}


@dataclass(frozen=True)
class Events:
    """Checked events: `__time` in ticks, a column per input, and the columns that order equal times."""

    frame: DataFrame
    order: tuple[str, ...]


@dataclass(frozen=True)
class _Door:
    """Runs in the workers, one Arrow batch at a time."""

    layout: Layout
    name: str
    kept: tuple[str, ...]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with marked():
            for batch in batches:
                yield from self._events(batch).to_batches()

    def _events(self, batch: pa.RecordBatch) -> pa.Table:
        place = Place(self.name, first_row=None)
        rows: pa.Table | pa.RecordBatch = batch
        if LINE in batch.schema.names:
            text = "\n".join(batch.column(LINE).to_pylist()).encode()
            rows = parse_lines(text, self.layout, place)
        events = validate(rows, self.layout, place)
        events = events.drop_columns([ROW])
        if self.layout.order is not None:
            at = events.schema.get_field_index(ORDER)
            events = events.set_column(at, ORDER, _order_text(events.column(ORDER)))
        for column in self.kept:
            events = events.append_column(column, batch.column(column))
        return events


def open_door(frame: DataFrame, layout: Layout, name: str = "") -> Events:
    """Check and convert; rows of equal time are ordered by the order column, then by their place in a
    single file if it is known, else by content."""
    kept = tuple(column for column in FILE_PLACE if column in frame.columns)
    if LINE in frame.columns:
        needed = [LINE, *kept]
    else:
        check_columns(frame.columns, layout, Place(name))
        needed = [*layout.columns, *kept]
    fields = [spark_types.StructField(TIME, spark_types.LongType())]
    fields += [spark_types.StructField(n, _TYPES[t]) for n, t in layout.inputs]
    if layout.order is not None:
        fields.append(spark_types.StructField(ORDER, spark_types.StringType()))
    fields += [spark_types.StructField(column, spark_types.LongType()) for column in kept]
    schema = spark_types.StructType(fields)
    events = frame.select(*(f"`{c}`" for c in needed)).mapInArrow(
        _Door(layout, name, kept), schema
    )
    rest = kept or tuple(n for n, _ in layout.inputs)
    if layout.order is None:
        return Events(events, rest)
    numbered = events.withColumn(ORDER_NUMBER, f.expr(f"try_cast(`{ORDER}` as double)"))
    return Events(numbered, (ORDER_NUMBER, ORDER, *rest))


def _order_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Text, so that one schema serves numbers, dates and names; Spark sorts numbers as such."""
    return column.cast(pa.string())
