"""Kernels inside Spark: what a worker does with the facts of its shards."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.cuts import Cuts
from horae.data.fact_columns import PREDICATE, SCHEMA, background_rows, timed_rows
from horae.languages.lars.check.used_windows import register_again
from horae.languages.lars.live.program import LiveLARS
from horae.languages.lars.live.rows import to_rows
from horae.spark.datalogmtl.columns import SHARD
from horae.spark.failures import marked
from horae.spark.lars.shuffle import WAKING
from horae.spark.piped import Batches


@dataclass(frozen=True)
class ShardAnswers:
    """All facts of a shard → all its answers. A worker may have several shards.

    `points` are the time points of the whole input that all shards must see.
    """

    program: LiveLARS
    points: Cuts

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            register_again(self.program.windows)
            kept = list(batches)
            if kept:
                rows = pa.Table.from_batches(kept)
                for shard in pc.unique(rows.column(SHARD)).to_pylist():
                    own = rows.filter((pc.field(SHARD) == shard) & (pc.field(PREDICATE) != WAKING))
                    yield from self._answers(int(shard or 0), own.select(SCHEMA.names))

    def _answers(self, shard: int, rows: pa.Table) -> Batches:
        kernel = self.program.start_with(shard, background_rows(rows))
        kernel.see(self.points)
        kernel.add(to_rows(timed_rows(rows), self.program.program.derived))
        yield from kernel.finish().to_batches()
