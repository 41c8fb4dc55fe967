"""Files of text: UTF-8, with a byte order mark or without, compressed or not."""

from __future__ import annotations

import io
from codecs import BOM_UTF8
from typing import IO, Any, TextIO, cast

import pyarrow as pa

from horae.data.endings import COMPRESSED
from horae.data.file_places import File


def is_empty(file: File) -> bool:
    with file.open("rb") as stored:
        return not stored.read(1)


def read_bytes(file: File) -> bytes:
    """The text, still in UTF-8, without a byte order mark."""
    with _opened(file) as stream:
        return bytes(stream.read()).removeprefix(BOM_UTF8)


def read_text(file: File) -> str:
    """The text of a file, with the line ends that Python has."""
    with open_text(file) as text:
        return text.read()


def open_text(file: File, *, errors: str = "strict", newline: str | None = None) -> TextIO:
    """For whoever does not want all of it; `errors` and `newline` are those of `open`."""
    stream: Any = _opened(file)
    return io.TextIOWrapper(stream, encoding="utf-8-sig", errors=errors, newline=newline)


def _opened(file: File) -> IO[bytes]:
    compression: Any = COMPRESSED.get(file.suffix.lower())
    stored: Any = file.open("rb")
    if compression is None:
        return cast("IO[bytes]", stored)
    source: Any = pa.input_stream(stored, compression=compression)
    return io.BufferedReader(source)
