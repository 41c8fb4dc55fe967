"""Rows that are kept, in chunks: what leaves and comes changes few of them, and all come back."""

from __future__ import annotations

from random import Random

import numpy as np
import pyarrow as pa

from horae.languages.cql.kernel.kept_rows import KeptRows

TYPES: dict[str, pa.DataType] = {"c0": pa.int64(), "c1": pa.string()}
SCHEMA = pa.schema(TYPES)


def rows(first: int, count: int) -> pa.Table:
    numbers = range(first, first + count)
    return pa.table([list(numbers), [f"x{n}" for n in numbers]], schema=SCHEMA)


def filled(count: int) -> KeptRows:
    found = KeptRows.none(SCHEMA)
    found.add(rows(0, count))
    return found


def values(kept: KeptRows) -> list[int]:
    return sorted(kept.rows.column("c0").to_numpy().tolist())


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    return {name for name in before | after if before.get(name) != after.get(name)}


def test_chunks_have_4096_rows():
    assert list(dict(filled(9000).save("s"))) == ["s/0", "s/1", "s/2"]
    assert list(dict(filled(0).save("s"))) == []


def test_rows_that_leave_change_only_their_chunk():
    kept = filled(20_000)
    before = dict(kept.save("s"))
    kept.keep(np.arange(20_000) != 5000)
    assert changed(before, dict(kept.save("s"))) == {"s/1"}


def test_old_rows_leave_with_their_chunks():
    kept = filled(20_000)
    before = dict(kept.save("s"))
    kept.keep(np.arange(20_000) >= 8192)
    assert changed(before, dict(kept.save("s"))) == {"s/0", "s/1"}


def test_chunks_with_few_rows_are_emptied():
    """One row is left of each of 20 chunks; the last one takes the others in."""
    kept = filled(20 * 4096)
    kept.keep(np.arange(20 * 4096) % 4096 == 4095)
    assert values(kept) == [4095 + 4096 * i for i in range(20)]
    assert list(dict(kept.save("s"))) == ["s/19", "s/20"]


def test_all_rows_come_back():
    rng = Random("kept")
    kept, expected = KeptRows.none(SCHEMA), set[int]()
    for first in range(0, 60_000, 6000):
        kept.add(rows(first, 6000))
        share = rng.random() / 3
        left = {n for n in {*expected, *range(first, first + 6000)} if rng.random() < share}
        kept.keep(np.isin(kept.rows.column("c0").to_numpy(), sorted(left)))
        expected = left
        kept = KeptRows.load("s", SCHEMA, dict(kept.save("s")))
        assert values(kept) == sorted(expected)
        assert (np.diff(kept.numbers) > 0).all()
    assert {f"x{n}" for n in expected} == set(kept.rows.column("c1").to_pylist())
