"""The order column of events: what orders rows of equal time, as text, whatever type it had.

Numbers in text compare as numbers, 9 before 10, and come before other text. So the order of two rows
depends on nothing but these rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array

_NUMBER = r"^-?(([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|inf)$"
_WHOLE = r"^-?[0-9]{1,38}$"
_SHORT = r"^-?[0-9]{1,18}$"


def order_keys(column: Array) -> Iterator[Array]:
    """Columns by which values of any type are sorted; two that are equal in all of them are equal."""
    if pa.types.is_integer(column.type):
        yield column
        return
    yield from _text_keys(column.cast(pa.string()))


def _text_keys(column: Array) -> Iterator[Array]:
    if _are_all(column, _SHORT):
        yield column.cast(pa.int64())
        yield column  # 07 is not 7
        return
    numbers = _only(column, _NUMBER)
    yield pc.and_(pc.is_valid(column), pc.is_null(numbers))
    yield numbers.cast(pa.float64())
    yield _only(column, _WHOLE).cast(pa.decimal128(38))
    yield column


def _are_all(column: Array, pattern: str) -> bool:
    matching: Any = pc.match_substring_regex(column, pattern)
    return bool(pc.all(matching).as_py() in (True, None))


def _only(column: Array, pattern: str) -> Array:
    """The texts that match; the others are null."""
    matching: Any = pc.match_substring_regex(column, pattern)
    found: Array = pc.if_else(matching, column, pa.scalar(None, pa.string()))
    return found
