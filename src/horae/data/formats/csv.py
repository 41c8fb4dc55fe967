"""CSV as columns of text: what values are comes from a program, not from a guess at the data.

Spaces around a cell do not count, unless they stand in quotes; Spark is told the same
(`ignoreLeadingWhiteSpace`, `ignoreTrailingWhiteSpace`). Lines without cells are no rows. Arrow reads the
text; where it refuses it, Python reads it again: that accepts all that is right and names the row that
is wrong. Who knows the types of columns beforehand has Arrow parse them on the way, with all cores.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TextIO

import pyarrow as pa
import pyarrow.csv

from horae.data import catalogue
from horae.data.columns import DataType
from horae.data.file_places import File
from horae.data.formats.table_file import Dialect, TableFile
from horae.data.formats.text import open_text, read_bytes
from horae.data.layout import Place

_HELP = "a cell that holds a comma or a line break stands in double quotes"


def open_table(file: File, dialect: Dialect) -> TableFile:
    text = tidy(read_bytes(file), dialect.delimiter)
    names = _names(file, text, dialect)

    def blocks(wanted: Sequence[str]) -> Iterator[pa.Table]:
        places = [names.index(name) for name in wanted]
        for table in _read(text, len(names), places, dialect, Place(str(file))):
            yield table.rename_columns(list(wanted))

    def typed(wanted: Mapping[str, DataType]) -> pa.Table | None:
        found = _typed(text, names, wanted, dialect)
        return None if found is None else found.rename_columns(list(wanted))

    return TableFile(names, blocks, typed)


def _names(file: File, text: bytes, dialect: Dialect) -> list[str]:
    if dialect.columns:
        return list(dialect.columns)
    if dialect.header is False:
        raise catalogue.header_needed(str(file))
    return _header(_lines(text), dialect.delimiter)


def header_of(file: File, dialect: Dialect | None = None) -> list[str]:
    """The names in the first row; a file without one has none."""
    with open_text(file, newline="") as lines:
        return _header(lines, (dialect or Dialect()).delimiter)


def _header(lines: TextIO, delimiter: str) -> list[str]:
    return [name.strip() for name in next(_rows(lines, delimiter), [])]


# --- spaces around cells


def tidy(text: bytes, delimiter: str = ",") -> bytes:
    """`a , "b "\\n` → `a,"b "\\n`; most files have no such blanks, and are not touched."""
    blanks = [blank for blank in (b" ", b"\t") if blank != delimiter.encode() and blank in text]
    if not blanks:
        return text
    ends = (delimiter.encode(), b"\n", b"\r")
    pairs = (pair for blank in blanks for end in ends for pair in (blank + end, end + blank))
    at_ends = text[:1] in blanks or text[-1:] in blanks
    if not at_ends and not any(pair in text for pair in pairs):
        return text
    return _cell_end(delimiter).sub(rb"\1\2", text)


@lru_cache
def _cell_end(delimiter: str) -> re.Pattern[bytes]:
    """The end of a cell with the blanks around it, and the next cell if that is in quotes."""
    blank = rb"[ ]" if delimiter == "\t" else rb"[ \t]"
    end = rb"\A|" + re.escape(delimiter.encode()) + rb"|\r\n|\n|\r|\Z"
    return re.compile(blank + rb"*(" + end + rb")" + blank + rb'*("(?:[^"]|"")*")?')


# --- cells


def _read(
    text: bytes, width: int, places: Sequence[int], dialect: Dialect, place: Place
) -> Iterator[pa.Table]:
    """The columns at these places. What Arrow takes otherwise than Python, Python reads."""
    seen = 0
    if dialect.keeps_empty or b"\0" not in text:
        try:
            for table in _quickly(text, width, places, dialect):
                seen += len(table)
                yield table
        except pa.ArrowInvalid:
            rows = _checked_rows(text, width, dialect, place)
            if dialect.keeps_empty:
                raise
        else:
            return
    else:
        rows = _checked_rows(text, width, dialect, place)
    cells = list(zip(*rows[seen:], strict=True)) if rows[seen:] else [()] * width
    columns = [pa.array([cell or None for cell in cells[at]], pa.string()) for at in places]
    yield pa.table(columns, names=[str(at) for at in places])


def _quickly(
    text: bytes, width: int, places: Sequence[int], dialect: Dialect
) -> Iterator[pa.Table]:
    """Block by block; where there are no rows, there is one block all the same."""
    with _opened(text, width, places, dialect) as reader:
        first = next(iter(reader), None)
        yield pa.Table.from_batches([] if first is None else [first], reader.schema)
        for batch in reader:
            yield pa.Table.from_batches([batch])


def _opened(
    text: bytes, width: int, places: Sequence[int], dialect: Dialect
) -> pa.csv.CSVStreamingReader:
    source: Any = pa.BufferReader(text)  # is read without a copy
    return pa.csv.open_csv(source, **_how(text, width, dict.fromkeys(places, pa.string()), dialect))


def _typed(
    text: bytes, names: Sequence[str], wanted: Mapping[str, DataType], dialect: Dialect
) -> pa.Table | None:
    """Cells as Arrow reads them, which accepts less than we do, but for `0x1F` as a whole number."""
    if any(map(pa.types.is_integer, wanted.values())) and (b"0x" in text or b"0X" in text):
        return None
    types = {names.index(name): type for name, type in wanted.items()}
    source: Any = pa.BufferReader(text)
    try:
        return pa.csv.read_csv(source, **_how(text, len(names), types, dialect))
    except pa.ArrowInvalid:
        return None


def _how(
    text: bytes, width: int, types: Mapping[int, DataType], dialect: Dialect
) -> dict[str, Any]:
    """The options of Arrow's readers, for the columns at these places."""
    return {
        "read_options": pa.csv.ReadOptions(
            column_names=[str(place) for place in range(width)],
            skip_rows_after_names=1 if dialect.has_header else 0,
        ),
        "parse_options": pa.csv.ParseOptions(
            delimiter=dialect.delimiter, newlines_in_values=_has_quotes(text)
        ),
        "convert_options": pa.csv.ConvertOptions(
            include_columns=[str(place) for place in types],
            column_types={str(place): type for place, type in types.items()},
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=not dialect.keeps_empty,
        ),
    }


def _has_quotes(text: bytes) -> bool:
    """Whether cells may hold line breaks; names in quotes in the first row say nothing of that."""
    end = text.find(b"\n") + 1
    return text.count(b'"', 0, end) % 2 == 1 or text.find(b'"', end) >= 0


def _checked_rows(text: bytes, width: int, dialect: Dialect, place: Place) -> list[list[str]]:
    rows = [row for row in _rows(_lines(text), dialect.delimiter) if row]
    rows = rows[1:] if dialect.has_header else rows
    for index, row in enumerate(rows):
        if len(row) != width:
            problem = f"the row has {len(row)} cells, but there are {width} columns"
            raise catalogue.malformed_row(place, index, problem, _HELP)
    return rows


def _lines(text: bytes) -> TextIO:
    """What is not UTF-8 is a `UnicodeDecodeError` when it is read."""
    return io.TextIOWrapper(io.BytesIO(text), encoding="utf-8", newline="")


def _rows(lines: TextIO, delimiter: str) -> Iterator[list[str]]:
    """The cells of each row, of any length."""
    with _any_length():
        yield from csv.reader(lines, delimiter=delimiter)


@contextmanager
def _any_length() -> Iterator[None]:
    """Python's reader has a limit of its own for cells, which other readers of CSV have not."""
    before = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(before)
