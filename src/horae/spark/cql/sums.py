"""Sums and averages, rounded once: in the workers, from lists and exact totals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from horae.languages.cql.kernel.sums import average_of, sum_of
from horae.languages.cql.syntax.tree import Aggregation
from horae.spark.piped import Batches


@dataclass(frozen=True)
class FinishSums:
    """`lists` are columns of lists of doubles, `totals` columns of a total (decimal) and a count.

    Not a number where the result is too large; null where there is no value.
    """

    lists: dict[str, Aggregation]
    totals: tuple[str, ...]

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            columns = [self._column(batch, name) for name in batch.schema.names]
            yield pa.record_batch(columns, names=batch.schema.names)

    def _column(self, batch: pa.RecordBatch, name: str) -> Any:
        values: Any = batch.column(name)
        if name in self.lists:
            add = sum_of if self.lists[name] is Aggregation.SUM else average_of
            found = [add(each) + 0.0 if each else None for each in values.to_pylist()]
            return pa.array(found, pa.float64())
        if name in self.totals:
            pairs = [(each["total"], each["count"]) for each in values.to_pylist()]
            return pa.array([int(a) / b if b else None for a, b in pairs], pa.float64())
        return values
