"""For each row of a stream, the evaluation times at which a window holds it: from one time until
before another.

This turns windows around: rows of `[RANGE n]` leave when they are too old, rows of `[ROWS n]`
when the n-th newer row arrives.
"""

from __future__ import annotations

from typing import assert_never

import numpy as np
import pyarrow as pa

from horae.data.columns import Ints
from horae.data.rows_of_inputs import ORDER, TIME, place_name
from horae.languages.cql.kernel.columns import array_ranks, codes, whole_column
from horae.languages.cql.syntax.tree import NowWindow, RangeWindow, RowsWindow, StreamWindow

FOREVER = 2**63 - 1

Lifetimes = tuple[Ints, Ints]
"""The first evaluation time of each row, and the one after the last."""


def lifetimes(window: StreamWindow, window_places: tuple[int, ...], rows: pa.Table) -> Lifetimes:
    """When each row is in the window."""
    times = whole_column(rows, TIME).to_numpy().astype(np.int64)
    match window:
        case NowWindow():
            return times, times + 1
        case RangeWindow(length=length, slide=slide):
            return _range(times, length, slide)
        case RowsWindow(count=count):
            return times, _until_pushed_out(rows, times, count, window_places)
        case _:
            assert_never(window)


def _range(times: Ints, length: int | None, slide: int) -> Lifetimes:
    """A window at τ ends at the last multiple of `slide` up to τ."""
    start = times if slide == 1 else -(-times // slide) * slide
    if length is None or length + slide >= FOREVER:
        return start, np.full(len(times), FOREVER, np.int64)
    endless = times > FOREVER - length - slide
    last_end = np.where(endless, 0, times) + length
    last_end = last_end if slide == 1 else last_end // slide * slide
    return start, np.where(endless, FOREVER, last_end + slide)


def _until_pushed_out(
    rows: pa.Table, times: Ints, count: int, window_places: tuple[int, ...]
) -> Ints:
    parts = codes([whole_column(rows, place_name(place)) for place in window_places], rows.num_rows)
    order = np.lexsort((*_age(rows), times, parts))
    until = np.full(len(times), FOREVER, np.int64)
    if count == 0:
        return times
    older, newer = order[:-count], order[count:]
    same = parts[older] == parts[newer]
    until[older[same]] = times[newer[same]]
    return until


def _age(rows: pa.Table) -> list[Ints]:
    """Which of two rows of the same time is newer: by `order`, then by the values. Last key first."""
    names = [name for name in rows.column_names if name not in (TIME, ORDER)]
    names.sort(key=lambda name: int(name[1:]))
    if ORDER in rows.column_names:
        names.insert(0, ORDER)
    return [array_ranks(whole_column(rows, name)) for name in reversed(names)]
