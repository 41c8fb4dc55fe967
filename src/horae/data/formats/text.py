"""Files of text: UTF-8, with a byte order mark or without, compressed or not."""

from __future__ import annotations

import io
from codecs import BOM_UTF8
from pathlib import Path
from typing import Any, TextIO

import pyarrow as pa

from horae.data.endings import COMPRESSED


def read_bytes(file: Path) -> bytes:
    """The text, still in UTF-8, without a byte order mark."""
    compression: Any = COMPRESSED.get(file.suffix.lower())
    if compression is None:
        return file.read_bytes().removeprefix(BOM_UTF8)
    with pa.input_stream(file, compression=compression) as stream:
        return bytes(stream.read()).removeprefix(BOM_UTF8)


def read_text(file: Path) -> str:
    """The text of a file, with the line ends that Python has."""
    with open_text(file) as text:
        return text.read()


def open_text(file: Path, *, errors: str = "strict", newline: str | None = None) -> TextIO:
    """For whoever does not want all of it; `errors` and `newline` are those of `open`."""
    compression: Any = COMPRESSED.get(file.suffix.lower())
    if compression is None:
        return file.open(encoding="utf-8-sig", errors=errors, newline=newline)
    source: Any = pa.input_stream(file, compression=compression)
    stream = io.BufferedReader(source)
    return io.TextIOWrapper(stream, encoding="utf-8-sig", errors=errors, newline=newline)
