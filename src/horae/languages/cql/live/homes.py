"""The shard of a value: equal values have the same one, as CQL compares them.

An int and a double are equal if they are the same number, so whole doubles are hashed as ints. Null is a
value of its own: rows without a value are together.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from horae.data.columns import Array, Ints
from horae.data.key_homes import hash_column
from horae.languages.cql.kernel.columns import validity
from horae.languages.cql.kernel.compare import doubles_as_ints


def homes_of_rows(column: Array, shards: int) -> Ints:
    """The number of each row's shard."""
    return np.where(validity(column), _hashes(column), 0) % shards


def _hashes(column: Array) -> Ints:
    if not pa.types.is_floating(column.type):
        return hash_column(column)
    whole = doubles_as_ints(column)
    return np.where(validity(whole), hash_column(whole), hash_column(column))
