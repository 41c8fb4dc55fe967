"""The place of a row among rows of equal time, so that records of several shards meet again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from horae.data.layout import ROW, TIME
from horae.languages.rtlola.live.merging import equal_to_previous

SAME = "__same"


def place_names(order: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"__place{i}" for i in range(len(order)))


class Places:
    """The order columns of the rows that records may still point to.

    Rows that are equal in all of them are told apart by `__same`, which counts within a run of such
    rows. They are in the same shards, so every shard counts alike.
    """

    def __init__(self, order: tuple[str, ...]) -> None:
        self._order = order
        self._first = 0
        self._held: pa.Table | None = None
        self._last_row: list[object] | None = None
        self._same = 0

    def add(self, batch: pa.RecordBatch) -> int:
        """Remember a batch; its rows are to be numbered on from what this returns."""
        columns = [*(batch.column(name) for name in self._order), pa.array(self._count(batch))]
        fresh = pa.table(columns, names=[*place_names(self._order), SAME])
        first = self._first + (0 if self._held is None else len(self._held))
        self._held = fresh if self._held is None else pa.concat_tables([self._held, fresh])
        return first

    def attach(self, records: pa.RecordBatch, waiting: int) -> Iterator[pa.RecordBatch]:
        """Records with the places of their rows. All but the last `waiting` rows are forgotten."""
        if records.num_rows:
            yield self._attached(records)
        if self._held is not None:
            used = len(self._held) - waiting
            self._held = self._held.slice(used)
            self._first += used

    def _attached(self, records: pa.RecordBatch) -> pa.RecordBatch:
        assert self._held is not None, "without rows there are no instances that could change"
        rows = records.column(ROW)
        numbers = rows.to_numpy()
        at = pa.array(numbers - self._first, mask=numbers < 0)
        for name in self._held.column_names:
            place = self._held.column(name).combine_chunks().take(at)
            records = records.append_column(name, place)
        return records.drop_columns([ROW])

    def _count(self, batch: pa.RecordBatch) -> np.ndarray:
        """How many rows before this one, in a run, have the same time and order."""
        names = (TIME, *self._order)
        same = np.ones(batch.num_rows, bool)
        for name in names:
            same[1:] &= equal_to_previous(batch.column(name))
        same[0] = [batch.column(name)[0].as_py() for name in names] == self._last_row
        self._last_row = [batch.column(name)[-1].as_py() for name in names]
        places = np.arange(batch.num_rows)
        starts = np.maximum.accumulate(np.where(same, -1, places))
        counted = np.where(starts >= 0, places - starts, places + 1 + self._same)
        self._same = int(counted[-1])
        return counted
