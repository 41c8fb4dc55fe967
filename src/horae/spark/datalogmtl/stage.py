"""Kernels inside Spark: what a worker does with the facts of one shard."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.fact_columns import PREDICATE
from horae.data.symbols import Symbols
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.languages.datalogmtl.kernel.fact_relations import to_relations, to_rows
from horae.languages.datalogmtl.kernel.materialise import Interest, materialise
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.spark.datalogmtl.columns import NAME
from horae.spark.datalogmtl.shuffle import PASSING, WAKING
from horae.spark.failures import marked
from horae.spark.piped import Batches


@dataclass(frozen=True)
class ShardFacts:
    """All facts of a shard → what follows from them, and the rows that travel through."""

    program: NormalProgram
    emits: dict[str, str]
    timeline: Timeline
    interest: Interest

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            kept: list[pa.RecordBatch] = []
            for batch in batches:
                passing = pc.starts_with(batch.column(NAME), PASSING)
                yield from _passed(batch.filter(passing))
                kept.append(batch.filter(pc.invert(passing)))
            if kept:
                yield from self._derive(pa.Table.from_batches(kept))

    def _derive(self, rows: pa.Table) -> Batches:
        symbols = Symbols()
        held = to_relations(rows.filter(pc.field(NAME) != WAKING), NAME, symbols)
        found = materialise(
            self.program, held, symbols, self.timeline, self.interest, self.emits.keys()
        )
        emitted = {shown: found[name] for name, shown in self.emits.items() if name in found}
        yield from to_rows(emitted, symbols)


def _passed(batch: pa.RecordBatch) -> Batches:
    if batch.num_rows:
        names = pc.utf8_slice_codeunits(batch.column(NAME), len(PASSING))
        others = [name for name in batch.schema.names if name != NAME]
        columns = [names, *(batch.column(name) for name in others)]
        yield pa.record_batch(columns, names=[PREDICATE, *others])
