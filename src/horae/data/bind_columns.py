"""Columns of a table by the names that a stream or relation has registered.

Names are the same in any case, as everywhere in CQL. The column that is written alike is meant first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from horae.data import catalogue_rows as catalogue
from horae.data.schema import RegisteredInput

_PICKED = re.compile(r"(?P<name>[^()]*)\((?P<columns>[^()]*)\)")


class TableName(NamedTuple):
    """`NAME`, or `NAME(column, …)` with the columns of the table that are read, in order."""

    name: str
    columns: tuple[str, ...] | None = None


def read_table_name(text: str) -> TableName:
    found = _PICKED.fullmatch(text.strip())
    if found is None:
        return TableName(text.strip())
    columns = [column.strip() for column in found["columns"].split(",")]
    return TableName(found["name"].strip(), tuple(columns))


def bind_columns(
    item: RegisteredInput, names: Sequence[str], picked: Sequence[str] | None, place: str
) -> tuple[str, ...]:
    """The column of the table for each column of the stream or relation; other columns are ignored."""
    wanted = tuple(column.name for column in item.columns) if picked is None else tuple(picked)
    if len(wanted) != len(item.columns):
        raise catalogue.wrong_number_of_columns(item, wanted, place)
    bound = [find_column(name, names, place) for name in wanted]
    missing = [name for name, column in zip(wanted, bound, strict=True) if column is None]
    if missing:
        raise catalogue.missing_columns(item, missing, names, place)
    return tuple(column for column in bound if column is not None)


def find_column(name: str, names: Iterable[str], place: str) -> str | None:
    """The column of this name, if there is one."""
    alike = [other for other in names if other.lower() == name.lower()]
    if name in alike:
        return name
    if len(alike) > 1:
        raise catalogue.ambiguous_input_column(name, alike, place)
    return alike[0] if alike else None


def with_order(names: Sequence[str], order: str | None) -> list[str]:
    """The keys of a JSON object, and the order, which may be missing there."""
    missing = order is not None and order.lower() not in (name.lower() for name in names)
    return [*names, order] if order is not None and missing else list(names)
