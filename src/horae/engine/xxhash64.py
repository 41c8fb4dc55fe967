"""Spark's `xxhash64` on columns: shards are numbered alike on both sides.

Spark hashes the bytes of a value, little end first, with the seed 42: eight bytes of an int or a double,
four of a bool, the UTF-8 of a text. Values of equal length are hashed together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array

Words = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]

SEED = 42
_P1, _P2, _P3, _P4, _P5 = (
    np.uint64(prime)
    for prime in (
        0x9E3779B185EBCA87,
        0xC2B2AE3D27D4EB4F,
        0x165667B19E3779F9,
        0x85EBCA77C2B2AE63,
        0x27D4EB2F165667C5,
    )
)


def hash_column(column: Array) -> npt.NDArray[np.int64]:
    """The hash of each value; that of a null means nothing. Both zeros of a double are one value."""
    if pa.types.is_string(column.type):
        return _hash_texts(column)
    if pa.types.is_boolean(column.type):
        numbers = column.fill_null(False).to_numpy(zero_copy_only=False).astype("<i4")
    elif pa.types.is_floating(column.type):
        numbers = column.fill_null(0.0).to_numpy(zero_copy_only=False).astype("<f8") + 0.0
    else:
        numbers = column.fill_null(0).to_numpy(zero_copy_only=False).astype("<i8")
    width = numbers.dtype.itemsize
    return hash_bytes(np.ascontiguousarray(numbers).view(np.uint8).reshape(-1, width))


def _hash_texts(column: Array) -> npt.NDArray[np.int64]:
    """Each distinct text once."""
    encoded: Any = column.fill_null("").dictionary_encode()
    data = encoded.dictionary.cast(pa.binary())
    sizes = pc.binary_length(data).to_numpy(zero_copy_only=False)
    hashes = np.zeros(len(data), np.int64)
    for size in np.unique(sizes):
        at = np.flatnonzero(sizes == size)
        joined = b"".join(data.take(pa.array(at)).to_pylist())
        hashes[at] = hash_bytes(np.frombuffer(joined, np.uint8).reshape(len(at), int(size)))
    places: npt.NDArray[np.int32] = encoded.indices.to_numpy()
    return hashes[places]


def hash_bytes(values: Bytes, seed: int | Words = SEED) -> npt.NDArray[np.int64]:
    """xxHash64 of each row; all rows have the same number of bytes."""
    count, size = values.shape
    seeds = np.broadcast_to(np.asarray(seed).astype(np.uint64), (count,))
    long = size - size % 32
    hashes = _stripes(_words(values[:, :long]), seeds) if long else seeds + _P5
    hashes = hashes + np.uint64(size)
    at = long
    for width, mix in ((8, _mix_word), (4, _mix_half), (1, _mix_byte)):
        while size - at >= width:
            hashes = mix(hashes, _words(values[:, at : at + width], width)[:, 0])
            at += width
    return _avalanche(hashes).view(np.int64)


def _words(values: Bytes, width: int = 8) -> Words:
    """Rows of bytes as rows of numbers."""
    numbers = np.ascontiguousarray(values).view(f"<u{width}")
    return numbers.astype(np.uint64)


def _rotated(words: Words, by: int) -> Words:
    return (words << np.uint64(by)) | (words >> np.uint64(64 - by))


def _round(state: Words, word: Words) -> Words:
    return _rotated(state + word * _P2, 31) * _P1


def _stripes(words: Words, seeds: Words) -> Words:
    """The first bytes, 32 at a time, in four lanes."""
    lanes = [seeds + _P1 + _P2, seeds + _P2, seeds + np.uint64(0), seeds - _P1]
    for start in range(0, words.shape[1], 4):
        lanes = [_round(lane, words[:, start + i]) for i, lane in enumerate(lanes)]
    merged = _rotated(lanes[0], 1)
    for lane, by in zip(lanes[1:], (7, 12, 18), strict=True):
        merged = merged + _rotated(lane, by)
    for lane in lanes:
        merged = (merged ^ _round(np.zeros_like(lane), lane)) * _P1 + _P4
    return merged


def _mix_word(hashes: Words, words: Words) -> Words:
    return _rotated(hashes ^ _round(np.zeros_like(words), words), 27) * _P1 + _P4


def _mix_half(hashes: Words, words: Words) -> Words:
    return _rotated(hashes ^ words * _P1, 23) * _P2 + _P3


def _mix_byte(hashes: Words, words: Words) -> Words:
    return _rotated(hashes ^ words * _P5, 11) * _P1


def _avalanche(hashes: Words) -> Words:
    hashes = (hashes ^ (hashes >> np.uint64(33))) * _P2
    hashes = (hashes ^ (hashes >> np.uint64(29))) * _P3
    return hashes ^ (hashes >> np.uint64(32))
