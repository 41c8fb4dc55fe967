"""Rows as they come → rows as kernels read them. Every way into Horae passes through here.

It works on one Arrow batch at a time and knows neither files nor Spark, so that all faces refuse the
same rows with the same words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data import catalogue
from horae.data.clock import WrongTimeError
from horae.data.columns import Array, Column, Ints, are_in_order
from horae.data.layout import ORDER, ROW, TIME, Layout, Place
from horae.data.numbers import is_number
from horae.data.order_texts import order_keys
from horae.data.roll import note
from horae.data.seconds import in_seconds
from horae.data.times import note_times, to_ticks
from horae.data.types import Type
from horae.data.values import ARROW_TYPES, cast, is_text


def validate(batch: pa.Table | pa.RecordBatch, layout: Layout, place: Place) -> pa.Table:
    """`__time`, a column per input in declaration order, `__row`, and `__order` where one is named.

    Other columns are ignored. The rows keep their order.
    """
    table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch
    check_columns(table.column_names, layout, place)
    ticks = _ticks(table.column(layout.time), layout, place)
    columns: dict[str, Array | Column] = {TIME: pa.array(ticks)}
    for name, type in layout.inputs:
        columns[name] = _values(table.column(name), ticks, name, type, layout, place)
        if columns[name].null_count < len(ticks):
            note(name, place.name)
    first = 1 if place.first_row is None else place.first_row
    columns[ROW] = pa.array(np.arange(first, first + len(ticks), dtype=np.int64))
    if layout.order is not None:
        columns[ORDER] = table.column(layout.order)
    return pa.table(columns)


def _ticks(column: Column, layout: Layout, place: Place) -> Ints:
    try:
        ticks = to_ticks(column, layout.clock)
    except WrongTimeError as error:
        raise catalogue.wrong_time(place, layout.time, layout.clock, error) from None
    note_times(column, ticks, layout.clock)
    return ticks


def check_columns(found: list[str], layout: Layout, place: Place) -> None:
    """Every column that is read is there, once."""
    purposes = {layout.time: catalogue.THE_TIME}
    purposes |= {name: f"the input `{name}` ({type})" for name, type in layout.inputs}
    for name in layout.columns:
        count = found.count(name)
        if count == 0:
            purpose = purposes.get(name, "the order of rows")
            raise catalogue.missing_column(place.name, name, purpose, found)
        if count > 1:
            raise catalogue.COLUMN_TWICE(name=name, place=place.name)


def _values(
    column: Column, ticks: Ints, name: str, type: Type, layout: Layout, place: Place
) -> Column | Array:
    """The clock is readable as a stream of seconds, also where its column has dates or other units."""
    is_other = not layout.counts_seconds or _is_calendar(column)
    if name == layout.time and type.is_numeric and is_other:
        return _seconds(ticks, type, column, layout, place)
    return cast(column, name, type, place)


def _is_calendar(column: Column) -> bool:
    if is_text(column.type):
        return len(column) > 0 and not is_number(str(column[0]))
    return bool(pa.types.is_timestamp(column.type) or pa.types.is_date(column.type))


def _seconds(ticks: Ints, type: Type, column: Column, layout: Layout, place: Place) -> Array:
    if type is Type.DOUBLE:
        return pa.array(in_seconds(ticks, layout.resolution))
    seconds, rest = np.divmod(ticks, layout.resolution)
    if rest.any():
        index = int(np.argmax(rest != 0))
        raise catalogue.wrong_value(place, index, layout.time, str(column[index]), type)
    return pa.array(seconds)


def in_order(events: pa.Table, *, by_content: bool = False) -> pa.Table:
    """Sorted by time, then by the order column, then by row or content; the order column is dropped."""
    rest = [n for n in events.column_names if n not in (TIME, ROW, ORDER)] if by_content else [ROW]
    if _is_sorted(events, rest):
        return events
    kept = events.drop_columns([ORDER]) if ORDER in events.column_names else events
    keys = [events.column(TIME), *_order_keys(events), *(events.column(name) for name in rest)]
    names = [str(number) for number in range(len(keys))]
    directions: list[Any] = [(name, "ascending", "at_start") for name in names]
    return kept.take(pc.sort_indices(pa.table(keys, names=names), directions))


def _order_keys(events: pa.Table) -> Iterator[Array]:
    if ORDER in events.column_names:
        yield from order_keys(events.column(ORDER).combine_chunks())


def _is_sorted(events: pa.Table, rest: list[str]) -> bool:
    """Most logs are in order already."""
    return ORDER not in events.column_names and rest == [ROW] and are_in_order(events.column(TIME))


def empty_events(layout: Layout) -> pa.Table:
    """A table of events without rows."""
    fields = [(TIME, pa.int64()), *((n, ARROW_TYPES[t]) for n, t in layout.inputs)]
    return pa.schema([*fields, (ROW, pa.int64())]).empty_table()
