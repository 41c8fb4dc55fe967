"""Rows, their order, and bags of them. A bag is a list whose order has no meaning.

Null (None) equals null here, as in DISTINCT, GROUP BY and set operations; only conditions treat it as
unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from horae.data.schema import SchemaColumn
from horae.data.types import Type

Value = int | float | str | bool | None
Row = tuple[Value, ...]


def rank_value(value: Value) -> tuple[bool, Any]:
    """The sort key of a value: nulls first, false before true, numbers by value, text by code point."""
    return (False, 0) if value is None else (True, value)


def rank_row(row: Row) -> tuple[tuple[bool, Any], ...]:
    return tuple(rank_value(value) for value in row)


def fit_row(row: Iterable[Value], columns: Sequence[SchemaColumn]) -> Row:
    """In the types of the columns: an int becomes a double where one is declared."""
    return tuple(_fit(value, column.type) for value, column in zip(row, columns, strict=True))


def _fit(value: Value, type: Type) -> Value:
    if type is not Type.DOUBLE or value is None:
        return value
    assert not isinstance(value, str)
    return float(value) + 0.0  # one zero: −0.0 + 0.0 is 0.0


def distinct(bag: Sequence[Row]) -> list[Row]:
    return list(dict.fromkeys(bag))


def subtract(bag: Sequence[Row], other: Sequence[Row]) -> list[Row]:
    """Each row as many times as it is more often in the bag than in the other; the rest in its order.

    Of equal rows the first ones are taken away.
    """
    old = Counter(other)
    seen: Counter[Row] = Counter()
    left = []
    for row in bag:
        seen[row] += 1
        if seen[row] > old[row]:
            left.append(row)
    return left


def intersect(bag: Sequence[Row], other: Sequence[Row]) -> list[Row]:
    """Each row as many times as in the bag where it is rarer."""
    return list((Counter(bag) & Counter(other)).elements())
