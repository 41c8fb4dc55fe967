"""How operators over instances change in a shard, on the way to the join.

A record belongs to a row, or to a tick. The join must see the records of all shards in the order of
their rows: so a record carries the whole row, and a number that tells equal rows apart. Those go to
the same shards, where they are counted alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from horae.data import layout
from horae.data.columns import Array
from horae.languages.rtlola.live.columns import TIME
from horae.languages.rtlola.live.merging import merge_records, position_starts
from horae.languages.rtlola.live.order import named_keys, sort_keys, sorted_by
from horae.languages.rtlola.plan.stages import Joined

SAME = "same"
_TICK = "tick"


def placed(records: pa.RecordBatch, rows: pa.Table) -> pa.Table:
    """Records with the rows they belong to; their numbers are places in `rows`, which are in order."""
    numbers = records.column(layout.ROW).to_numpy()
    at = pa.array(numbers, pa.int64(), mask=numbers < 0)
    table = pa.Table.from_batches([records]).drop_columns([layout.ROW])
    for name in rows.column_names:
        if name != TIME:
            table = table.append_column(f"row/{name}", rows.column(name).combine_chunks().take(at))
    return table.append_column(SAME, pa.array(_counted(rows)).take(at))


def _counted(rows: pa.Table) -> np.ndarray:
    """How many rows before it are equal to each row."""
    if not len(rows):
        return np.empty(0, np.int64)
    keys = named_keys(sort_keys(rows))
    starts = position_starts(keys, tuple(keys.column_names))
    first = np.zeros(len(rows), np.int64)
    first[starts] = starts
    return np.arange(len(rows)) - np.maximum.accumulate(first)


def renumbered(
    records: pa.Table, exported: Sequence[Joined], imported: Sequence[Joined]
) -> pa.Table:
    """With the operators under the numbers that the join gives them; others do not change."""
    places = [name for name in records.column_names if name == SAME or name.startswith("row/")]
    columns = {name: records.column(name) for name in (layout.TIME, _TICK, *places)}
    for number, joined in enumerate(imported):
        if joined in exported:
            names = zip(_changes(number), _changes(exported.index(joined)), strict=True)
            columns |= {there: records.column(here) for there, here in names}
        else:
            columns |= dict(zip(_changes(number), _unchanged(len(records)), strict=True))
    return pa.table(columns)


def _changes(number: int) -> tuple[str, ...]:
    """The columns of an operator: whether it is evaluated, and how its four counters change."""
    return (f"touched{number}", *(f"delta{4 * number + part}" for part in range(4)))


def _unchanged(count: int) -> tuple[pa.ChunkedArray[Any], ...]:
    nothing = pa.chunked_array([np.zeros(count, np.int64)])
    return (pa.chunked_array([np.zeros(count, bool)]), nothing, nothing, nothing, nothing)


def merged(records: pa.Table, operators: int) -> Iterator[pa.RecordBatch]:
    """What all shards say of one row or tick becomes one record; in order."""
    if not len(records):
        return
    keys = named_keys(_position(records))
    order = sorted_by(keys)
    whole = records.take(order)
    for name in keys.column_names:
        whole = whole.append_column(name, keys.column(name).take(order))
    yield from merge_records(iter(whole.combine_chunks().to_batches()), _names(keys), operators)


def _names(keys: pa.Table) -> tuple[str, ...]:
    return tuple(keys.column_names)


def _position(records: pa.Table) -> Iterator[Array]:
    """By time, rows before ticks, then as rows of equal time are ordered."""
    yield records.column(layout.TIME).combine_chunks()
    yield records.column(_TICK).combine_chunks()
    names = [name for name in records.column_names if name.startswith("row/")]
    rows = records.select([layout.TIME, *names])
    yield from sort_keys(rows.rename_columns([TIME, *(name[len("row/") :] for name in names)]))
    yield records.column(SAME).combine_chunks()
