"""Relations as chunks of bytes, in blocks of tuples that begin alike.

A block holds the tuples whose first arguments share their leading bits; a tuple that comes, goes or
changes rewrites its own block, and the list that tells how many rows each block has. A chunk of an
earlier, larger relation that is still there does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from horae.data.cuts import Rows
from horae.engine.chunks import load_array, save_array
from horae.rules.intervals.relation import Relation, empty

_BITS = 9


def save_relation(name: str, rows: Relation) -> Iterator[tuple[str, bytes]]:
    """`name/blocks`: the `name/count` blocks with their sizes; `name/7`: the rows of one."""
    table = np.column_stack([rows.arguments, rows.lo, rows.hi])
    numbers, sizes = np.unique(_blocks(rows), return_counts=True)
    yield f"{name}/count", str(len(numbers)).encode()
    yield from save_array(f"{name}/blocks", np.column_stack([numbers, sizes]))
    ends = np.cumsum(sizes)
    for number, start, end in zip(numbers.tolist(), ends - sizes, ends, strict=True):
        yield from save_array(f"{name}/{number}", table[start:end])


def load_relation(name: str, width: int, chunks: Mapping[str, bytes]) -> Relation:
    listed = load_array(f"{name}/blocks", chunks)[: int(chunks[f"{name}/count"])]
    parts = [load_array(f"{name}/{block}", chunks)[:size] for block, size in listed.tolist()]
    if not parts:
        return empty(width)
    table = np.concatenate(parts)
    columns = (table[:, :width], table[:, width], table[:, width + 1])
    return Relation(*map(np.ascontiguousarray, columns))


def _blocks(rows: Relation) -> Rows:
    """Rows are sorted by their arguments, so those of a block are a slice."""
    return rows.arguments[:, 0] >> _BITS if rows.width else np.zeros(len(rows), np.int64)
