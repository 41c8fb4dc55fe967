"""Times that are plain decimal numbers, `12.5`, as ticks: machine code reads the text of a large column.

It knows digits, a sign and a point. All else (exponents, blanks, dates, more digits than 64 bits hold)
is left to `times`, which also words what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from horae.data.columns import Array, Column, Ints

_WORTH_COMPILING = 50_000  # rows; to load numba takes as long as Arrow's parser takes for many more
_DIGITS = 18  # so many fit into 64 bits, whatever they are

Bytes = npt.NDArray[np.uint8]


def plain_ticks(column: Column, places: int) -> Ints | None:
    """Numbers in units of a decimal place; None for a small column, and for one with other entries."""
    if not pa.types.is_string(column.type) or column.null_count or len(column) < _WORTH_COMPILING:
        return None
    ticks = np.empty(len(column), np.int64)
    begin = 0
    for chunk in column.chunks:
        own = ticks[begin : begin + len(chunk)]
        if len(chunk) and not _machine_code()(*_text(chunk), places, own):
            return None
        begin += len(chunk)
    return ticks


def _text(chunk: Array) -> tuple[Bytes, npt.NDArray[np.int32]]:
    """The characters of all entries, and where each begins and the last one ends."""
    _, offsets, text = chunk.buffers()
    ends = np.frombuffer(memoryview(offsets or b""), np.int32)
    return np.frombuffer(memoryview(text or b""), np.uint8), ends[chunk.offset :]


@cache
def _machine_code() -> Callable[..., bool]:
    import numba

    code: Callable[..., bool] = numba.njit(cache=True, nogil=True)(read_plain)
    return code


def read_plain(text: Bytes, ends: npt.NDArray[np.int32], places: int, ticks: Ints) -> bool:
    """Fills `ticks`, one for each entry; False if an entry is no plain number with so many places."""
    for row in range(len(ticks)):
        at, end = ends[row], ends[row + 1]
        is_negative = at < end and text[at] == 45
        if at < end and (text[at] == 45 or text[at] == 43):
            at += 1
        number, digits, behind = np.int64(0), 0, -1
        while at < end:
            character = text[at]
            if 48 <= character <= 57 and digits < _DIGITS:
                number = number * 10 + (np.int64(character) - 48)
                digits += 1
                behind += behind >= 0
            elif character == 46 and behind < 0:
                behind = 0
            else:
                return False
            at += 1
        missing = places - max(behind, 0)
        if not digits or missing < 0 or digits + missing > _DIGITS:
            return False
        for _ in range(missing):
            number *= 10
        ticks[row] = -number if is_negative else number
    return True
