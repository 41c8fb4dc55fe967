"""The arrays of one loop: making them, growing them, saving and restoring them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import numpy as np

from horae.engine.chunks import load_array, part, save_array
from horae.engine.journal import Change, Journal, JournalColumns
from horae.languages.rtlola.kernel import runtime
from horae.languages.rtlola.kernel.layout import Column, Extent
from horae.languages.rtlola.kernel.source import LoopSource

_FIRST_CAPACITY = 64


class State:
    """Columns by name; `capacity` per pool. Families with one instance have one slot."""

    def __init__(self, source: LoopSource) -> None:
        self._layout = source.layout
        growing = (c.of for c in self._columns(Extent.POOL, Extent.TABLE))
        self.capacity = {pool: _FIRST_CAPACITY for pool in growing}
        self.counters = np.array(source.layout.initial, np.int64)
        self.columns = {c.name: c.make(self._size(c)) for c in source.layout.columns.values()}
        self._journals = {pool: Journal(self._pool(pool)) for pool in self.capacity}

    def _columns(self, *extents: Extent, of: str | None = None) -> list[Column]:
        columns = self._layout.columns.values()
        return [c for c in columns if c.extent in extents and of in (None, c.of)]

    def _size(self, column: Column) -> int:
        size = self.capacity.get(column.of, 1)
        return 2 * size if column.extent is Extent.TABLE else size

    def counter(self, name: str) -> int:
        return int(self.counters[self._layout.counters[name]])

    def set_counter(self, name: str, number: int) -> None:
        self.counters[self._layout.counters[name]] = number

    # --- growing

    def double(self, pool: str) -> None:
        self._grow_pool(pool, 2 * self.capacity[pool])

    def _grow_pool(self, pool: str, capacity: int) -> None:
        self.capacity[pool] = capacity
        for column in self._columns(Extent.POOL, Extent.SLOTS, of=pool):
            old = self.columns[column.name]
            self.columns[column.name] = column.make(capacity)
            self.columns[column.name][: len(old)] = old
        for column in self._columns(Extent.TABLE, of=pool):
            old, table = self.columns[column.name], column.make(2 * capacity)
            runtime.refill(old, table, self.columns[f"{pool}_keys"])
            self.columns[column.name] = table

    # --- size

    def _used(self, pool: str) -> int:
        shared = self.columns.get(f"{pool}_shared")
        return self.counter(f"{pool}_used") if shared is None else int(shared[1])

    def used(self) -> dict[str, int]:
        """Entries in use per pool."""
        return {pool: self._used(pool) for pool in self.capacity}

    def used_bytes(self) -> int:
        """Bytes of the entries in use."""
        return self.counters.nbytes + sum(
            self.columns[column.name].nbytes * self._used(column.of) // self.capacity[column.of]
            if column.of in self.capacity
            else self.columns[column.name].nbytes
            for column in self._layout.columns.values()
        )

    # --- snapshots

    def chunks(self) -> Iterator[tuple[str, bytes]]:
        """Everything. Tables are not saved, they are built again."""
        yield from self.small_chunks()
        for pool in self.capacity:
            for name, data in Journal(self._pool(pool)).changes(self._pool(pool)):
                assert data is not None, "nothing was stored that could be gone"
                yield f"pool/{pool}/{name}", data

    def small_chunks(self) -> Iterator[tuple[str, bytes]]:
        """The chunks of the state without the pools."""
        yield "counters", self.counters.tobytes()
        yield "capacity", json.dumps(self.capacity).encode()
        for column in self._single_columns():
            yield from save_array(f"column/{column.name}", self.columns[column.name])

    def pool_changes(self) -> Iterator[Change]:
        """What changed in the pools since the last call, or since the state was restored."""
        for pool, journal in self._journals.items():
            for name, data in journal.changes(self._pool(pool)):
                yield f"pool/{pool}/{name}", data

    def _single_columns(self) -> list[Column]:
        columns = self._columns(Extent.POOL, Extent.SLOTS, Extent.FIXED)
        return [column for column in columns if column.of not in self.capacity]

    def _pool(self, pool: str) -> JournalColumns:
        """The entries of a pool that were ever in use."""
        count = self.counter(f"{pool}_n")
        columns = self._columns(Extent.POOL, Extent.SLOTS, of=pool)
        return {column.name: self.columns[column.name][:count] for column in columns}

    def restore(self, chunks: Mapping[str, bytes]) -> None:
        self.counters[:] = np.frombuffer(chunks["counters"], np.int64)
        for pool, capacity in json.loads(chunks["capacity"]).items():
            self._grow_pool(pool, capacity)
            for name, saved in self._journals[pool].restore(part(f"pool/{pool}/", chunks)).items():
                self.columns[name][: len(saved)] = saved
        for column in self._single_columns():
            self.columns[column.name][:] = load_array(f"column/{column.name}", chunks)
        for column in self._columns(Extent.TABLE):
            self._rebuild(column)

    def _rebuild(self, column: Column) -> None:
        """Enter the keys of all slots in use into a new table."""
        pool = column.of
        table = column.make(self._size(column))
        in_use = np.ones(self.counter(f"{pool}_n"), bool)
        runtime.unmark(self.columns[f"{pool}_next"], self.counter(f"{pool}_free"), in_use)
        runtime.enter(table, self.columns[f"{pool}_keys"], in_use)
        self.columns[column.name] = table
