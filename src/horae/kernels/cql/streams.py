"""From relations to streams: what is more, or less, than at the evaluation time before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

import numpy as np
import pyarrow as pa

from horae.kernels.cql.columns import Ints, codes, column
from horae.kernels.cql.matching import Keys, matches
from horae.kernels.cql.order import occurrence
from horae.kernels.cql.windows import TIME
from horae.languages.cql.tree import StreamOperator

RANK = "rank"
"""The place of a row among the rows of its query at its time."""


def stream(operator: StreamOperator, rows: pa.Table, before: pa.Table, times: Ints) -> pa.Table:
    """`rows` at these times; `before` are the rows at the time before the first of them."""
    match operator:
        case StreamOperator.RSTREAM:
            return rows
        case StreamOperator.ISTREAM:
            return _change(rows, before, times).more
        case StreamOperator.DSTREAM:
            return _change(rows, before, times).less
        case _:
            assert_never(operator)


@dataclass(frozen=True)
class _Change:
    """Rows with the number of their time (0: before the first), and which one of equal rows each is."""

    rows: pa.Table
    times: Ints
    steps: Ints
    values: Ints
    numbers: Ints

    @property
    def more(self) -> pa.Table:
        """Of equal rows, the first ones are those that were there before."""
        new = (self.steps > 0) & ~self._is_there(-1)
        return self.rows.filter(pa.array(new))

    @property
    def less(self) -> pa.Table:
        """Given at the next evaluation time."""
        old = (self.steps < len(self.times)) & ~self._is_there(1)
        left = self.rows.filter(pa.array(old))
        place = left.column_names.index(TIME)
        return left.set_column(place, TIME, pa.array(self.times[self.steps[old]], pa.int64()))

    def _is_there(self, step: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """At the evaluation time before or after, the same row as often."""
        columns = [self.steps, self.values, self.numbers]
        wanted = [self.steps + step, self.values, self.numbers]
        both = [pa.array(np.concatenate(pair)) for pair in zip(wanted, columns, strict=True)]
        size = len(self.steps)
        found = codes(both, 2 * size)
        every = np.ones(size, bool)
        result = np.zeros(size, bool)
        result[matches(Keys(found[:size], found[size:], every, every))[0]] = True
        return result


def _change(rows: pa.Table, before: pa.Table, times: Ints) -> _Change:
    every = pa.concat_tables([before, rows])
    steps = np.searchsorted(times, rows.column(TIME).to_numpy()) + 1
    steps = np.concatenate([np.zeros(before.num_rows, np.int64), steps])
    names = [name for name in every.column_names if name not in (TIME, RANK)]
    values = codes([column(every, name) for name in names], every.num_rows)
    at = codes([pa.array(steps), pa.array(values)], every.num_rows)
    rank = every.column(RANK).to_numpy()
    return _Change(every, times, steps, values, occurrence(at, np.lexsort((rank, at))))
