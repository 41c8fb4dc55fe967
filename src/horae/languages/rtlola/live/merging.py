"""What several shards say of one position becomes one record."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array
from horae.data.layout import TIME


def merge_records(
    batches: Iterator[pa.RecordBatch], position: tuple[str, ...], operators: int
) -> Iterator[pa.RecordBatch]:
    """Records sorted by the columns `position`, cut anywhere → one record per position."""
    waiting: pa.Table | None = None
    for batch in batches:
        table = pa.Table.from_batches([batch])
        table = table if waiting is None else pa.concat_tables([waiting, table])
        if len(table):
            table = table.combine_chunks()
            starts = position_starts(table, position)
            waiting = table.slice(starts[-1])  # the next batch may go on with this position
            yield from _merged(table.slice(0, starts[-1]), starts[:-1], operators)
    if waiting is not None:
        yield from _merged(waiting, np.zeros(1, np.int64), operators)


def position_starts(table: pa.Table, position: tuple[str, ...]) -> np.ndarray:
    """Where a row differs from the one before."""
    same = np.ones(len(table), bool)
    same[0] = False
    for name in position:
        same[1:] &= equal_to_previous(table.column(name).combine_chunks())
    return np.flatnonzero(~same)


def equal_to_previous(column: Array) -> np.ndarray:
    """For all but the first; two nulls are equal."""
    here, before = column.slice(1), column.slice(0, len(column) - 1)
    equal = pc.equal(here, before).fill_null(False).to_numpy(zero_copy_only=False)
    both_null = pc.and_(pc.is_null(here), pc.is_null(before)).to_numpy(zero_copy_only=False)
    same: np.ndarray = equal | both_null
    return same


def _merged(table: pa.Table, starts: np.ndarray, operators: int) -> Iterator[pa.RecordBatch]:
    if not len(starts):
        return
    first = table.select([TIME, "tick"]).take(pa.array(starts))
    columns = {name: first.column(name).combine_chunks() for name in first.column_names}
    for i in range(operators):
        touched = table.column(f"touched{i}").to_numpy()
        columns[f"touched{i}"] = pa.array(np.logical_or.reduceat(touched, starts))
    for i in range(4 * operators):
        delta = table.column(f"delta{i}").to_numpy()
        columns[f"delta{i}"] = pa.array(np.add.reduceat(delta, starts))
    yield pa.record_batch(columns)
