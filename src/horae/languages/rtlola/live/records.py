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
            table = table.append_column(f"row/{name}", rows.column(name).take(at))
    return table.append_column(SAME, _counted(rows, numbers, at))


def _counted(rows: pa.Table, numbers: np.ndarray, at: Array) -> Array:
    """How many rows before it are equal to each row at a place; few rows have others at their times."""
    times = rows.column(TIME).to_numpy()
    places = numbers[numbers > 0]
    shared = np.unique(times[places[times[places] == times[places - 1]]])
    counts = np.zeros(len(rows), np.int64)
    if len(shared):
        among = np.flatnonzero(np.isin(times, shared))
        counts[among] = _equal_before(rows.take(among))
    found: Array = pa.array(counts).take(at)
    return found


def _equal_before(rows: pa.Table) -> np.ndarray:
    """How many rows before it are equal to each row, of rows in order."""
    keys = named_keys(sort_keys(rows))
    starts = position_starts(keys, tuple(keys.column_names))
    first = np.zeros(len(rows), np.int64)
    first[starts] = starts
    found: np.ndarray = np.arange(len(rows)) - np.maximum.accumulate(first)
    return found


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


def merged(records: pa.Table, operators: int) -> pa.RecordBatch:
    """What all shards say of one row or tick becomes one record; in order."""
    whole = _in_order(records).combine_chunks()
    return merge_records(whole, _starts(whole), operators)


def _in_order(records: pa.Table) -> pa.Table:
    """By time, rows before ticks, then as rows of equal time are ordered."""
    times, ticks = (records.column(name).to_numpy() for name in (layout.TIME, _TICK))
    order = np.lexsort((ticks, times))
    alike = _alike(times[order], ticks[order])
    if alike.any():
        among = order[alike]
        settled = sorted_by(named_keys(_position(records.take(among)))).to_numpy()
        order[alike] = among[settled]
    return records.take(order)


def _alike(times: np.ndarray, ticks: np.ndarray) -> np.ndarray:
    """Records with the time and kind of one beside them; only these are compared by what they have."""
    same = (times[1:] == times[:-1]) & (ticks[1:] == ticks[:-1])
    found = np.zeros(len(times), bool)
    found[1:] |= same
    found[:-1] |= same
    return found


def _starts(records: pa.Table) -> np.ndarray:
    """Where the records of another row or tick begin."""
    times, ticks = (records.column(name).to_numpy() for name in (layout.TIME, _TICK))
    alike = _alike(times, ticks)
    starts = ~alike
    if alike.any():
        keys = named_keys(_position(records.filter(pa.array(alike))))
        starts[np.flatnonzero(alike)[position_starts(keys, tuple(keys.column_names))]] = True
    return np.flatnonzero(starts)


def _position(records: pa.Table) -> Iterator[Array]:
    """By time, rows before ticks, then as rows of equal time are ordered."""
    yield records.column(layout.TIME).combine_chunks()
    yield records.column(_TICK).combine_chunks()
    names = [name for name in records.column_names if name.startswith("row/")]
    rows = records.select([layout.TIME, *names])
    yield from sort_keys(rows.rename_columns([TIME, *(name[len("row/") :] for name in names)]))
    yield records.column(SAME).combine_chunks()
