"""Lines of JSON whose numbers stay what is written, for rules and queries.

Arrow reads them as columns where it cannot change a value. Python reads all others again, line by line:
that takes all that is right and names what is wrong.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from contextlib import suppress
from decimal import Decimal
from typing import TypeVar

import pyarrow as pa
import pyarrow.json

from horae.data import catalogue
from horae.data.columns import Column, DataType
from horae.data.file_places import File
from horae.data.files import reading
from horae.data.formats.jsonl import is_utf8, objects_by_line, parse_object
from horae.data.formats.text import open_text
from horae.data.layout import Place
from horae.data.typed_columns import Given
from horae.data.written_lines import WrittenLines
from horae.source.errors import InputError

_HELP = 'each line is one object, such as {"vehicle": "v1", "time": 3}'
_FINEST = 18  # decimals, after up to 20 digits
_COARSER = (3, 9)

T = TypeVar("T")
Types = Mapping[str, DataType]
NO_TYPES: Types = {}


def by_columns(
    written: WrittenLines, read: Callable[[pa.Table], T], types: Types = NO_TYPES
) -> T | None:
    """What `read` makes of the columns; None if rows must be looked at one by one.

    A column has one of `types`, or the type of its values.
    """
    table = exact_columns(written, types)
    if table is None:
        return None
    try:
        return read(table)
    except InputError:
        return None  # a row that is read by itself shows what is written in it


def exact_columns(written: WrittenLines, types: Types = NO_TYPES) -> pa.Table | None:
    """A column for each key, as they come up; null where an object has no such key."""
    text = written.text
    rows = objects_by_line(text)
    if rows is None or written.count not in (rows, None) or not is_utf8(text):
        return None
    try:
        table = _parse(text, types)
        exact = {field.name: _exact_type(field.type) for field in table.schema} | dict(types)
        if any(exact[field.name] != field.type for field in table.schema):
            table = _parse(text, exact).select(table.column_names)
    except (pa.ArrowInvalid, _InexactError):
        return None
    return _narrowed(table) if len(table) == rows else None


def key_column(table: pa.Table, name: str) -> Given:
    """The values of a key; null where no object has it."""
    return table[name] if name in table.column_names else pa.nulls(len(table))


class _InexactError(Exception):
    """A type that Arrow has for values, but Python has others for them."""


def _parse(text: bytes, types: Types) -> pa.Table:
    options = pa.json.ParseOptions(explicit_schema=pa.schema(dict(types)))
    return pa.json.read_json(io.BytesIO(text), parse_options=options)


def _exact_type(guessed: DataType) -> DataType:
    if pa.types.is_floating(guessed):
        return pa.decimal128(38, _FINEST)
    if pa.types.is_timestamp(guessed):
        return pa.string()
    if pa.types.is_nested(guessed):
        raise _InexactError
    return guessed


def _narrowed(table: pa.Table) -> pa.Table:
    """Decimals of few digits where these are enough: arithmetic on them has room."""
    columns = [_narrow(c) if pa.types.is_decimal(c.type) else c for c in table.columns]
    return pa.table(dict(zip(table.column_names, columns, strict=True)))


def _narrow(column: Column) -> Column:
    for digits in _COARSER:
        try:
            return column.cast(pa.decimal128(38, digits))
        except pa.ArrowInvalid:
            continue
    return column


def exact_objects(written: WrittenLines) -> list[dict[str, object]]:
    """An object per line; decimals stay decimals."""
    return [exact_object(line, index, written.place) for index, line in enumerate(written.lines)]


def exact_object(line: str, index: int, place: Place) -> dict[str, object]:
    """`index` counts the lines from 0."""
    return parse_object(line, index, place, _HELP, parse_float=Decimal)


# --- keys


def json_keys(file: File) -> list[str]:
    """The keys of the first line are the columns of a file of JSON Lines."""
    with reading(file), open_text(file) as lines:
        first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise catalogue.empty_file(str(file))
    return list(exact_object(first, 0, Place(str(file))))


def readable_json_keys(file: File) -> list[str]:
    """Those of the first line that is an object."""
    with open_text(file, errors="replace") as lines:
        for line in lines:
            with suppress(InputError):
                return list(exact_object(line, 0, Place(str(file))))
    raise catalogue.empty_file(str(file))
