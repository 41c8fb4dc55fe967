"""A file of JSON objects, one per line.

Arrow reads it fast but guesses types and does not always say what it dislikes. Where it
fails, Python reads the file again, line by line: that accepts all that is right and names what is wrong.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.json

from horae.data import catalogue
from horae.data.file_places import File
from horae.data.formats.text import open_text, read_bytes
from horae.data.layout import Layout, Place
from horae.data.rows import table_of
from horae.data.validate import check_columns
from horae.data.values import ARROW_TYPES
from horae.data.written_lines import WrittenLines
from horae.source.errors import InputError
from horae.source.text import is_unicode

_LOOKED_AT = 10_000  # rows
_HELP = 'each line is one object, such as {"time": 1.5, "a": 3}'


def read_json_events(path: File, layout: Layout) -> pa.Table:
    """The columns that the program reads; a key that no row has is a missing column."""
    text = read_bytes(path)
    text.decode()  # Arrow does not look whether it is UTF-8
    if not text.strip():
        raise catalogue.empty_file(str(path))
    table = _parse_fast(text, layout)
    if table is None:
        return _read_slowly(path, layout)
    _check_mentioned(table, path, layout)
    return table


def parse_lines(written: WrittenLines, layout: Layout) -> pa.Table:
    """The same for lines in memory; here a key may be missing, as it may stand in other lines."""
    table = _parse_fast(written.text, layout)
    if table is None or len(table) != written.count:
        return table_of(list(_objects_in(written.lines, written.place)), layout, written.place)
    for name in layout.columns:
        if name not in table.column_names:
            table = table.append_column(name, pa.nulls(len(table), pa.string()))
    return table


def _parse_fast(text: bytes, layout: Layout) -> pa.Table | None:
    """None if Arrow cannot tell the rows, or if they are not the lines."""
    lines = objects_by_line(text)
    if lines is None or not is_utf8(text):
        return None
    try:
        table = pa.json.read_json(io.BytesIO(text), parse_options=_options(layout))
    except pa.ArrowInvalid:
        return None
    return table if len(table) == lines else None


def objects_by_line(text: bytes) -> int | None:
    """How many lines there are, if each seems to be an object of its own.

    Arrow does not mind several objects in a line, or one in several, and some texts that begin with no
    object end the whole process.
    """
    body = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").strip()
    breaks = body.count(b"\n")
    is_framed = body.startswith(b"{") and body.endswith(b"}")
    return breaks + 1 if is_framed and body.count(b"}\n{") == breaks else None


def is_utf8(text: bytes) -> bool:
    """Arrow takes the bytes of text as they are; then nobody could read it."""
    try:
        return text.isascii() or text.decode() is not None
    except UnicodeDecodeError:
        return False


def check_keys(
    paths: Sequence[File],
    layout: Layout,
    *,
    keeps_bad: bool = False,
    all_keys: Callable[[], Iterable[str]] | None = None,
) -> None:
    """Every column is the key of some row; looking stops as soon as all are found.

    With `keeps_bad`, lines that are no objects are passed over. Who has `all_keys` is asked when many
    rows have not shown them.
    """
    missing = set(layout.columns)
    seen: dict[str, None] = {}
    read = _readable_objects if keeps_bad else _objects
    for number, row in enumerate(row for path in paths for row in read(path)):
        seen |= dict.fromkeys(row)
        missing -= row.keys()
        if not missing:
            return
        if number == _LOOKED_AT and all_keys is not None:
            seen |= dict.fromkeys(all_keys())
            break
    check_columns(list(seen), layout, Place(str(paths[0])))


def _options(layout: Layout) -> Any:
    """Inputs have their declared types; the type of the time is Arrow's guess."""
    declared = [(name, ARROW_TYPES[type]) for name, type in layout.inputs if name != layout.time]
    return pa.json.ParseOptions(explicit_schema=pa.schema(declared))


def _check_mentioned(table: pa.Table, path: File, layout: Layout) -> None:
    """Arrow adds every declared column; one without any value may be a misspelt key."""
    names = table.column_names
    doubtful = any(
        name not in names or table.column(name).null_count == len(table) for name in layout.columns
    )
    if doubtful:
        check_columns(_keys(_objects(path)), layout, Place(str(path)))


def _read_slowly(path: File, layout: Layout) -> pa.Table:
    rows = list(_objects(path))
    check_columns(_keys(iter(rows)), layout, Place(str(path)))
    return table_of(rows, layout, Place(str(path)))


def _keys(rows: Iterator[Mapping[str, object]]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in row))


def _objects(path: File) -> Iterator[Mapping[str, object]]:
    with open_text(path) as lines:
        yield from _objects_in(lines, Place(str(path)))


def _readable_objects(path: File) -> Iterator[Mapping[str, object]]:
    with open_text(path, errors="replace") as lines:
        for line in lines:
            try:
                yield from _objects_in([line], Place(str(path)))
            except InputError:
                continue


def _objects_in(lines: Iterable[str], place: Place) -> Iterator[Mapping[str, object]]:
    filled = (line for line in lines if line.strip())
    for index, line in enumerate(filled):
        yield parse_object(line, index, place, _HELP)


# --- one line


class _TwiceError(Exception):
    """A key that an object has twice: one value would take the place of the other."""


def parse_object(
    line: str,
    index: int,
    place: Place,
    help: str,
    parse_float: Callable[[str], object] | None = None,
) -> dict[str, object]:
    """`index` counts the rows of the input from 0; `help` shows how a line looks."""
    try:
        row = json.loads(line, parse_float=parse_float, object_pairs_hook=_once_each)
    except _TwiceError as twice:
        problem = f"the line has the key `{twice}` twice"
        raise catalogue.malformed_row(place, index, problem, help) from None
    except json.JSONDecodeError:
        raise catalogue.malformed_row(place, index, "the line is not JSON", help) from None
    except (ValueError, ArithmeticError, RecursionError):
        problem = "the line has a number of thousands of digits, or a list that is nested too deep"
        raise catalogue.malformed_row(place, index, problem, help) from None
    if not isinstance(row, dict):
        raise catalogue.malformed_row(place, index, "the line is not a JSON object", help)
    if not all(map(is_unicode, row)):
        raise catalogue.malformed_row(place, index, "a key of the line is no text", help)
    return row


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return found
