"""The text of a CSV file: spaces around a cell do not count, unless they stand in quotes.

The names in a header have none around them either, and numbers are read so everywhere. Spark is told
the same (`ignoreLeadingWhiteSpace`, `ignoreTrailingWhiteSpace`).
"""

from __future__ import annotations

import csv
import io
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# The end of a cell with the blanks around it, and the next cell if that is in quotes.
_CELL_END = re.compile(rb'[ \t]*(\A|,|\r\n|\n|\r|\Z)[ \t]*("(?:[^"]|"")*")?')
_BLANKS, _ENDS = (b" ", b"\t"), (b",", b"\n", b"\r")
_PAIRS = tuple(pair for blank in _BLANKS for end in _ENDS for pair in (blank + end, end + blank))


def read_tidy(path: Path) -> bytes:
    """The bytes of a CSV file without a byte order mark and without blanks around cells."""
    return tidy(path.read_bytes().removeprefix(BOM_UTF8))


def tidy(data: bytes) -> bytes:
    """`a , "b "\\n` → `a,"b "\\n`; most files have no such blanks, and are not touched."""
    at_ends = data[:1] in _BLANKS or data[-1:] in _BLANKS
    if not at_ends and not any(pair in data for pair in _PAIRS):
        return data
    return _CELL_END.sub(rb"\1\2", data)


def csv_rows(data: bytes) -> Iterator[list[str]]:
    """The cells of each row, of any length; a text that is no UTF-8 is a `UnicodeDecodeError`."""
    with _any_length():
        yield from csv.reader(io.StringIO(data.decode(), newline=""))


def csv_header(path: Path) -> list[str]:
    """The names in the first row."""
    with path.open(encoding="utf-8-sig", newline="") as lines, _any_length():
        return [name.strip() for name in next(csv.reader(lines), [])]


@contextmanager
def _any_length() -> Iterator[None]:
    """Python's reader has a limit of its own for cells, which other readers of CSV have not."""
    before = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(before)
