"""The order of rows of equal time: by the order column, then by content.

Rows come in any order, so nothing else can decide, and it must not depend on rows that come later.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array
from horae.languages.rtlola.live.columns import ORDER, TIME

_NUMBER = r"^-?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_WHOLE = r"^-?[0-9]{1,18}$"


def in_order(rows: pa.Table) -> pa.Table:
    """Sorted by time, order and content; nulls come first."""
    times = rows.column(TIME).to_numpy()
    if bool(np.all(times[1:] > times[:-1])):
        return rows
    keys = list(sort_keys(rows))
    return rows.take(sorted_by(pa.table(keys, names=[str(number) for number in range(len(keys))])))


def sorted_by(keys: pa.Table) -> Array:
    """The order of the rows of a table, by its columns from left to right."""
    names: list[Any] = [(name, "ascending", "at_start") for name in keys.column_names]
    found: Array = pc.sort_indices(keys, names)
    return found


def sort_keys(rows: pa.Table) -> Iterator[Array]:
    """Columns that order the rows; rows that are equal in all of them are equal."""
    yield _whole(rows, TIME)
    if ORDER in rows.column_names:
        yield from _order_keys(_whole(rows, ORDER))
    contents = [_whole(rows, name) for name in rows.column_names if name not in (TIME, ORDER)]
    yield from contents
    yield from (_sign(column) for column in contents if pa.types.is_floating(column.type))


def _whole(rows: pa.Table, name: str) -> Array:
    column: Array = rows.column(name).combine_chunks()
    return column


def _order_keys(column: Array) -> Iterator[Array]:
    """Numbers in text compare as numbers, 9 before 10, and come before other text."""
    if not pa.types.is_string(column.type):
        yield column
        return
    numbers = _only(column, _NUMBER)
    yield pc.and_(pc.is_valid(column), pc.is_null(numbers))
    yield numbers.cast(pa.float64())
    yield _only(column, _WHOLE).cast(pa.int64())
    yield column


def _only(column: Array, pattern: str) -> Array:
    """The texts that match; the others are null."""
    matching: Any = pc.match_substring_regex(column, pattern)
    found: Array = pc.if_else(matching, column, pa.scalar(None, pa.string()))
    return found


def _sign(column: Array) -> Array:
    """Tells -0.0 from 0.0, which compare as equal."""
    negative = np.signbit(column.fill_null(0.0).to_numpy(zero_copy_only=False))
    sign: Array = pa.array(~negative)
    return sign
