"""Rows that are kept for later windows, saved in chunks of which few change.

Rows leave from anywhere: by their time, or because newer ones push them out. So a chunk holds rows whose
numbers, given in the order of arrival, are neighbours: where rows leave or come, no other chunk changes.
Chunks in which few rows are left are emptied, and their rows numbered anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
import pyarrow as pa

from horae.data.columns import Ints, Mask
from horae.engine.chunks import part

_NUMBER = "number"
_ENTRIES = 4096
_FEW = _ENTRIES // 4
_MANY_CHUNKS = 8


@dataclass
class KeptRows:
    """`numbers` are those of the rows, in increasing order."""

    rows: pa.Table
    numbers: Ints

    @classmethod
    def none(cls, schema: pa.Schema) -> Self:
        return cls(schema.empty_table(), np.zeros(0, np.int64))

    def add(self, rows: pa.Table) -> None:
        if rows.num_rows:
            self.rows = pa.concat_tables([self.rows, rows.select(self.rows.column_names)])
            self.numbers = np.concatenate([self.numbers, self._following(rows.num_rows)])

    def keep(self, needed: Mask) -> None:
        self.rows = self.rows.combine_chunks()
        if not needed.all():
            self.rows = self.rows.filter(pa.array(needed))
            self.numbers = self.numbers[needed]
            self._close_ranks()

    def _following(self, count: int) -> Ints:
        start = int(self.numbers[-1]) + 1 if len(self.numbers) else 0
        return np.arange(start, start + count)

    def _close_ranks(self) -> None:
        """Many chunks with few rows become few chunks with many; the last one is still being filled."""
        chunks, sizes = np.unique(self.numbers // _ENTRIES, return_counts=True)
        sparse = chunks[:-1][sizes[:-1] < _FEW]
        if len(sparse) >= _MANY_CHUNKS:
            moved = np.isin(self.numbers // _ENTRIES, sparse)
            self.rows = self.rows.take(np.argsort(moved, kind="stable"))
            added = self._following(int(moved.sum()))
            self.numbers = np.concatenate([self.numbers[~moved], added])

    # --- as chunks

    def save(self, name: str) -> Iterator[tuple[str, bytes]]:
        """`name/0`, `name/1`, …: those that have rows."""
        table = self.rows.append_column(_NUMBER, pa.array(self.numbers, pa.int64()))
        of_rows = self.numbers // _ENTRIES
        for chunk in np.unique(of_rows):
            start, end = np.searchsorted(of_rows, [chunk, chunk + 1])
            yield f"{name}/{chunk}", table_to_bytes(table.slice(start, end - start))

    @classmethod
    def load(cls, name: str, schema: pa.Schema, chunks: Mapping[str, bytes]) -> Self:
        own = part(f"{name}/", chunks)
        tables = [table_from_bytes(own[key]) for key in sorted(own, key=int)]
        whole = schema.append(pa.field(_NUMBER, pa.int64()))
        table = pa.concat_tables([whole.empty_table(), *tables]).combine_chunks()
        numbers = table.column(_NUMBER).to_numpy().astype(np.int64)
        return cls(table.drop_columns(_NUMBER), numbers)


def table_to_bytes(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks())
    return sink.getvalue().to_pybytes()


def table_from_bytes(data: bytes) -> pa.Table:
    return pa.ipc.open_stream(data).read_all()
