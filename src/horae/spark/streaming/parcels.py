"""Parcels: tables as bytes, with the shard they are for and what they are."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import pyarrow as pa

from horae.kernels.intervals.cuts import Cuts

LEAST = 1000
"""So many of the least time points of each partition every shard gets to know."""

PARCELS = "shard int, kind string, payload binary"


class Kind(StrEnum):
    ROWS = "rows"  # input of the shard
    POINTS = "points"  # time points of the whole stream, as the program wants them
    COUNT = "count"  # how many rows a partition of the input has; one shard is told
    FINISH = "finish"  # no row comes any more
    ANSWERS = "answers"
    LATE = "late"  # rows beyond the lateness
    METRICS = "metrics"  # numbers of the shard and its micro-batch


def pack(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def unpack(payload: bytes) -> pa.Table:
    return pa.ipc.open_stream(payload).read_all()


def pack_count(count: int) -> bytes:
    return str(count).encode()


def unpack_count(payload: bytes) -> int:
    return int(payload)


def pack_points(points: Cuts) -> bytes:
    return np.ascontiguousarray(points, np.int64).tobytes()


def unpack_points(payload: bytes) -> Cuts:
    return np.frombuffer(payload, np.int64)
