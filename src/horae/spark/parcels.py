"""Parcels: tables as bytes, with the shard they are for and what they are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum

import numpy as np
import pyarrow as pa

from horae.data.columns import with_own_texts
from horae.data.cuts import Cuts

LEAST = 1000
"""So many of the least time points of each partition every shard gets to know."""

PIECE = 1 << 24
"""Bytes of the answers in a parcel, before they are compressed; rows of unequal size may have more."""

Parcels = list[tuple[str, bytes]]
"""Of one shard, by their kinds."""

_COMPRESSED = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)
"""A fraction of the bytes, for less time than it takes the JVM to move the others."""

PARCELS = "shard int, kind string, payload binary"

BAD = "__bad"
"""A column beside those of a program: what could not be read, as JSON; the others are null then."""
COUNTS = "__counts"
"""A column of rows on their way to a shard: true in one of the copies of a row."""


class ParcelKind(StrEnum):
    ROWS = "rows"  # input of the shard
    POINTS = "points"  # time points of the whole stream, as the program wants them
    SOURCES = "sources"  # the greatest time of each source in a partition of the input
    COUNT = "count"  # how many rows a partition of the input has; one shard is told
    BAD = "bad"  # rows that could not be read; one shard passes them on
    FINISH = "finish"  # no row comes any more
    DERIVED = "derived"  # of earlier stages, for this one
    PASSED = "passed"  # of earlier stages, for those after this one
    AHEAD = "ahead"  # input of a shard of a later stage; which one, stands behind a slash
    ANSWERS = "answers"
    LATE = "late"  # rows beyond the lateness
    METRICS = "metrics"  # numbers of the shard and its micro-batch


def ahead(stage: int, shard: int) -> str:
    """The kind of a parcel for a shard of a later stage."""
    return f"{ParcelKind.AHEAD}/{stage}/{shard}"


def read_ahead(kind: str) -> tuple[int, int] | None:
    """The stage and the shard, if it is such a parcel."""
    name, *places = kind.split("/")
    return (int(places[0]), int(places[1])) if name == ParcelKind.AHEAD else None


def pack(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=_COMPRESSED) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def pack_pieces(table: pa.Table) -> list[bytes]:
    """A large table as several parcels: the JVM copies each one more than once."""
    rows = max(1, len(table) * PIECE // max(1, table.nbytes))
    pieces = range(0, len(table), rows)
    return [pack(with_own_texts(table.slice(start, rows))) for start in pieces]


def unpack(payload: bytes) -> pa.Table:
    return pa.ipc.open_stream(payload).read_all()


def pack_count(count: int) -> bytes:
    return str(count).encode()


def unpack_count(payload: bytes) -> int:
    return int(payload)


def pack_greatest(greatest: Mapping[int, int]) -> bytes:
    return json.dumps(sorted(greatest.items())).encode()


def unpack_greatest(payload: bytes) -> dict[int, int]:
    return {int(source): int(time) for source, time in json.loads(payload)}


def pack_points(points: Cuts) -> bytes:
    return np.ascontiguousarray(points, np.int64).tobytes()


def unpack_points(payload: bytes) -> Cuts:
    return np.frombuffer(payload, np.int64)
