"""The shard of a key: a hash of its text; and a hash of the values of columns, for keys with types.

Short texts are hashed many together, eight bytes at a time; of long ones each distinct one once.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array, Ints
from horae.data.constant_texts import write_constants
from horae.data.constants import Value
from horae.data.cuts import Rows

Words = npt.NDArray[np.uint64]

_WORD = 8  # bytes
_SHORT = 4 * _WORD
_SEED = np.uint64(0x9E3779B97F4A7C15)
_ONES = np.array([(1 << _WORD * size) - 1 for size in range(_WORD + 1)], np.uint64)
"""By a number of bytes: a mask of the first ones of a word."""


def homes_of_values(values: Sequence[Value], count: int) -> Rows:
    """The shards of constants."""
    return homes_of_texts(write_constants(values), count)


def homes_of_texts(keys: Any, count: int) -> Rows:
    """The shards of constants, given as an Arrow array of texts that are equal iff these are."""
    if (pc.max(pc.binary_length(keys)).as_py() or 0) <= _SHORT:
        return _homes(hash_texts(keys), count)
    found = keys.dictionary_encode()
    places: Rows = found.indices.to_numpy(zero_copy_only=False)
    return _homes(hash_texts(found.dictionary), count)[places]


def _homes(hashes: Ints, count: int) -> Rows:
    return (hashes.view(np.uint64) % np.uint64(count)).astype(np.int64)


def hash_column(column: Array) -> Ints:
    """The hash of each number, truth value or text; that of a null means nothing.

    Both zeros of a double are one value.
    """
    if pa.types.is_string(column.type):
        encoded: Any = column.fill_null("").dictionary_encode()
        hashes: Ints = hash_texts(encoded.dictionary)[encoded.indices.to_numpy()]
        return hashes
    if pa.types.is_floating(column.type):
        numbers = column.fill_null(0.0).to_numpy(zero_copy_only=False).astype(np.float64) + 0.0
        return _mixed(numbers.view(np.uint64)).view(np.int64)
    nothing = False if pa.types.is_boolean(column.type) else 0
    whole: Ints = column.fill_null(nothing).to_numpy(zero_copy_only=False).astype(np.int64)
    return _mixed(whole.view(np.uint64)).view(np.int64)


def hash_texts(texts: Any) -> Ints:
    """The hash of each text of an Arrow array without nulls."""
    starts = np.frombuffer(texts.buffers()[1], np.int32)[texts.offset :][: len(texts) + 1]
    starts = starts.astype(np.int64)
    sizes = np.diff(starts)
    bytes_ = np.frombuffer(texts.buffers()[2] or b"", np.uint8)[starts[0] : starts[-1]]
    hashes = _short_hashes(bytes_, starts[:-1] - starts[0], sizes)
    if len(long := np.flatnonzero(sizes > _SHORT)):
        sums = (zlib.crc32(texts[place].as_py().encode()) for place in long.tolist())
        hashes[long] = _mixed(np.fromiter(sums, np.uint64, len(long)))
    return hashes.view(np.int64)


def _short_hashes(bytes_: npt.NDArray[np.uint8], starts: Rows, sizes: Rows) -> Words:
    """Words of eight bytes, one after the other; those of long texts mean nothing."""
    words = _words(bytes_)
    hashes = sizes.astype(np.uint64) * _SEED
    longest = min(int(sizes.max(initial=0)), _SHORT)
    for begin in range(0, longest, _WORD):
        left = np.clip(sizes - begin, 0, _WORD)
        here = np.minimum(starts + begin, len(words) - 1)
        mixed = _mixed(hashes ^ (words[here] & _ONES[left]))
        hashes = np.where(left > 0, mixed, hashes)
    return hashes


def _words(bytes_: npt.NDArray[np.uint8]) -> Words:
    """The word that begins at each byte, the same on machines of both byte orders."""
    padded = np.concatenate([bytes_, np.zeros(_WORD, np.uint8)])
    words: Words = np.ndarray(len(bytes_) + 1, np.uint64, padded, strides=(1,))
    return words if sys.byteorder == "little" else words.byteswap()


def _mixed(words: Words) -> Words:
    """Every bit of a number has a part in every bit of its hash: a step of SplitMix64."""
    words = words + _SEED
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
