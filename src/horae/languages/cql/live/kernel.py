"""A CQL program while its streams go on: each evaluation time is answered once it is decided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from horae.data.cuts import Cuts
from horae.data.row_layout import RowLayout
from horae.data.rows_of_inputs import TIME
from horae.engine.contract import StateSize
from horae.engine.evaluation_times import FOREVER, ReachedTimes, distinct_points
from horae.languages.cql.kernel.answers import no_answers
from horae.languages.cql.kernel.kernel import CQLKernel


@dataclass
class LiveCQLKernel:
    layout: RowLayout
    kernel: CQLKernel
    times: ReachedTimes

    def see(self, points: Cuts) -> None:
        self.times.see(points)

    def add(self, rows: pa.Table) -> None:
        self.times.see(distinct_points(rows.column(TIME).to_numpy().astype(np.int64)))
        for name, own in self.layout.unpack(rows).items():
            self.kernel.push(name, own)

    def decide(self, until: int) -> pa.Table:
        answers = self._evaluate(until)
        self.kernel.forget(self.times.following)
        return answers

    def finish(self) -> pa.Table:
        answers = self._evaluate(FOREVER)
        self.kernel.forget(FOREVER)
        return answers

    def _evaluate(self, until: int) -> pa.Table:
        due = self.times.decide(until)
        return self.kernel.evaluate(due) if len(due) else no_answers(self.kernel.plan.program)

    def save(self) -> Iterator[tuple[str, bytes]]:
        yield from self.times.save()
        yield from self.kernel.snapshot()

    def state_size(self) -> StateSize:
        """The rows that are kept, and the time points that wait."""
        rows, waiting = self.kernel.state_size(), self.times.waiting
        return StateSize(rows.instances, rows.values + len(waiting), rows.bytes + waiting.nbytes)
