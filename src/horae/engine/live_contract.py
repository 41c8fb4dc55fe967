"""A shard of a program over live rows.

Rows come in any order within the lateness. A time point is *decided* once no row at or before it can
come any more; then its answers are final, and given once. Whatever the cuts into micro-batches, the
order of rows in them, and the number of shards: all answers together are those of a batch run.

    kernel = program.start()                    or program.restore(chunks)
    kernel.see(points)                          time points of the whole stream, not only of this shard
    kernel.add(rows)                            rows of this shard
    answers = kernel.decide(until)              everything up to and including `until` is decided
    answers = kernel.finish()                   no row comes any more
    chunks = dict(kernel.save())                the state, to go on with later
    changes = dict(kernel.changes())            what of it changed, where a kernel can tell

Times are integer ticks. Every shard gets the same calls of `see`, `decide` and `finish`, also one
without rows: clocks tick and windows expire there too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Protocol, runtime_checkable

import pyarrow as pa

from horae.data.cuts import Cuts
from horae.engine.contract import StateSize
from horae.engine.journal import Change


class Wants(Enum):
    """Which time points of the whole stream every shard must see."""

    NOTHING = auto()
    FIRST = auto()  # the least of each micro-batch
    ENDS = auto()  # the least and the greatest of each micro-batch
    ALL = auto()  # each time point with input


class LiveKernel(Protocol):
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


class LiveProgram(Protocol):
    """What a worker needs to run a shard; it travels there by pickle.

    `rows` is the schema of `add`; it has an int64 column `time`: the tick at which a row counts
    for lateness. `answers` is the schema of what is decided.
    """

    @property
    def rows(self) -> pa.Schema: ...

    @property
    def answers(self) -> pa.Schema: ...

    @property
    def wants(self) -> Wants: ...

    def start(self, shard: int) -> LiveKernel: ...

    def restore(self, shard: int, chunks: Mapping[str, bytes]) -> LiveKernel: ...
