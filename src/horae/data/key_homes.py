"""The shard of a key: a hash of its text, so that Spark computes the same (`crc32`)."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from horae.data.constants import Value
from horae.data.cuts import Rows
from horae.data.fact_values import write_constant


def home(value: Value, count: int) -> int:
    return home_of_text(write_constant(value), count)


def home_of_text(text: str, count: int) -> int:
    """Of a constant as text that is equal iff the constants are."""
    return zlib.crc32(text.encode()) % count


def homes(keys: Any, count: int) -> Rows:
    """Of an Arrow array of such texts; each of them is hashed once."""
    found = keys.dictionary_encode()
    known = [home_of_text(text, count) for text in found.dictionary.to_pylist()]
    places: Rows = found.indices.to_numpy(zero_copy_only=False)
    return np.array(known, np.int64)[places]
