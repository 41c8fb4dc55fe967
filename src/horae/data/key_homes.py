"""The shard of a key: a hash of its text, so that Spark computes the same (`crc32`); and a hash of the
values of columns, for keys with types.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from horae.data.columns import Array, Ints
from horae.data.constants import Value
from horae.data.cuts import Rows
from horae.data.fact_values import write_constant


def home(value: Value, count: int) -> int:
    return home_of_text(write_constant(value), count)


def home_of_text(text: str, count: int) -> int:
    """The shard of a constant, given as a text that is equal iff the constants are."""
    return zlib.crc32(text.encode()) % count


def homes_of_texts(keys: Any, count: int) -> Rows:
    """The shards of an Arrow array of such texts; each distinct one is hashed once."""
    found = keys.dictionary_encode()
    known = [home_of_text(text, count) for text in found.dictionary.to_pylist()]
    places: Rows = found.indices.to_numpy(zero_copy_only=False)
    return np.array(known, np.int64)[places]


def hash_column(column: Array) -> Ints:
    """The hash of each number, truth value or text; that of a null means nothing.

    Both zeros of a double are one value. Each distinct text is hashed once.
    """
    if pa.types.is_string(column.type):
        encoded: Any = column.fill_null("").dictionary_encode()
        texts = [zlib.crc32(text.encode()) for text in encoded.dictionary.to_pylist()]
        return _mixed(np.array(texts, np.int64)[encoded.indices.to_numpy()])
    if pa.types.is_floating(column.type):
        numbers = column.fill_null(0.0).to_numpy(zero_copy_only=False).astype(np.float64) + 0.0
        return _mixed(numbers.view(np.int64))
    nothing = False if pa.types.is_boolean(column.type) else 0
    whole: Ints = column.fill_null(nothing).to_numpy(zero_copy_only=False).astype(np.int64)
    return _mixed(whole)


def _mixed(numbers: Ints) -> Ints:
    """Every bit of a number has a part in every bit of its hash: a step of SplitMix64."""
    words: npt.NDArray[np.uint64] = numbers.view(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (words ^ (words >> np.uint64(31))).view(np.int64)
