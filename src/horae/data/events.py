"""Event tables from files, without Spark."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from horae.data import catalogue
from horae.data.columns import DataType
from horae.data.endings import is_json_lines
from horae.data.file_places import File, current_places
from horae.data.files import files_at, reading
from horae.data.formats.jsonl import read_json_events
from horae.data.formats.table_file import Dialect, TableFile, open_table
from horae.data.formats.text import is_empty
from horae.data.layout import ORDER, ROW, Layout, Place
from horae.data.roll import Notes, note, noting
from horae.data.table_blocks import BLOCK, TableBlock, blocks_of_file
from horae.data.validate import check_columns, in_order, validate
from horae.data.values import ARROW_TYPES
from horae.source.errors import InputError


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
    for file in (file for each in paths for file in files_at(current_places(), str(each))):
        table = _numbered(_validated(file, layout, dialect or Dialect()), seen)
        seen += len(table)
        tables.append(table)
    events = pa.concat_tables(_same_order_type(tables, layout))
    return in_order(events, by_content=len(tables) > 1)


def _validated(file: File, layout: Layout, dialect: Dialect) -> pa.Table:
    if is_empty(file):
        raise catalogue.empty_file(str(file))
    if is_json_lines(file):
        with reading(file):
            found = read_json_events(file, layout)
        return _checked([found], file, layout)
    with reading(file):  # a quoted empty cell of CSV is a value
        opened = open_table(file, replace(dialect, keeps_empty=True))
    check_columns(opened.names, layout, Place(str(file)))
    typed = _typed(opened, file, layout)
    return _checked(_blocks(opened, file, layout), file, layout) if typed is None else typed


def _checked(tables: Iterable[pa.Table], file: File, layout: Layout) -> pa.Table:
    blocks = blocks_of_file(tables, Place(str(file)))
    return pa.concat_tables(validate(pa.table(b.columns), layout, b.place) for b in blocks)


def _blocks(opened: TableFile, file: File, layout: Layout) -> Iterator[pa.Table]:
    """The columns that the program reads."""
    with reading(file):
        yield from opened.blocks(layout.columns)


def _typed(opened: TableFile, file: File, layout: Layout) -> pa.Table | None:
    """The same where a file of text can be parsed on the way; messages are about the text itself."""
    if opened.typed is None:
        return None
    with reading(file):
        found = opened.typed(_types(layout))
    try:
        return None if found is None else _checked_together(found, file, layout)
    except InputError:
        return None


def _checked_together(table: pa.Table, file: File, layout: Layout) -> pa.Table:
    """By all cores if there are several blocks; what is noted of them is noted in their order."""
    if len(table) <= BLOCK:
        return _checked([table], file, layout)
    from concurrent.futures import ThreadPoolExecutor

    def checked(block: TableBlock) -> tuple[pa.Table, Notes]:
        notes: Notes = {}
        with noting(notes):
            return validate(pa.table(block.columns), layout, block.place), notes

    tables: list[pa.Table] = []
    with ThreadPoolExecutor(os.cpu_count()) as cores:
        for own, notes in cores.map(checked, blocks_of_file([table], Place(str(file)))):
            tables.append(own)
            for name, place in notes.items():
                note(name, place)
    return pa.concat_tables(tables)


def _types(layout: Layout) -> dict[str, DataType]:
    """Those of inputs; times, and what orders rows, are read as text."""
    types = {name: ARROW_TYPES[type] for name, type in layout.inputs}
    as_text = dict.fromkeys((layout.time, layout.order), pa.string())
    return {name: (types | as_text)[name] for name in layout.columns}


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
