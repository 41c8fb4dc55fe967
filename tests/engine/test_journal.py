"""A table in a store: what is written, and what comes back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from horae.engine.journal import SEGMENT, Journal, JournalColumns

KINDS: JournalColumns = {
    "key": np.empty((0, 2), np.int64),
    "value": np.empty(0, np.float64),
    "has": np.empty(0, bool),
}
WIDTH = 2 * 8 + 8 + 1


class Store:
    """Chunks by name, and how many bytes the last snapshot wrote."""

    def __init__(self) -> None:
        self.chunks: dict[str, bytes] = {}
        self.journal = Journal(KINDS)
        self.written = 0

    def save(self, table: JournalColumns) -> None:
        self.written = 0
        for name, data in self.journal.changes(table):
            if data is None:
                del self.chunks[name]
            else:
                self.chunks[name] = data
                self.written += len(data)

    def restore(self) -> JournalColumns:
        self.journal = Journal(KINDS)
        return self.journal.restore(self.chunks)

    @property
    def size(self) -> int:
        return sum(map(len, self.chunks.values()))


def made(count: int) -> JournalColumns:
    numbers = np.arange(count)
    return {
        "key": np.stack([numbers, -numbers], axis=1),
        "value": numbers / 7,
        "has": numbers % 2 == 0,
    }


def grown(table: JournalColumns, count: int) -> JournalColumns:
    old = len(table["value"])
    return {name: np.concatenate([c, made(count)[name][old:]]) for name, c in table.items()}


def touch(table: JournalColumns, rows: Any, rng: np.random.Generator) -> None:
    table["value"][rows] = rng.random(len(table["value"][rows]))
    table["has"][rows] ^= True


def assert_same(one: JournalColumns, other: JournalColumns) -> None:
    assert one.keys() == other.keys()
    for name, column in one.items():
        assert column.dtype == other[name].dtype
        np.testing.assert_array_equal(column, other[name])


@pytest.mark.parametrize("seed", range(12))
def test_a_table_comes_back_as_it_was(seed: int):
    """Growing by any number of rows, changing few or many, restored now and then."""
    rng = np.random.default_rng(seed)
    store, table = Store(), made(int(rng.integers(0, 3 * SEGMENT)))
    for _ in range(30):
        count = len(table["value"])
        if rng.random() < 0.3:
            table = grown(table, count + int(rng.choice([1, 5, SEGMENT // 2, 2 * SEGMENT])))
        elif count:
            touch(table, rng.integers(0, count, int(rng.choice([1, 30, 300, count]))), rng)
        store.save(table)
        if rng.random() < 0.5:
            assert_same(store.restore(), table)
    assert_same(store.restore(), table)


def test_nothing_changed_nothing_written():
    store, table = Store(), made(5000)
    table["value"][3] = np.nan
    store.save(table)
    store.save(table)
    assert store.written == 0
    store.restore()
    store.save(table)
    assert store.written == 0


@pytest.mark.parametrize("restored", [False, True])
@pytest.mark.parametrize("touched", [1, 50, 1000])
def test_what_is_written_grows_with_the_rows_touched(touched: int, restored: bool):
    """Not with the rows known; and neither the number of chunks nor their size goes on growing."""
    rng = np.random.default_rng(touched)
    count = 40 * SEGMENT
    store, table = Store(), made(count)
    store.save(table)
    for _ in range(100):
        touch(table, rng.integers(0, count, touched), rng)
        store.save(table)
        assert store.written <= (4 * touched + 3 * SEGMENT) * (WIDTH + 8)
        assert store.size <= 2.5 * count * WIDTH
        assert len(store.chunks) <= 3 * 40
        if restored:
            store.restore()
    assert_same(store.restore(), table)


def test_a_log_that_grows_is_one_chunk():
    rng = np.random.default_rng(1)
    store, table = Store(), made(20 * SEGMENT)
    store.save(table)
    for _ in range(20):
        touch(table, rng.integers(0, 20 * SEGMENT, 3), rng)
        store.save(table)
    assert sum(name.startswith("log/") for name in store.chunks) == 1


def test_rows_that_go_on_changing_are_written_in_their_segments():
    rng = np.random.default_rng(1)
    store, table = Store(), made(20 * SEGMENT)
    store.save(table)
    for _ in range(5):
        touch(table, slice(SEGMENT, 2 * SEGMENT), rng)
        store.save(table)
        assert store.written == 8 + SEGMENT * WIDTH
    assert len(store.chunks) == 20
