"""How rows reach the shards of a live program, and what its stages hand on to each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import pyarrow as pa

from horae.engine.live_contract import LiveKernel, LiveProgram

Parts = Iterator[tuple[int, pa.Table]]
"""Shards, and their rows."""


class Routed(LiveProgram, Protocol):
    """A live program in `width` shards, or one stage of it."""

    @property
    def width(self) -> int: ...

    def route(self, rows: pa.Table) -> Parts: ...

    @property
    def fingerprint(self) -> str: ...

    @property
    def later(self) -> Later | None:
        """The stage after this one."""


class Earlier(LiveKernel, Protocol):
    """A shard of a stage that has one after it."""

    def derived(self) -> pa.Table:
        """What was derived since the last call, for later stages."""


class Later(Routed, Protocol):
    """A stage that reads what earlier ones derive, beside rows of the stream."""

    def route_derived(self, derived: pa.Table) -> Parts: ...


class LaterKernel(LiveKernel, Protocol):
    """A shard of such a stage.

    `add_derived` comes before `decide` in every micro-batch: all that the stages before derive once
    everything up to `until` is decided.
    """

    def add_derived(self, rows: pa.Table) -> None: ...


def stages_of(program: Routed) -> Iterator[Routed]:
    stage: Routed | None = program
    while stage is not None:
        yield stage
        stage = stage.later
