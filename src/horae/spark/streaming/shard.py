"""One shard between two micro-batches: its kernel, what is late, and what it has seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.kernels.intervals.cuts import Cuts
from horae.live.contract import LiveKernel
from horae.spark.streaming.parcels import Kind, pack, unpack, unpack_points


@dataclass(frozen=True, slots=True)
class Seen:
    """The greatest time of earlier micro-batches (None before the first), and counts so far."""

    last: int | None = None
    rows: int = 0
    late: int = 0
    finished: bool = False


@dataclass(frozen=True, slots=True)
class Arrival:
    """The parcels of one micro-batch for one shard."""

    rows: tuple[pa.Table, ...]
    points: Cuts
    is_last: bool


def arrival(parcels: Sequence[tuple[str, bytes]]) -> Arrival:
    points = [unpack_points(payload) for kind, payload in parcels if kind == Kind.POINTS]
    return Arrival(
        tuple(unpack(payload) for kind, payload in parcels if kind == Kind.ROWS),
        np.unique(np.concatenate([np.empty(0, np.int64), *points])),
        any(kind == Kind.FINISH for kind, _ in parcels),
    )


def step(
    kernel: LiveKernel, seen: Seen, arrived: Arrival, lateness: int
) -> tuple[Seen, list[tuple[Kind, bytes]]]:
    """One micro-batch. A row is late iff it is before the greatest time of earlier ones − lateness."""
    limit = None if seen.last is None else seen.last - lateness
    parcels: list[tuple[Kind, bytes]] = []
    rows = late = 0
    for table in arrived.rows:
        on_time, too_late = _split(table, limit)
        rows, late = rows + on_time.num_rows, late + too_late.num_rows
        if too_late.num_rows:
            parcels.append((Kind.LATE, pack(too_late)))
        kernel.add(on_time)
    points = arrived.points if limit is None else arrived.points[arrived.points >= limit]
    if len(points):
        kernel.see(points)
    last = _greatest(seen.last, arrived.points)
    for answers in _answers(kernel, last, lateness, arrived.is_last):
        if answers.num_rows:
            parcels.append((Kind.ANSWERS, pack(answers)))
    finished = seen.finished or arrived.is_last
    return Seen(last, seen.rows + rows, seen.late + late, finished), parcels


def _split(rows: pa.Table, limit: int | None) -> tuple[pa.Table, pa.Table]:
    if limit is None:
        return rows, rows.slice(0, 0)
    is_late = pc.less(rows.column("time"), pa.scalar(limit, pa.int64()))
    return rows.filter(pc.invert(is_late)), rows.filter(is_late)


def _greatest(last: int | None, points: Cuts) -> int | None:
    if len(points) == 0:
        return last
    greatest = int(points.max())
    return greatest if last is None else max(last, greatest)


def _answers(
    kernel: LiveKernel, last: int | None, lateness: int, is_last: bool
) -> Iterator[pa.Table]:
    """A row at exactly the watermark is still on time: what is before it is decided."""
    if last is not None:
        yield kernel.decide(last - lateness - 1)
    if is_last:
        yield kernel.finish()
