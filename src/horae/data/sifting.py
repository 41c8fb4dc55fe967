"""What can be read of rows of which some cannot: a part that is refused is halved, down to single rows.

Readers refuse a whole part at its first bad row. So all of them can be used as they are.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Generic, NamedTuple, TypeVar

from horae.data.file_places import File
from horae.source.errors import InputError

_Read = TypeVar("_Read")


class Sifted(NamedTuple, Generic[_Read]):
    """Rows `start` to `stop` as they were read, or what is wrong with a single one."""

    start: int
    stop: int
    found: _Read | InputError


def sift(rows: int, read: Callable[[int, int], _Read]) -> Iterator[Sifted[_Read]]:
    """In the order of the rows; `read` takes those from `start` to `stop`, or raises `InputError`."""
    waiting = [(0, rows)] if rows else []
    while waiting:
        start, stop = waiting.pop()
        try:
            found = read(start, stop)
        except InputError as error:
            if stop - start == 1:
                yield Sifted(start, stop, error)
            else:
                middle = (start + stop) // 2
                waiting += [(middle, stop), (start, middle)]
        else:
            yield Sifted(start, stop, found)


def read_good_lines(file: File, read: Callable[[str], Sequence[_Read]]) -> list[_Read]:
    """What `read` makes of the lines of a file that it does not refuse."""
    lines = list(_utf8_lines(file))
    sifted = sift(len(lines), lambda start, stop: read("\n".join(lines[start:stop])))
    return [item for *_, found in sifted if not isinstance(found, InputError) for item in found]


def _utf8_lines(file: File) -> Iterator[str]:
    with file.open("rb") as stored:
        text = stored.read()
    for line in text.removeprefix(BOM_UTF8).split(b"\n"):
        with suppress(UnicodeDecodeError):
            yield line.decode()
