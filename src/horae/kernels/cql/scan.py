"""Rows of streams, spread over the evaluation times at which their window holds them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from horae.kernels.cql.columns import Ints
from horae.kernels.cql.expressions import rows_where
from horae.kernels.cql.matching import spread
from horae.kernels.cql.windows import lives, place_name
from horae.plan.cql.algebra import TAU, Scan


@dataclass(frozen=True)
class Timed:
    """Rows of a scan, by the first evaluation time that sees them, as places in `times`.

    `reach` is the greatest `after` so far: whatever stands before the first place with a reach beyond
    a time has left the window by then.
    """

    rows: pa.Table
    first: Ints
    after: Ints
    reach: Ints

    def part(self, begin: int, end: int, times: Ints) -> pa.Table:
        """The rows at the evaluation times `times[begin:end]`, one for each of them."""
        low = int(np.searchsorted(self.reach, begin, "right"))
        high = int(np.searchsorted(self.first, end, "left"))
        low = min(low, high)
        first = np.maximum(self.first[low:high], begin)
        counts = np.maximum(np.minimum(self.after[low:high], end) - first, 0)
        owners, places = spread(first, counts)
        rows = self.rows.slice(low, high - low).take(owners)
        return rows.add_column(0, TAU.name, pa.array(times[places], pa.int64()))

    def sizes(self, count: int) -> Ints:
        """How many rows each evaluation time sees."""
        change = np.bincount(self.first, minlength=count + 1)
        change = change - np.bincount(self.after, minlength=count + 1)
        return np.cumsum(change)[:count]


def timed(scan: Scan, table: pa.Table, times: Ints) -> Timed:
    """`table` has the columns of an input stream; the window counts all of its rows."""
    assert scan.window is not None
    start, until = lives(scan.window, scan.window_places, table)
    first, after = np.searchsorted(times, start), np.searchsorted(times, until)
    seen = np.flatnonzero(first < after)
    seen = seen[np.argsort(first[seen], kind="stable")]
    rows = chosen(scan, table.take(seen).append_column("place", pa.array(seen)))
    kept = rows.column("place").to_numpy().astype(np.int64)
    reach = np.maximum.accumulate(after[kept]) if len(kept) else after[kept]
    return Timed(rows.drop_columns("place"), first[kept], after[kept], reach)


def chosen(scan: Scan, table: pa.Table) -> pa.Table:
    """The columns of the scan under their names, with `tau` and `place`; rows where it holds."""
    names = {place_name(p): ref.name for p, ref in zip(scan.places, scan.columns, strict=True)}
    kept = [name for name in table.column_names if name in (TAU.name, "place")]
    rows = table.select([*kept, *names]).rename_columns([*kept, *names.values()])
    return rows if scan.where is None else rows_where(scan.where, rows)
