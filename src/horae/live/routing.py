"""How rows reach the shards of a live program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import pyarrow as pa

from horae.live.contract import LiveProgram


class Routed(LiveProgram, Protocol):
    """A live program that can be spread. `spread` is false where it must run in one shard."""

    @property
    def spread(self) -> bool: ...

    def route(self, rows: pa.Table, shards: int) -> Iterator[tuple[int, pa.Table]]: ...

    @property
    def fingerprint(self) -> str: ...
