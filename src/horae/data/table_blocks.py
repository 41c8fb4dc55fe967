"""Tables in blocks of rows.

Columns are read block by block: what is computed on the way to typed columns then fits into memory that
was in use for the block before. New memory costs more than the work on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from horae.data.columns import Column, DataType
from horae.data.layout import Place
from horae.data.typed_columns import Given

BLOCK = 1 << 17
"""Rows; those of a group of Parquet files are mostly a multiple, so that nothing is copied."""

_LARGEST = (1 << 25) - (1 << 16)


def keep_freed_memory() -> None:
    """Have the C library use the memory of a block again for the next one.

    glibc gives freed memory back to the system beyond a limit that follows the largest piece that was
    ever freed, up to 32 MB. This frees such a piece; nothing is written to it.
    """
    np.empty(_LARGEST, np.uint8)


def repeated(value: object, type: DataType, count: int) -> Column:
    """A column with one value in all rows, in blocks that are one and the same piece of memory."""
    scalar: Any = pa.scalar(value, type)
    block: Any = pa.repeat(scalar, min(count, BLOCK))
    whole, rest = divmod(count, BLOCK)
    return pa.chunked_array([*[block] * whole, block.slice(0, rest)], type)


def slices(table: pa.Table, size: int = BLOCK) -> Iterator[pa.Table]:
    """All rows of a table; one without rows is one slice."""
    for start in range(0, max(len(table), 1), size):
        yield table.slice(start, size)


class TableBlock(NamedTuple):
    columns: Mapping[str, Given]
    rows: int
    place: Place


def blocks_of_file(tables: Iterable[pa.Table], place: Place) -> Iterator[TableBlock]:
    """All rows of tables that follow each other in one file."""
    seen = 0
    for table in tables:
        columns = dict(zip(table.column_names, table.columns, strict=True))
        here = replace(place, first_row=place.row(seen))
        yield from blocks_of(columns, len(table), here)
        seen += len(table)


def blocks_of(
    columns: Mapping[str, Given], rows: int, place: Place, size: int = BLOCK
) -> Iterator[TableBlock]:
    """All rows; lists of Python's values, which are read one by one, stay in one block."""
    if rows <= size or not all(isinstance(c, pa.Array | pa.ChunkedArray) for c in columns.values()):
        yield TableBlock(columns, rows, place)
        return
    keep_freed_memory()
    for start in range(0, rows, size):
        own = {name: column[start : start + size] for name, column in columns.items()}
        yield TableBlock(own, min(size, rows - start), replace(place, first_row=place.row(start)))
