"""Rows of streams, with the evaluation times at which their window holds them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from horae.data.columns import Ints
from horae.data.rows_of_inputs import place_name
from horae.languages.cql.kernel.expressions import rows_where
from horae.languages.cql.kernel.spans import AFTER, FIRST, Spans, spanned
from horae.languages.cql.kernel.windows import lifetimes
from horae.languages.cql.plan.algebra import TableScan


@dataclass(frozen=True)
class Timed:
    """Rows of a scan, by the first evaluation time that sees them, as places among these times.

    `reach` is the greatest `after` so far: whatever stands before the first place with a reach beyond
    a time has left the window by then.
    """

    rows: pa.Table
    first: Ints
    after: Ints
    reach: Ints

    def part(self, begin: int, end: int) -> pa.Table:
        """The rows that are there at the evaluation times from `begin` until before `end`."""
        low = int(np.searchsorted(self.reach, begin, "right"))
        high = int(np.searchsorted(self.first, end, "left"))
        low = min(low, high)
        first = np.maximum(self.first[low:high], begin)
        after = np.minimum(self.after[low:high], end)
        there = np.flatnonzero(first < after)
        rows = self.rows.slice(low, high - low).take(there)
        return spanned(rows, Spans(first[there] - begin, after[there] - begin))

    def changes(self, count: int) -> tuple[Ints, Ints]:
        """How many rows come at each evaluation time, and how many are there from before."""
        come = np.bincount(self.first, minlength=count + 1)
        go = np.bincount(self.after, minlength=count + 1)
        return come[:count], (np.cumsum(come - go) - come)[:count]


def timed(scan: TableScan, table: pa.Table, times: Ints) -> Timed:
    """`table` has the columns of an input stream; the window counts all of its rows."""
    assert scan.window is not None
    start, until = lifetimes(scan.window, scan.window_places, table)
    first, after = np.searchsorted(times, start), np.searchsorted(times, until)
    seen = np.flatnonzero(first < after)
    seen = seen[np.argsort(first[seen], kind="stable")]
    rows = chosen(scan, table.take(seen).append_column("place", pa.array(seen)))
    kept = rows.column("place").to_numpy().astype(np.int64)
    reach = np.maximum.accumulate(after[kept]) if len(kept) else after[kept]
    return Timed(rows.drop_columns("place"), first[kept], after[kept], reach)


def chosen(scan: TableScan, table: pa.Table) -> pa.Table:
    """The columns of the scan under their names, with `place` and spans; rows where it holds."""
    names = {place_name(p): ref.name for p, ref in zip(scan.places, scan.columns, strict=True)}
    kept = [name for name in table.column_names if name in (FIRST, AFTER, "place")]
    rows = table.select([*kept, *names]).rename_columns([*kept, *names.values()])
    return rows if scan.where is None else rows_where(scan.where, rows)
