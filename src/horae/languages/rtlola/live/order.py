"""The order of rows of equal time: by the order column, then by place, then by content.

Rows come in any order, so nothing else can decide, and it must not depend on rows that come later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array, Ints
from horae.data.order_texts import order_keys
from horae.languages.rtlola.live.columns import ORDER, PLACE, TIME


def sorted_rows(rows: pa.Table) -> pa.Table:
    """Sorted by time, order, place and content; nulls come first."""
    names = [TIME] if ORDER in rows.column_names else [TIME, *PLACE]
    numbers = [_numbers(rows, name) for name in names]
    places = _sorted(numbers)
    equal = _equal_to_previous([column[places] for column in numbers])
    if equal.any():
        places = _settled(rows, places, equal)
    return rows if bool((places[1:] > places[:-1]).all()) else rows.take(places)


def _numbers(rows: pa.Table, name: str) -> Ints:
    """A column of time or place; a row without a place comes first."""
    column: Any = rows.column(name)
    found: Ints = column.fill_null(-1).to_numpy()
    return found


def _sorted(numbers: Sequence[Ints]) -> Ints:
    """Places by the first column; of equal ones by the next, and so on. Most rows are in order."""
    times = numbers[0]
    increases = bool((times[1:] > times[:-1]).all())
    found: Ints = np.arange(len(times)) if increases else np.lexsort(tuple(reversed(numbers)))
    return found


def _equal_to_previous(columns: Sequence[Ints]) -> np.ndarray:
    equal = np.ones(max(len(columns[0]) - 1, 0), bool)
    for column in columns:
        equal &= column[1:] == column[:-1]
    return equal


def _settled(rows: pa.Table, places: Ints, equal: np.ndarray) -> Ints:
    """Rows that numbers do not tell apart, by all that they have."""
    open_places = np.zeros(len(places), bool)
    open_places[1:] |= equal
    open_places[:-1] |= equal
    at = np.flatnonzero(open_places)
    among = rows.take(places[at])
    settled = places.copy()
    settled[at] = places[at][sorted_by(named_keys(sort_keys(among))).to_numpy()]
    return settled


def sorted_by(keys: pa.Table) -> Array:
    """The order of the rows of a table, by its columns from left to right."""
    names: list[Any] = [(name, "ascending", "at_start") for name in keys.column_names]
    found: Array = pc.sort_indices(keys, names)
    return found


def named_keys(keys: Iterator[Array]) -> pa.Table:
    columns = list(keys)
    return pa.table(columns, names=[f"key{number}" for number in range(len(columns))])


def sort_keys(rows: pa.Table) -> Iterator[Array]:
    """Columns that order the rows; rows that are equal in all of them are equal."""
    yield _whole(rows, TIME)
    if ORDER in rows.column_names:
        yield from order_keys(_whole(rows, ORDER))
    yield from (_whole(rows, name) for name in PLACE)
    others = (TIME, ORDER, *PLACE)
    contents = [_whole(rows, name) for name in rows.column_names if name not in others]
    yield from contents
    yield from (_sign(column) for column in contents if pa.types.is_floating(column.type))


def _whole(rows: pa.Table, name: str) -> Array:
    column: Array = rows.column(name).combine_chunks()
    return column


def _sign(column: Array) -> Array:
    """Tells -0.0 from 0.0, which compare as equal."""
    negative = np.signbit(column.fill_null(0.0).to_numpy(zero_copy_only=False))
    sign: Array = pa.array(~negative)
    return sign
