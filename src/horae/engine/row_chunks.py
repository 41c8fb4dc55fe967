"""Sets of rows as chunks of bytes that change little when rows come and go.

Rows are sorted, by their first column before all others, and cut behind those whose hash says so. A row
that comes or goes changes the chunk that it is in, perhaps the next, and no other: neither where
others begin nor what they are called, since a chunk is named by its last row. If the first column is
a time, what expires together is stored together.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np

from horae.data.cuts import Rows

_TYPICAL = 128  # rows of a chunk, a power of two
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


def save_rows(name: str, rows: Rows) -> Iterator[tuple[str, bytes]]:
    """Nothing where there are no rows; each row is saved once."""
    ordered = _distinct(rows)
    for start, end in pairwise([0, *_ends(ordered)]):
        buffer = io.BytesIO()
        np.save(buffer, ordered[start:end], allow_pickle=False)
        yield f"{name}/{'.'.join(map(str, ordered[end - 1].tolist()))}", buffer.getvalue()


def load_rows(chunks: Mapping[str, bytes]) -> dict[str, Rows]:
    """All rows by the names that they were saved with."""
    parts: dict[str, list[Rows]] = {}
    for key, data in chunks.items():
        name = key.rpartition("/")[0]
        parts.setdefault(name, []).append(np.load(io.BytesIO(data), allow_pickle=False))
    return {name: np.concatenate(found) for name, found in parts.items()}


def _distinct(rows: Rows) -> Rows:
    ordered = rows[np.lexsort(rows.T[::-1])]
    first = np.ones(len(ordered), bool)
    first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return ordered[first]


def _ends(ordered: Rows) -> list[int]:
    """Behind the last row of each chunk."""
    if not len(ordered):
        return []
    marked = np.flatnonzero(_hashes(ordered) % np.uint64(_TYPICAL) == 0) + 1
    ends: list[int] = marked.tolist()
    return ends if ends and ends[-1] == len(ordered) else [*ends, len(ordered)]


def _hashes(rows: Rows) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    found = np.zeros(len(rows), np.uint64)
    for column in rows.T:
        found = (found ^ column.astype(np.uint64)) * _FACTOR
        found ^= found >> np.uint64(29)
    return found
