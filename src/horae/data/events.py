"""Event tables from files, without Spark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from horae.data import catalogue
from horae.data.endings import is_json_lines
from horae.data.files import find_files, reading
from horae.data.formats.jsonl import read_json_events
from horae.data.formats.table_file import Dialect, open_table
from horae.data.layout import ORDER, ROW, Layout, Place
from horae.data.table_blocks import blocks_of_file
from horae.data.validate import check_columns, in_order, validate


def read_events(
    path: str | Path | Sequence[str | Path], layout: Layout, dialect: Dialect | None = None
) -> pa.Table:
    """All rows of a file, a directory or a glob (or of several): checked, typed, in order of time.

    Rows of equal time keep the order of a single file; those of several files are ordered by content.
    A message counts the rows of its file; `__row` counts on over all files. `dialect` is for CSV.
    """
    paths = [path] if isinstance(path, str | Path) else path
    tables: list[pa.Table] = []
    seen = 0
    for file in (file for each in paths for file in find_files(each)):
        table = _numbered(_validated(file, layout, dialect or Dialect()), seen)
        seen += len(table)
        tables.append(table)
    events = pa.concat_tables(_same_order_type(tables, layout))
    return in_order(events, by_content=len(tables) > 1)


def _validated(file: Path, layout: Layout, dialect: Dialect) -> pa.Table:
    if file.stat().st_size == 0:
        raise catalogue.empty_file(str(file))
    blocks = blocks_of_file(_load(file, layout, dialect), Place(str(file)))
    return pa.concat_tables(validate(pa.table(b.columns), layout, b.place) for b in blocks)


def _load(file: Path, layout: Layout, dialect: Dialect) -> Iterator[pa.Table]:
    """The columns that the program reads; a quoted empty cell of CSV is a value."""
    with reading(file):
        if is_json_lines(file):
            yield read_json_events(file, layout)
            return
        opened = open_table(file, replace(dialect, keeps_empty=True))
        check_columns(opened.names, layout, Place(str(file)))
        yield from opened.blocks(layout.columns)


def _numbered(table: pa.Table, seen: int) -> pa.Table:
    if not seen:
        return table
    rows = pc.add(table.column(ROW), seen)
    return table.set_column(table.schema.get_field_index(ROW), ROW, rows)


def _same_order_type(tables: list[pa.Table], layout: Layout) -> list[pa.Table]:
    """Files of several formats may hold the order column as text and as numbers."""
    types = {table.schema.field(ORDER).type for table in tables} if layout.order else set()
    if len(types) <= 1:
        return tables
    return [
        table.set_column(
            table.schema.get_field_index(ORDER), ORDER, table.column(ORDER).cast(pa.string())
        )
        for table in tables
    ]
