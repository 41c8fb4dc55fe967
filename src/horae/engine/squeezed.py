"""Chunks as a store has them: long ones are compressed, since most of their bytes are zero."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

_CODEC: Final = "lz4"
_SHORT = 256  # bytes that are not worth it
_PLAIN = b"\0"
_SIZE = 8  # bytes of the length before, which a compressed chunk begins with


def squeeze(data: bytes) -> bytes:
    if len(data) < _SHORT:
        return _PLAIN + data
    packed = pa.compress(data, codec=_CODEC, asbytes=True)
    return b"\1" + len(data).to_bytes(_SIZE) + packed


def unsqueeze(data: bytes) -> bytes:
    if data[:1] == _PLAIN:
        return data[1:]
    size = int.from_bytes(data[1 : 1 + _SIZE])
    return pa.decompress(data[1 + _SIZE :], decompressed_size=size, codec=_CODEC, asbytes=True)
