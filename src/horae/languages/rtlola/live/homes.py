"""Which shards a row belongs to: Spark's `xxhash64` of each key, modulo the number of shards."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array
from horae.engine.xxhash64 import hash_column


def homes(rows: pa.Table, keys: Sequence[str], shards: int) -> list[Array]:
    """Per key column, the number of each row's shard; null where the key is null."""
    return [_home(rows.column(key).combine_chunks(), shards) for key in keys]


def _home(column: Array, shards: int) -> Array:
    numbers = pa.array((hash_column(column) % shards).astype("int32"))
    found: Array = pc.if_else(pc.is_valid(column), numbers, pa.scalar(None, pa.int32()))
    return found
