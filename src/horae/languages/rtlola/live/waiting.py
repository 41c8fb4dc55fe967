"""Rows that are not decided yet.

They lie in blocks, one per call of `add`. A block is written once and dropped when its last row is
decided; one of which less than half still waits is written again without the rest. So the rows that
are written stay within a small multiple of those that came.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from horae.data.columns import fitted
from horae.languages.rtlola.live.columns import TIME
from horae.languages.rtlola.live.order import sorted_rows


@dataclass
class Waiting:
    """Blocks by number, each sorted by time; rows up to `decided` were taken.

    `is_sorted`: rows come in order.
    """

    schema: pa.Schema
    is_sorted: bool = False
    blocks: dict[int, pa.Table] = field(default_factory=dict)
    decided: int | None = None

    def __len__(self) -> int:
        return sum(len(block) - self._taken(block) for block in self.blocks.values())

    @property
    def used_bytes(self) -> int:
        return sum(block.nbytes for block in self.blocks.values())

    def add(self, rows: pa.Table) -> None:
        if not len(rows):
            return
        block = _by_time(fitted(rows, self.schema))
        first = int(block.column(TIME)[0].as_py())
        if self.decided is not None and first <= self.decided:
            raise ValueError(
                f"a row at {first} came after everything to {self.decided} was decided"
            )
        self.blocks[max(self.blocks, default=-1) + 1] = block

    def take(self, until: int) -> pa.Table:
        """The rows up to and including `until`, in order."""
        taken = [block.slice(*self._span(block, until)) for block in self.blocks.values()]
        if self.decided is None or until > self.decided:
            self.decided = until
        self._forget()
        rows = pa.concat_tables([self.schema.empty_table(), *taken])
        return rows if self.is_sorted else sorted_rows(rows)

    def take_all(self) -> pa.Table:
        last = max((int(b.column(TIME)[-1].as_py()) for b in self.blocks.values()), default=None)
        return self.schema.empty_table() if last is None else self.take(last)

    def _span(self, block: pa.Table, until: int) -> tuple[int, int]:
        """Where the rows after `decided` and up to `until` begin, and how many they are."""
        taken = self._taken(block)
        return taken, max(_count_until(block, until) - taken, 0)

    def _taken(self, block: pa.Table) -> int:
        return 0 if self.decided is None else _count_until(block, self.decided)

    def _forget(self) -> None:
        for number, block in list(self.blocks.items()):
            taken = self._taken(block)
            if taken == len(block):
                del self.blocks[number]
            elif 2 * taken > len(block):
                self.blocks[number] = block.slice(taken)

    # --- snapshots

    def save(self) -> Iterator[tuple[str, bytes]]:
        for number, block in self.blocks.items():
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, self.schema) as writer:
                writer.write_table(block)
            yield str(number), sink.getvalue().to_pybytes()

    def restore(self, chunks: Mapping[str, bytes], decided: int | None) -> None:
        self.decided = decided
        for number in sorted(map(int, chunks)):
            self.blocks[number] = pa.ipc.open_stream(chunks[str(number)]).read_all()


def _by_time(block: pa.Table) -> pa.Table:
    times = block.column(TIME).to_numpy()
    if bool((times[1:] >= times[:-1]).all()):
        return block
    return block.take(np.argsort(times, kind="stable"))


def _count_until(block: pa.Table, until: int) -> int:
    return int(np.searchsorted(block.column(TIME).to_numpy(), until, side="right"))
