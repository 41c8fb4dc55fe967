"""Tables on their way through Spark."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from horae.spark.parcels import PIECE, pack_pieces, unpack


@pytest.mark.parametrize("count", [0, 1, PIECE, PIECE + 1, 3 * PIECE])
def test_a_large_table_travels_in_pieces(count: int):
    texts: list[str] = [str(number) for number in range(count)]
    table = pa.table({"time": pa.array(np.arange(count)), "text": pa.array(texts, pa.string())})
    found = [unpack(piece) for piece in pack_pieces(table)]
    assert all(0 < len(piece) <= PIECE for piece in found)
    assert pa.concat_tables([table.slice(0, 0), *found]).equals(table)
