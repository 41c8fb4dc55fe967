"""What a shard exports of its operators over instances: one record per change."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from horae.languages.rtlola.kernel.rows import RowColumns

# The columns that the loop writes.
RECORDS = ("rec_time", "rec_row", "rec_touched", "rec_delta")


def records_batch(parts: list[RowColumns], quantified: int) -> pa.RecordBatch:
    """Records as Arrow columns: time, row (-1: a tick), and per operator what changed."""
    none: RowColumns = {
        "rec_time": np.empty(0, np.int64),
        "rec_row": np.empty(0, np.int64),
        "rec_touched": np.empty((0, quantified), bool),
        "rec_delta": np.empty((0, 4 * quantified), np.int64),
    }
    whole = {
        name: np.concatenate([empty, *(p[name] for p in parts)]) for name, empty in none.items()
    }
    row = whole["rec_row"]
    columns = {"__time": whole["rec_time"], "__row": row, "tick": row < 0}
    columns |= {f"touched{i}": whole["rec_touched"][:, i] for i in range(quantified)}
    columns |= {f"delta{i}": whole["rec_delta"][:, i] for i in range(4 * quantified)}
    arrays = [pa.array(np.ascontiguousarray(column)) for column in columns.values()]
    return pa.record_batch(arrays, names=list(columns))
