"""Pieces of a text as dictionary codes: each distinct piece is looked at once.

A piece is compared eight bytes at a time, as numbers, so nothing is done per row in Python.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from horae.data.columns import Ints

Bytes = npt.NDArray[np.uint8]

PADDING = 8
"""So many zeros stand behind the text."""
_MASKS = np.array([(1 << 8 * count) - 1 for count in range(9)], np.uint64)
_BLANKS = np.zeros(256, bool)
_BLANKS[[32, 9]] = True


class Pieces(NamedTuple):
    """Pieces of a text: each from the byte `starts[i]` to before the byte `ends[i]`."""

    starts: Ints
    ends: Ints

    def take(self, rows: Any) -> Pieces:
        return Pieces(self.starts[rows], self.ends[rows])


class Words(NamedTuple):
    """Piece i is the text `texts[codes[i]]`."""

    codes: Ints
    texts: list[str]


def trimmed(text: Bytes, pieces: Pieces) -> Pieces:
    """The pieces without spaces and tabs around them."""
    starts, ends = without_indent(text, pieces)
    while (blank := _BLANKS[text[ends - 1]] & (starts < ends)).any():
        ends = ends - blank
    return Pieces(starts, ends)


def without_indent(text: Bytes, pieces: Pieces) -> Pieces:
    """The pieces without spaces and tabs before them."""
    starts, ends = pieces
    while (blank := _BLANKS[text[starts]] & (starts < ends)).any():
        starts = starts + blank
    return Pieces(starts, ends)


def distinct_words(text: Bytes, pieces: Pieces) -> Words:
    """The pieces of a text without bytes that are 0; what is no UTF-8 has marks instead."""
    codes, count = _codes(text, pieces)
    first = np.zeros(count, np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    found = pieces.take(first)
    data = memoryview(text.data)
    texts = [
        str(data[start:end], "utf-8", "replace")
        for start, end in zip(found.starts.tolist(), found.ends.tolist(), strict=True)
    ]
    return Words(codes, texts)


def _codes(text: Bytes, pieces: Pieces) -> tuple[Ints, int]:
    """Equal for equal pieces, and how many there are."""
    lengths = pieces.ends - pieces.starts
    codes, count = _dense(_word(text, pieces.starts, lengths))
    for begin in range(8, int(lengths.max(initial=0)), 8):
        longer = np.flatnonzero(lengths > begin)
        words, _ = _dense(_word(text, pieces.starts[longer] + begin, lengths[longer] - begin))
        more = np.zeros(len(codes), np.int64)
        more[longer] = words + 1
        codes, count = _dense(codes * (int(words.max()) + 2) + more)
    return codes, count


def _word(text: Bytes, starts: Ints, lengths: Ints) -> npt.NDArray[np.uint64]:
    """The first eight bytes of each piece."""
    words: npt.NDArray[np.uint64] = np.ndarray(len(text) - 7, np.uint64, text, strides=(1,))
    found: npt.NDArray[np.uint64] = words[starts] & _MASKS[np.minimum(lengths, 8)]
    return found


def _dense(numbers: npt.NDArray[Any]) -> tuple[Ints, int]:
    encoded: Any = pa.array(numbers).dictionary_encode()
    return encoded.indices.to_numpy().astype(np.int64), len(encoded.dictionary)
