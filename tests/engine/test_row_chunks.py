"""Rows that come and go change the chunk that they are in."""

import numpy as np

from horae.engine.row_chunks import load_rows, save_rows

ROWS = np.column_stack([np.arange(5000) // 7, np.arange(5000) * 31 % 1009, np.arange(5000)])


def test_rows_come_back_each_once():
    chunks = dict(save_rows("a", np.concatenate([ROWS[::-1], ROWS[:9]])))
    chunks |= dict(save_rows("b/c", ROWS[:1]))
    found = load_rows(chunks)
    assert found.keys() == {"a", "b/c"}
    by_last = np.argsort(found["a"][:, 2])
    assert np.array_equal(found["a"][by_last], ROWS)
    assert np.array_equal(found["b/c"], ROWS[:1])


def test_nothing_is_saved_of_nothing():
    assert dict(save_rows("a", ROWS[:0])) == {}


def test_every_order_gives_the_same_chunks():
    shuffled = ROWS[np.random.default_rng(1).permutation(len(ROWS))]
    assert dict(save_rows("a", shuffled)) == dict(save_rows("a", ROWS))


def test_a_row_changes_at_most_two_chunks():
    before = dict(save_rows("a", ROWS))
    assert len(before) > 20
    for gone in range(0, 5000, 250):
        after = dict(save_rows("a", np.delete(ROWS, gone, axis=0)))
        assert len(after.items() - before.items()) <= 1
        assert len(before.items() - after.items()) <= 2


def test_what_expires_goes_with_its_chunks():
    before, after = dict(save_rows("a", ROWS)), dict(save_rows("a", ROWS[2500:]))
    assert len(after.items() - before.items()) <= 1
