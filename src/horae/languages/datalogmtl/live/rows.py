"""Facts as rows of a live stream: columns of facts, and the tick at which a row counts for lateness.

That is the beginning of its interval. The resolution is fixed before the stream starts, so a time
between two ticks is an error of its row.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.catalogue_facts import TIME_TOO_LARGE, time_too_fine, without_beginning
from horae.data.columns import Mask
from horae.data.cuts import FUTURE, PAST, Cuts
from horae.data.fact_columns import PREDICATE, SCHEMA
from horae.data.layout import Place
from horae.languages.datalogmtl.kernel.time import LARGEST, Timeline

TIME = "time"
ROWS = SCHEMA.append(pa.field(TIME, pa.int64()))


def to_rows(facts: pa.Table, timeline: Timeline, place: Place | None = None) -> pa.Table:
    """`facts` has the columns of `inputs.fact_columns`. All its times are checked."""
    where = place or Place()
    low, endless = ticks_of(facts, "low", timeline, where)
    ticks_of(facts, "high", timeline, where)
    if endless.any():
        index = int(np.argmax(endless))
        raise without_beginning(where, index, str(facts.column(PREDICATE)[index]))
    return facts.append_column(TIME, pa.array(low, pa.int64())).cast(ROWS)


def cuts_of_rows(rows: pa.Table, timeline: Timeline) -> tuple[Cuts, Cuts]:
    """The intervals of facts, as cuts."""
    low, no_low = ticks_of(rows, "low", timeline)
    high, no_high = ticks_of(rows, "high", timeline)
    opened = rows.column("low_open").to_numpy()
    closed = ~rows.column("high_open").to_numpy()
    return np.where(no_low, PAST, 2 * low + opened), np.where(no_high, FUTURE, 2 * high + closed)


def finite_ends(rows: pa.Table, timeline: Timeline) -> Cuts:
    """Every finite end, as a tick."""
    pairs = (ticks_of(rows, end, timeline) for end in ("low", "high"))
    return np.concatenate([ticks[~infinite] for ticks, infinite in pairs])


def ticks_of(
    rows: pa.Table, end: str, timeline: Timeline, place: Place | None = None
) -> tuple[Cuts, Mask]:
    """The ends of one side, and where there is none."""
    numbers: Any = rows.column(end)
    counts: Cuts = pc.fill_null(numbers, 0).to_numpy()
    denominators: Any = rows.column(f"{end}_unit")
    units: Cuts = pc.fill_null(denominators, 1).to_numpy()
    if len(units) and (units == units[0]).all():
        every = np.arange(len(rows))
        ticks = _scaled(counts, int(units[0]), timeline, place or Place(), every)
        return ticks, pc.is_null(numbers).to_numpy()
    ticks = np.zeros(len(rows), np.int64)
    for unit in np.unique(units).tolist():
        own = np.flatnonzero(units == unit)
        ticks[own] = _scaled(counts[own], unit, timeline, place or Place(), own)
    return ticks, pc.is_null(numbers).to_numpy()


def _scaled(counts: Cuts, unit: int, timeline: Timeline, place: Place, rows: Cuts) -> Cuts:
    """Times `count / unit` in ticks; `rows` are their places in the input."""
    share, rest = divmod(timeline.resolution, unit)
    if rest:
        wrong = Fraction(int(counts[0]), unit)
        raise time_too_fine(place, int(rows[0]), wrong, Fraction(1, timeline.resolution))
    large = np.abs(counts) > LARGEST // share
    if large.any():
        at = int(np.argmax(large))
        raise TIME_TOO_LARGE(place, int(rows[at]), TIME, str(Fraction(int(counts[at]), unit)))
    return counts * share
