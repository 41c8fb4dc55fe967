"""Rows of CQL streams and relations from lines of JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

import pyarrow as pa

from horae.data.bind_columns import find_column
from horae.data.columns import DataType
from horae.data.formats.json_columns import by_columns, exact_objects
from horae.data.layout import Place
from horae.data.rows_of_inputs import InputLayout, read_input_rows
from horae.data.typed_columns import GivenColumns
from horae.data.types import Type
from horae.data.values import ARROW_TYPES
from horae.data.written_lines import WrittenLines
from horae.source.errors import InputError


def read_json_rows(
    layout: InputLayout, written: WrittenLines, beside: GivenColumns | None = None
) -> pa.Table:
    """Typed columns; `beside` are columns that do not stand in the lines."""
    found = by_columns(written, partial(_of_columns, layout, written, beside), _doubles(layout))
    if found is not None:
        return found
    rows = exact_objects(written)
    columns = _columns_of_rows(rows, layout.names, written.place)
    return read_input_rows(layout, {**columns, **(beside or {})}, len(rows), written.place)


def _of_columns(
    layout: InputLayout, written: WrittenLines, beside: GivenColumns | None, table: pa.Table
) -> pa.Table:
    missing = pa.nulls(len(table))
    keys = {name: find_column(name, table.column_names, "") for name in layout.names}
    columns = {name: missing if key is None else table[key] for name, key in keys.items()}
    return read_input_rows(layout, {**columns, **(beside or {})}, len(table), written.place)


def _doubles(layout: InputLayout) -> dict[str, DataType]:
    """Columns that are read as the nearest double, and as nothing else."""
    doubles = [
        name
        for name, column in zip(layout.columns, layout.item.columns, strict=True)
        if column.type is Type.DOUBLE and name not in (layout.time, layout.order)
    ]
    return dict.fromkeys(doubles, ARROW_TYPES[Type.DOUBLE])


def _columns_of_rows(
    rows: Sequence[Mapping[str, object]], names: Sequence[str], place: Place
) -> dict[str, list[object]]:
    """Values of JSON objects; None where an object has no such key."""
    keys: dict[tuple[str, ...], tuple[str | None, ...]] = {}
    columns: dict[str, list[object]] = {name: [] for name in names}
    for index, row in enumerate(rows):
        own = tuple(row)
        if own not in keys:
            with _row_of(place, index):
                keys[own] = tuple(find_column(name, own, "") for name in names)
        for name, key in zip(names, keys[own], strict=True):
            columns[name].append(None if key is None else row[key])
    return columns


@contextmanager
def _row_of(place: Place, index: int) -> Iterator[None]:
    """Errors about the keys of one row: they are in that row."""
    try:
        yield
    except InputError as error:
        raise error.at(place.name, place.row(index)) from None
