"""What several shards say of one position becomes one record."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array
from horae.data.layout import TIME


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


def merge_records(table: pa.Table, starts: np.ndarray, operators: int) -> pa.RecordBatch:
    """Records in order, of which those of one position begin at each start → one per position."""
    first = table.select([TIME, "tick"]).take(pa.array(starts))
    columns = {name: first.column(name).combine_chunks() for name in first.column_names}
    for i in range(operators):
        touched = table.column(f"touched{i}").to_numpy()
        columns[f"touched{i}"] = pa.array(np.logical_or.reduceat(touched, starts))
    for i in range(4 * operators):
        delta = table.column(f"delta{i}").to_numpy()
        columns[f"delta{i}"] = pa.array(np.add.reduceat(delta, starts))
    return pa.record_batch(columns)
