"""Tables on their way through Spark."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from horae.spark import parcels
from horae.spark.parcels import pack_pieces, unpack


@pytest.mark.parametrize("count", [0, 1, 10, 20, 21, 100])
def test_a_large_table_travels_in_pieces(monkeypatch: pytest.MonkeyPatch, count: int):
    monkeypatch.setattr(parcels, "PIECE", 240)
    texts: list[str] = [str(number % 10) for number in range(count)]
    table = pa.table({"time": pa.array(np.arange(count)), "text": pa.array(texts, pa.string())})
    found = [unpack(piece) for piece in pack_pieces(table)]
    assert all(0 < piece.nbytes <= 240 for piece in found)
    assert len(found) <= 1 + table.nbytes // 200
    assert pa.concat_tables([table.slice(0, 0), *found]).equals(table)


def test_a_row_may_be_larger_than_a_piece(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(parcels, "PIECE", 10)
    table = pa.table({"text": ["a" * 100, "b"]})
    assert [unpack(piece).to_pylist() for piece in pack_pieces(table)] == [
        [{"text": "a" * 100}],
        [{"text": "b"}],
    ]


def test_what_travels_is_compressed():
    table = pa.table({"text": ["signal"] * 100_000})
    (piece,) = pack_pieces(table)
    assert len(piece) < table.nbytes // 2
