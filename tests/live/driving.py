"""A stream as a driver runs it: rows in disorder, in micro-batches, over shards, with restarts.

After each micro-batch the watermark is the greatest time seen so far minus the lateness. A row at the
watermark is still on time, so everything before it is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import cast

import numpy as np
import pyarrow as pa

from horae.engine.contract import (
    Earlier,
    Incremental,
    Kernel,
    Later,
    LaterKernel,
    Routed,
    Wants,
    stages_of,
)
from horae.engine.journal import Change
from horae.engine.stored import Stored


@dataclass(frozen=True)
class Step:
    """What all shards answered once everything up to `until` was decided; None: at the end."""

    until: int | None
    answers: pa.Table
    elements: int  # values that all shards hold after it


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
    """`restart` says after which micro-batches all shards of all stages are saved and restored."""

    program: Routed
    lateness: int
    restart: Callable[[int], bool] = never
    greatest: int | None = None
    stages: list[Stage] = field(init=False)

    def __post_init__(self) -> None:
        self.stages = [Stage.started(program) for program in stages_of(self.program)]

    def run(self, rows: pa.Table, batches: Sequence[Sequence[int]]) -> list[Step]:
        steps = []
        for number, batch in enumerate(batches):
            steps += self._batch(rows.take(pa.array(batch, pa.int64())))
            if self.restart(number):
                for stage in self.stages:
                    stage.restore()
        return [*steps, self._step(None)]

    def _batch(self, rows: pa.Table) -> list[Step]:
        self._see(np.unique(rows.column("time").to_numpy().astype(np.int64)))
        for stage in self.stages:
            for shard, own in stage.program.route(rows):
                stage.kernels[shard].add(own)
        if self.greatest is None:
            return []
        return [self._step(self.greatest - self.lateness - 1)]

    def _see(self, points: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
        if len(points):
            last = int(points[-1])
            self.greatest = last if self.greatest is None else max(last, self.greatest)
        for stage in self.stages:
            stage.see(points)

    def _step(self, until: int | None) -> Step:
        """All stages, each after those that it reads."""
        answers: list[pa.Table] = []
        derived: list[pa.Table] = []
        for stage in self.stages:
            answers += stage.decide(until, derived)
            derived += stage.derived()
        elements = sum(kernel.state_size().values for s in self.stages for kernel in s.kernels)
        return Step(until, pa.concat_tables(answers), elements)


@dataclass
class Stage:
    program: Routed
    kernels: list[Kernel]
    stored: list[dict[str, bytes]]

    @classmethod
    def started(cls, program: Routed) -> Stage:
        shards = range(program.width)
        return cls(program, [program.start(shard) for shard in shards], [{} for _ in shards])

    def see(self, points: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
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

    def decide(self, until: int | None, derived: list[pa.Table]) -> list[pa.Table]:
        """None: the stream has ended."""
        for table in derived:
            for shard, own in cast("Later", self.program).route_derived(table):
                cast("LaterKernel", self.kernels[shard]).add_derived(own)
        return [k.finish() if until is None else k.decide(until) for k in self.kernels]

    def derived(self) -> list[pa.Table]:
        if self.program.later is None:
            return []
        found = [cast("Earlier", kernel).derived() for kernel in self.kernels]
        return [table for table in found if len(table)]

    def restore(self) -> None:
        """From what was stored, and what has changed since."""
        for number, (kernel, chunks) in enumerate(zip(self.kernels, self.stored, strict=True)):
            for name, data in _changes(kernel, chunks):
                if data is None:
                    del chunks[name]
                else:
                    chunks[name] = data
            self.kernels[number] = self.program.restore(number, chunks)


def _changes(kernel: Kernel, chunks: dict[str, bytes]) -> Iterator[Change]:
    if isinstance(kernel, Incremental):
        return kernel.changes()
    return Stored.of(chunks).changes(kernel.save())
