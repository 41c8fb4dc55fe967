"""A stream as a driver runs it: rows in disorder, in micro-batches, over shards, with restarts.

After each micro-batch the watermark is the greatest time seen so far minus the lateness. A row at the
watermark is still on time, so everything before it is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np
import pyarrow as pa

from horae.live.contract import LiveKernel, LiveProgram, Wants

Route = Callable[[pa.Table, int], Sequence[pa.Table]]
"""Rows, and the number of shards: the rows of each shard."""


@dataclass(frozen=True)
class Step:
    """What all shards answered once everything up to `until` was decided; None: at the end."""

    until: int | None
    answers: pa.Table
    elements: int  # values that all shards hold after it


def to_the_first(rows: pa.Table, shards: int) -> list[pa.Table]:
    return [rows, *(rows.slice(0, 0) for _ in range(shards - 1))]


def arrivals(rng: Random, times: Sequence[int], lateness: int) -> list[int]:
    """The numbers of the rows in an order in which none of them is late."""
    delayed = [(time + rng.randint(0, lateness), rng.random()) for time in times]
    return sorted(range(len(times)), key=delayed.__getitem__)


def cuts(rng: Random, rows: Sequence[int]) -> list[list[int]]:
    """Micro-batches of any size, also empty ones; sometimes one row in each."""
    if rng.random() < 0.2:
        return [[row] for row in rows]
    ends = sorted(rng.randint(0, len(rows)) for _ in range(rng.randint(0, 8)))
    return [list(rows[a:b]) for a, b in zip([0, *ends], [*ends, len(rows)], strict=True)]


def never(batch: int) -> bool:
    return False


@dataclass
class Driver:
    """`restart` says after which micro-batches all shards are saved and restored."""

    program: LiveProgram
    lateness: int
    shards: int = 1
    route: Route = to_the_first
    restart: Callable[[int], bool] = never
    greatest: int | None = None
    kernels: list[LiveKernel] = field(init=False)

    def __post_init__(self) -> None:
        self.kernels = [self.program.start(shard) for shard in range(self.shards)]

    def run(self, rows: pa.Table, batches: Sequence[Sequence[int]]) -> list[Step]:
        steps = []
        for number, batch in enumerate(batches):
            steps += self._batch(rows.take(pa.array(batch, pa.int64())))
            if self.restart(number):
                self._restore()
        return [*steps, self._step(None, [kernel.finish() for kernel in self.kernels])]

    def _batch(self, rows: pa.Table) -> list[Step]:
        self._see(np.unique(rows.column("time").to_numpy().astype(np.int64)))
        for kernel, own in zip(self.kernels, self.route(rows, self.shards), strict=True):
            kernel.add(own)
        if self.greatest is None:
            return []
        until = self.greatest - self.lateness - 1
        return [self._step(until, [kernel.decide(until) for kernel in self.kernels])]

    def _see(self, points: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
        if len(points):
            last = int(points[-1])
            self.greatest = last if self.greatest is None else max(last, self.greatest)
        for kernel in self.kernels:
            match self.program.wants:
                case Wants.NOTHING:
                    pass
                case Wants.FIRST:
                    kernel.see(points[:1])
                case Wants.ENDS:
                    kernel.see(np.unique([*points[:1], *points[-1:]]).astype(np.int64))
                case Wants.ALL:
                    kernel.see(points)

    def _step(self, until: int | None, answers: list[pa.Table]) -> Step:
        elements = sum(kernel.state_size().values for kernel in self.kernels)
        return Step(until, pa.concat_tables(answers), elements)

    def _restore(self) -> None:
        saved = [dict(kernel.save()) for kernel in self.kernels]
        self.kernels = [self.program.restore(shard, chunks) for shard, chunks in enumerate(saved)]
