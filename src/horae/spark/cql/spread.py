"""Rows of streams, one for each evaluation time at which their window holds them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import types as t

from horae.languages.cql.kernel.columns import Ints
from horae.languages.cql.kernel.matching import spread
from horae.languages.cql.plan.algebra import TAU
from horae.spark.cql.windows import FROM, UNTIL
from horae.spark.piped import Batches

_ROWS = 65_536
"""About how many rows a batch has after spreading; it has those of one row of the stream at least."""


def spread_rows(rows: DataFrame, times: Ints) -> DataFrame:
    """`rows` has FROM and UNTIL; the result has the evaluation time instead of them."""
    fields = [field for field in rows.schema.fields if field.name not in (FROM, UNTIL)]
    schema = t.StructType([t.StructField(TAU.name, t.LongType()), *fields])
    return rows.mapInArrow(_Spread(times), schema)


@dataclass(frozen=True)
class _Spread:
    times: Ints

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            first = np.searchsorted(self.times, batch.column(FROM).to_numpy())
            after = np.searchsorted(self.times, batch.column(UNTIL).to_numpy())
            counts = np.maximum(after - first, 0)
            names = [name for name in batch.schema.names if name not in (FROM, UNTIL)]
            for begin, end in _cuts(counts):
                owners, places = spread(first[begin:end], counts[begin:end])
                taken = batch.select(names).slice(begin, end - begin).take(owners)
                tau = pa.array(self.times[places], pa.int64())
                yield pa.record_batch([tau, *taken.columns], names=[TAU.name, *names])


def _cuts(counts: Ints) -> Iterator[tuple[int, int]]:
    """Pieces of the batch that stay small, without those that no time sees."""
    total = np.concatenate([[0], np.cumsum(counts)])
    begin = 0
    while begin < len(counts) and total[begin] < total[-1]:
        end = int(np.searchsorted(total, total[begin] + _ROWS, "right")) - 1
        end = max(begin + 1, end)
        yield begin, end
        begin = end
