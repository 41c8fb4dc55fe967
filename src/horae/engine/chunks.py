"""Arrays and texts as bytes, in chunks small enough that a change in one place rewrites little."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Array = npt.NDArray[Any]

ENTRIES = 4096


def save_array(name: str, array: Array) -> Iterator[tuple[str, bytes]]:
    """`name/0`, `name/4096`, …; at least one chunk."""
    for start in range(0, max(len(array), 1), ENTRIES):
        buffer = io.BytesIO()
        np.save(buffer, array[start : start + ENTRIES], allow_pickle=False)
        yield f"{name}/{start}", buffer.getvalue()


def load_array(name: str, chunks: Mapping[str, bytes]) -> Array:
    parts = [np.load(io.BytesIO(data), allow_pickle=False) for data in _in_order(name, chunks)]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def save_texts(name: str, texts: list[str]) -> Iterator[tuple[str, bytes]]:
    for start in range(0, max(len(texts), 1), ENTRIES):
        yield f"{name}/{start}", save_block(texts, start)


def save_block(texts: list[str], start: int) -> bytes:
    """One chunk of the texts."""
    array = pa.array(texts[start : start + ENTRIES], pa.string())
    sink = pa.BufferOutputStream()
    batch = pa.record_batch([array], names=["text"])
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return sink.getvalue().to_pybytes()


def load_texts(name: str, chunks: Mapping[str, bytes]) -> list[str]:
    return [
        str(text)
        for data in _in_order(name, chunks)
        for text in pa.ipc.open_stream(data).read_all().column(0).to_pylist()
    ]


def _in_order(name: str, chunks: Mapping[str, bytes]) -> Iterator[bytes]:
    start = 0
    while (data := chunks.get(f"{name}/{start}")) is not None:
        yield data
        start += ENTRIES


def part(prefix: str, chunks: Mapping[str, bytes]) -> dict[str, bytes]:
    """The chunks below a prefix, without it."""
    return {k.removeprefix(prefix): data for k, data in chunks.items() if k.startswith(prefix)}
