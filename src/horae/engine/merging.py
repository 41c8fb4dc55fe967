"""Sorted answers of a run that are more than memory holds: pieces wait on disk until their time comes.

A piece is a table, sorted by its first key, which is a whole number such as the tick of the time. Pieces
come in any order. What is before the first entry of all pieces that are still on disk is complete, and
given on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from horae.engine.answers import sort_rows

PIECE = 1 << 16
"""Rows of a piece."""
_IN_MEMORY = 1 << 26  # bytes


@dataclass(frozen=True)
class _Stored:
    """A piece on disk, and the least entry of its key."""

    least: int
    path: Path

    def read(self) -> pa.Table:
        with pa.memory_map(str(self.path)) as source:
            return pa.ipc.open_stream(source).read_all()


def pieces_of(answers: pa.Table, key: str) -> Iterator[pa.Table]:
    """A table as pieces, each of which spans little of the time."""
    ordered = sort_rows(answers, [key])
    for start in range(0, len(ordered), PIECE):
        yield ordered.slice(start, PIECE)


def in_order(pieces: Iterable[pa.Table], key: str) -> Iterator[pa.Table]:
    """Tables that follow each other by the key; rows with equal keys are in one of them, in no order."""
    few: list[pa.Table] = []
    rest = iter(pieces)
    for piece in rest:
        few.append(piece)
        if sum(each.nbytes for each in few) > _IN_MEMORY:
            break
    else:
        yield from [pa.concat_tables(few)] if few else []
        return
    with TemporaryDirectory(prefix="horae-answers-") as folder:
        yield from _merged(sorted(_stored([*few], rest, Path(folder), key), key=_least), key)


def _least(piece: _Stored) -> int:
    return piece.least


def _stored(
    few: list[pa.Table], rest: Iterator[pa.Table], folder: Path, key: str
) -> Iterator[_Stored]:
    number = 0
    while few:
        yield _store(few.pop(), folder / str(number), key)
        number += 1
    for piece in rest:
        yield _store(piece, folder / str(number), key)
        number += 1


def _store(piece: pa.Table, path: Path, key: str) -> _Stored:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, piece.schema) as writer:
        writer.write_table(piece)
    return _Stored(_first(piece, key), path)


def _first(piece: pa.Table, key: str) -> int:
    least: Any = pc.min(piece.column(key)).as_py()
    return -(2**200) if least is None else int(least)


def _merged(stored: Sequence[_Stored], key: str) -> Iterator[pa.Table]:
    waiting: pa.Table | None = None
    for piece in stored:
        table = piece.read()
        piece.path.unlink()
        if waiting is not None:
            done, waiting = _split(waiting, key, piece.least)
            if len(done):
                yield done
            table = pa.concat_tables([waiting, table])
        waiting = table
    if waiting is not None:
        yield waiting


def _split(rows: pa.Table, key: str, least: int) -> tuple[pa.Table, pa.Table]:
    """What is before, and the rest."""
    column: Any = rows.column(key)
    bound = Decimal(least) if pa.types.is_decimal(column.type) else least
    before = pc.less(column, pa.scalar(bound, column.type)).fill_null(True)
    return rows.filter(before), rows.filter(pc.invert(before))
