"""The contract of a kernel: one shard of one stage, the same in batch and in a stream.

    kernel.push(batch)       input of this shard, time-ordered, not before what was decided
    kernel.advance(until)    everything decided up to and including `until`, as answers
    kernel.finish(end)       the input has ended: everything up to `end`
    kernel.snapshot()        the state as named chunks of bytes
    kernel.changed_chunks(…) those that differ from an earlier snapshot
    restore(program, …)      a kernel that goes on from a snapshot

Times are integer ticks. `advance` reaches every shard, also one without data: clocks tick there too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa


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


class Kernel(Protocol):
    def push(self, batch: pa.RecordBatch) -> None: ...

    def advance(self, until: int) -> pa.RecordBatch: ...

    def finish(self, end: int) -> pa.RecordBatch: ...

    def snapshot(self) -> dict[str, bytes]: ...

    def changed_chunks(self, previous: Mapping[str, bytes]) -> dict[str, bytes]: ...

    def state_size(self) -> StateSize: ...
