"""Columns of a table by the names that a stream or relation has registered.

Names are the same in any case, as everywhere in CQL. The column that is written alike is meant first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from horae.data import catalogue_rows as catalogue
from horae.data.layout import Place
from horae.data.schema import RegisteredInput
from horae.source.errors import InputError

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


def columns_of_rows(
    rows: Sequence[Mapping[str, object]], names: Sequence[str], place: Place
) -> dict[str, list[object]]:
    """Values of JSON objects; None where an object has no such key."""
    keys: dict[tuple[str, ...], tuple[str | None, ...]] = {}
    columns: dict[str, list[object]] = {name: [] for name in names}
    for index, row in enumerate(rows):
        own = tuple(row)
        if own not in keys:
            with row_of(place, index):
                keys[own] = tuple(find_column(name, own, "") for name in names)
        for name, key in zip(names, keys[own], strict=True):
            columns[name].append(None if key is None else row[key])
    return columns


@contextmanager
def row_of(place: Place, index: int) -> Iterator[None]:
    """Errors about the keys of one row: they are in that row."""
    try:
        yield
    except InputError as error:
        raise error.at(place.name, place.row(index)) from None
