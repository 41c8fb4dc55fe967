"""The arrays of one loop: making them, growing them, saving and restoring them."""

from __future__ import annotations

import io
import json

import numpy as np

from horae.kernels.rtlola import runtime
from horae.kernels.rtlola.layout import Column, Extent
from horae.kernels.rtlola.source import LoopSource

_FIRST_CAPACITY = 64
# A chunk is at most this many entries, so that a change in one place does not rewrite everything.
_CHUNK = 4096


class State:
    """Columns by name; `capacity` per pool. Families with one instance have one slot."""

    def __init__(self, source: LoopSource) -> None:
        self.source = source
        self.capacity = {pool: _FIRST_CAPACITY for pool in self._growing()}
        self.counters = np.array(source.layout.initial, np.int64)
        self.columns = {c.name: c.make(self._size(c)) for c in source.layout.columns.values()}

    def _growing(self) -> list[str]:
        extents = (Extent.POOL, Extent.TABLE)
        return list(
            dict.fromkeys(c.of for c in self.source.layout.columns.values() if c.extent in extents)
        )

    def _size(self, column: Column) -> int:
        size = self.capacity.get(column.of, 1)
        return 2 * size if column.extent is Extent.TABLE else size

    def counter(self, name: str) -> int:
        return int(self.counters[self.source.layout.counters[name]])

    def set_counter(self, name: str, number: int) -> None:
        self.counters[self.source.layout.counters[name]] = number

    # --- growing

    def grow(self, *, everything: bool) -> bool:
        """Double what is more than half full, or everything; tell whether anything grew."""
        crowded = [p for p in self.capacity if everything or 2 * self._used(p) > self.capacity[p]]
        for pool in crowded:
            self._grow_pool(pool, 2 * self.capacity[pool])
        return bool(crowded)

    def _used(self, pool: str) -> int:
        shared = self.columns.get(f"{pool}_shared")
        return self.counter(f"{pool}_used") if shared is None else int(shared[1])

    def _grow_pool(self, pool: str, capacity: int) -> None:
        self.capacity[pool] = capacity
        for column in self.source.layout.columns.values():
            if column.of == pool and column.extent in (Extent.POOL, Extent.SLOTS):
                self._extend(column, capacity)
        for column in self.source.layout.columns.values():
            if column.of == pool and column.extent is Extent.TABLE:
                self._rehash(column, 2 * capacity)

    def _extend(self, column: Column, size: int) -> None:
        old = self.columns[column.name]
        more = column.make(size)
        more[: len(old)] = old
        self.columns[column.name] = more

    def _rehash(self, column: Column, size: int) -> None:
        old, table = self.columns[column.name], column.make(size)
        runtime.refill(old, table, self.columns[f"{column.of}_keys"])
        self.columns[column.name] = table

    # --- size

    def used_bytes(self) -> int:
        """Bytes of the entries in use."""
        total = self.counters.nbytes
        for column in self.source.layout.columns.values():
            array = self.columns[column.name]
            share = (
                self._used(column.of) / self.capacity[column.of]
                if column.of in self.capacity
                else 1
            )
            total += int(array.nbytes * share)
        return total

    def used(self) -> dict[str, int]:
        """Entries in use per pool."""
        return {pool: self._used(pool) for pool in self.capacity}

    # --- snapshots

    def chunks(self) -> dict[str, bytes]:
        saved = {"counters": self.counters.tobytes()}
        saved["capacity"] = json.dumps(self.capacity).encode()
        for column in self.source.layout.columns.values():
            array = self.columns[column.name][: self._saved_size(column)]
            for start in range(0, max(len(array), 1), _CHUNK):
                saved[f"{column.name}/{start}"] = _dump(array[start : start + _CHUNK])
        return saved

    def _saved_size(self, column: Column) -> int:
        """Tables are built again; of pools, what was ever in use is saved."""
        if column.extent is Extent.TABLE:
            return 0
        if column.of in self.capacity:
            return self.counter(f"{column.of}_n")
        return len(self.columns[column.name])

    def restore(self, chunks: dict[str, bytes]) -> None:
        self.counters[:] = np.frombuffer(chunks["counters"], np.int64)
        for pool, capacity in json.loads(chunks["capacity"]).items():
            self._grow_pool(pool, capacity)
        for column in self.source.layout.columns.values():
            if column.extent is not Extent.TABLE:
                self._restore_column(column, chunks)
        for column in self.source.layout.columns.values():
            if column.extent is Extent.TABLE:
                self._rebuild(column)

    def _restore_column(self, column: Column, chunks: dict[str, bytes]) -> None:
        array = self.columns[column.name]
        for start in range(0, max(self._saved_size(column), 1), _CHUNK):
            part = np.load(io.BytesIO(chunks[f"{column.name}/{start}"]), allow_pickle=False)
            array[start : start + len(part)] = part

    def _rebuild(self, column: Column) -> None:
        """Enter the keys of all slots in use into a new table."""
        pool, keys = column.of, self.columns[f"{column.of}_keys"]
        table = column.make(self._size(column))
        for slot in sorted(set(range(self.counter(f"{pool}_n"))) - self._free_slots(pool)):
            runtime.insert(table, keys, keys[slot].copy(), slot)
        self.columns[column.name] = table

    def _free_slots(self, pool: str) -> set[int]:
        links, free = self.columns[f"{pool}_next"], set()
        at = self.counter(f"{pool}_free")
        while at >= 0:
            free.add(at)
            at = int(links[at])
        return free


def _dump(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()
