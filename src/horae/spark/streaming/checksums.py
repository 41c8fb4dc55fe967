"""Checksums that Hadoop writes beside the files of a checkpoint.

    .NAME.crc     "crc", a zero, how many bytes a checksum is of, and the CRC-32 of each such part

All numbers have four bytes, the highest first. Spark writes them, and reads most logs without a look.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

_HEAD = struct.Struct(">4sI")
_MAGIC = b"crc\0"


def agrees(file: Path) -> bool:
    """Whether the file is what it was. Without checksums it is believed."""
    try:
        stored = file.with_name(f".{file.name}.crc").read_bytes()
        data = file.read_bytes()
    except FileNotFoundError:
        return True
    if len(stored) < _HEAD.size:
        return False
    magic, size = _HEAD.unpack_from(stored)
    return magic == _MAGIC and size > 0 and stored[_HEAD.size :] == _sums(data, size)


def _sums(data: bytes, size: int) -> bytes:
    parts = (data[start : start + size] for start in range(0, len(data), size))
    return b"".join(zlib.crc32(part).to_bytes(4, "big") for part in parts)
