"""Kernels inside Spark: what a worker does with the facts of its shards."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.cuts import Cuts
from horae.data.fact_columns import PREDICATE
from horae.data.key_homes import home
from horae.languages.lars.check.used_windows import register_again
from horae.languages.lars.check.window_functions import RegisteredWindow
from horae.languages.lars.kernel.answers import SCHEMA
from horae.languages.lars.kernel.codes import Codes
from horae.languages.lars.kernel.encode_rows import encode_rows
from horae.languages.lars.kernel.facts import Encoded
from horae.languages.lars.kernel.feeding import evaluate_over
from horae.languages.lars.kernel.kernel import LarsKernel
from horae.languages.lars.kernel.options import Options
from horae.languages.lars.kernel.own_keys import OwnKeys
from horae.languages.lars.plan.routes import RoutedProgram
from horae.spark.datalogmtl.columns import SHARD
from horae.spark.failures import marked
from horae.spark.lars.shuffle import WAKING
from horae.spark.piped import Batches


@dataclass(frozen=True)
class ShardAnswers:
    """All facts of a shard → its answers at all evaluation times. A worker may have several shards.

    `windows` are those of the registry that the program uses: a worker is a process of its own.
    """

    plan: RoutedProgram
    shards: int
    times: Cuts
    options: Options
    windows: tuple[RegisteredWindow, ...]

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            register_again(self.windows)
            kept = list(batches)
            if kept:
                rows = pa.Table.from_batches(kept)
                for shard in pc.unique(rows.column(SHARD)).to_pylist():
                    yield from self._answer(int(shard or 0), rows.filter(pc.field(SHARD) == shard))

    def _answer(self, shard: int, rows: pa.Table) -> Batches:
        codes = Codes()
        facts = encode_rows(rows.filter(pc.field(PREDICATE) != WAKING), codes)
        arities = _widths(facts) | self.plan.program.arities
        kernel = LarsKernel(self.plan.program, arities, codes, self.options, self._own(shard))
        for answers in evaluate_over(kernel, facts, self.times):
            yield from answers.cast(SCHEMA).to_batches()

    def _own(self, shard: int) -> OwnKeys | None:
        if not self.plan.is_spread or self.shards == 1:
            return None
        return OwnKeys(self.plan.pivots, lambda value: home(value, self.shards) == shard)


def _widths(facts: Encoded) -> dict[str, int]:
    """Of the predicates that have facts, also those that the program does not have."""
    widths = {name: relation.width for name, relation in facts.static.items()}
    return widths | {name: log.arguments.shape[1] for name, log in facts.logs.items()}
