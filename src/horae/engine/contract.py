"""The contract of a kernel, the same for runs in process, for batch on Spark and for streams.

A *kernel program* says how rows are spread over shards, and starts a kernel for each. Rows come in any
order within the lateness. A time point is *decided* once no row at or before it can come any more; then
its answers are final, and given once. Whatever the cuts into micro-batches, the order of rows in them,
and the number of shards: all answers together are the same.

    kernel = program.start(shard)               or program.restore(shard, chunks)
    kernel.see(points)                          time points of the whole input, not only of this shard
    kernel.add(rows)                            rows of this shard
    answers = kernel.decide(until)              everything up to and including `until` is decided
    answers = kernel.finish()                   no row comes any more
    chunks = dict(kernel.save())                the state, to go on with later
    changes = dict(kernel.changes())            what of it changed, where a kernel can tell

Times are integer ticks. Every shard gets the same calls of `see`, `decide` and `finish`, also one
without rows: clocks tick and windows expire there too. In a run whose whole input is there, nothing is
ever saved.

A program may have several *stages*, each with shards of its own: a later one reads what earlier ones
derive, beside rows of the input.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol, runtime_checkable

import pyarrow as pa

from horae.data.cuts import Cuts
from horae.engine.journal import Change

Parts = Iterator[tuple[int, pa.Table]]
"""Shards, and their rows."""


@dataclass(frozen=True, slots=True)
class StateSize:
    """What a kernel holds: instances and stored values, and the bytes that they take.

    `waiting` are those of the bytes that no bound of a program is about: rows that are not decided yet,
    or that a part of the program has still to read. Only RTLola has bounds in bytes, and tells them.
    """

    instances: int
    values: int
    bytes: int
    waiting: int = 0


class Wants(Enum):
    """Which time points of the whole input every shard must see."""

    NOTHING = auto()
    FIRST = auto()  # the least of each micro-batch
    ENDS = auto()  # the least and the greatest of each micro-batch
    ALL = auto()  # each time point with input


# --- kernels


class Kernel(Protocol):
    """One shard of one stage."""

    def see(self, points: Cuts) -> None: ...

    def add(self, rows: pa.Table) -> None: ...

    def decide(self, until: int) -> pa.Table: ...

    def finish(self) -> pa.Table: ...

    def save(self) -> Iterator[tuple[str, bytes]]: ...

    def state_size(self) -> StateSize: ...


@runtime_checkable
class Incremental(Protocol):
    """A kernel that can tell what changed since the last call, or since it was restored."""

    def changes(self) -> Iterator[Change]: ...


class Earlier(Kernel, Protocol):
    """A shard of a stage that has one after it."""

    def derived(self) -> pa.Table:
        """What was derived since the last call, for later stages."""


class LaterKernel(Kernel, Protocol):
    """A shard of a stage that has one before it.

    `add_derived` comes before `decide` and `finish`: all that the stages before derive once
    everything up to `until` is decided.
    """

    def add_derived(self, rows: pa.Table) -> None: ...


# --- programs


class Routed(Protocol):
    """A kernel program in `width` shards, or one stage of it; it travels to workers by pickle.

    `rows` is the schema of `add`; it has an int64 column `time`: the tick at which a row counts
    for lateness. `answers` is the schema of what is decided. Programs with the same `fingerprint` can go
    on with each other's state.
    """

    @property
    def rows(self) -> pa.Schema: ...

    @property
    def answers(self) -> pa.Schema: ...

    @property
    def wants(self) -> Wants: ...

    @property
    def fingerprint(self) -> str: ...

    @property
    def width(self) -> int: ...

    def route(self, rows: pa.Table) -> Parts:
        """Rows to shards; a row may go to several, and each goes to one at least."""

    @property
    def later(self) -> Later | None:
        """The stage after this one."""

    def start(self, shard: int) -> Kernel: ...

    def restore(self, shard: int, chunks: Mapping[str, bytes]) -> Kernel: ...


class Later(Routed, Protocol):
    """A stage that reads what earlier ones derive, beside rows of the input."""

    def route_derived(self, derived: pa.Table) -> Parts: ...


@runtime_checkable
class AtOnce(Protocol):
    """A program whose kernels are faster where all their input is there before anything is decided.

    After `start_whole`, `decide` is never called: all rows come first, then `finish`.
    """

    def start_whole(self, shard: int) -> Kernel: ...


def start_whole(program: Routed, shard: int) -> Kernel:
    """A kernel for a run whose whole input is there."""
    return program.start_whole(shard) if isinstance(program, AtOnce) else program.start(shard)


def stages_of(program: Routed) -> Iterator[Routed]:
    stage: Routed | None = program
    while stage is not None:
        yield stage
        stage = stage.later
