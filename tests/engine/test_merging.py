"""Pieces of answers, on disk or not, come back in order, each row once."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise
from random import Random

import pyarrow as pa
import pytest

from horae.engine import merging
from horae.engine.merging import in_order, pieces_of


def table(times: list[int | None], kind: pa.DataType = pa.int64()) -> pa.Table:  # noqa: B008
    decimal = pa.types.is_decimal(kind)
    values = [Decimal(t) if decimal and t is not None else t for t in times]
    return pa.table({"time": pa.array(values, kind), "row": pa.array(range(len(times)))})


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """All pieces wait on disk, and are small."""
    monkeypatch.setattr(merging, "PIECE", 5)
    monkeypatch.setattr(merging, "_IN_MEMORY", 40)


@pytest.mark.parametrize("kind", [pa.int64(), pa.decimal128(38, 0)])
@pytest.mark.parametrize("seed", range(5))
def test_all_rows_come_in_order(small: None, seed: int, kind: pa.DataType):
    random = Random(seed)
    times = [[random.randint(-50, 50) for _ in range(random.randint(0, 40))] for _ in range(4)]
    pieces = [piece for own in times for piece in pieces_of(table([*own], kind), "time")]
    random.shuffle(pieces)
    parts = [[int(str(t)) for t in part.column("time")] for part in in_order(pieces, "time")]
    assert sorted(t for part in parts for t in part) == sorted(t for own in times for t in own)
    assert all(max(before) < min(after) for before, after in pairwise(parts))


def test_what_fits_into_memory_is_one_part():
    parts = list(in_order([table([3, 1]), table([2])], "time"))
    assert [part.column("time").to_pylist() for part in parts] == [[3, 1, 2]]


def test_nothing(small: None):
    assert list(in_order([], "time")) == []
    assert list(pieces_of(table([]), "time")) == []


def test_nulls_come_first(small: None):
    pieces = [table([9, 10, 11]), table([None, 4]), table([12] * 9)]
    parts = [part.column("time").to_pylist() for part in in_order(pieces, "time")]
    assert parts[0][0] is None
    assert parts[-1][-1] == 12


def test_no_part_is_large(small: None):
    """The first half of the pieces is gone when the second comes."""
    pieces = [*pieces_of(table([*range(500)]), "time")]
    assert max(len(part) for part in in_order(pieces, "time")) <= 10
