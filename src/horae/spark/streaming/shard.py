"""One shard between two micro-batches: its kernel, what is late, and what it has seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.kernels.intervals.cuts import Cuts
from horae.live.contract import LiveKernel
from horae.source.errors import InputError
from horae.spark.streaming.parcels import LEAST, Kind, pack, unpack, unpack_count, unpack_points


@dataclass(frozen=True, slots=True)
class Seen:
    """The least time that was not late and the greatest time of earlier micro-batches, and counts.

    `rows` and `late` came to this shard. `events` came to all shards, and only the first one counts.
    """

    first: int | None = None
    last: int | None = None
    rows: int = 0
    late: int = 0
    finished: bool = False
    events: int = 0
    answers: int = 0


@dataclass(frozen=True, slots=True)
class Arrival:
    """The parcels of one micro-batch for one shard."""

    rows: tuple[pa.Table, ...]
    points: tuple[Cuts, ...]  # from each partition of the input
    is_last: bool
    events: int = 0

    @property
    def all_points(self) -> Cuts:
        return np.unique(np.concatenate([np.empty(0, np.int64), *self.points]))


def arrival(parcels: Sequence[tuple[str, bytes]]) -> Arrival:
    return Arrival(
        tuple(unpack(payload) for kind, payload in parcels if kind == Kind.ROWS),
        tuple(unpack_points(payload) for kind, payload in parcels if kind == Kind.POINTS),
        any(kind == Kind.FINISH for kind, _ in parcels),
        sum(unpack_count(payload) for kind, payload in parcels if kind == Kind.COUNT),
    )


def step(
    kernel: LiveKernel, seen: Seen, arrived: Arrival, lateness: int
) -> tuple[Seen, list[tuple[Kind, bytes]]]:
    """One micro-batch. A row is late iff it is before the greatest time of earlier ones − lateness."""
    limit = None if seen.last is None else seen.last - lateness
    parcels: list[tuple[Kind, bytes]] = []
    rows, late = 0, []
    for table in arrived.rows:
        on_time, too_late = _split(table, limit)
        rows += on_time.num_rows
        late += [too_late] if too_late.num_rows else []
        kernel.add(on_time)
    if late:
        parcels.append((Kind.LATE, pack(pa.concat_tables(late))))
    points = arrived.all_points
    on_time_points = points if limit is None else points[points >= limit]
    if limit is not None:
        _check_first(seen, arrived, limit)
    if len(on_time_points):
        kernel.see(on_time_points)
    first = _least(seen.first, on_time_points)
    last = _greatest(seen.last, points)
    answered = seen.answers
    for answers in _answers(kernel, last, lateness, arrived.is_last):
        if answers.num_rows:
            parcels.append((Kind.ANSWERS, pack(answers)))
            answered += answers.num_rows
    finished = seen.finished or arrived.is_last
    came = (seen.rows + rows, seen.late + sum(map(len, late)))
    counts = (*came, finished, seen.events + arrived.events, answered)
    return Seen(first, last, *counts), parcels


def _check_first(seen: Seen, arrived: Arrival, limit: int) -> None:
    """So many late rows at once may hide a row that is on time and earlier than all before.

    That matters only as long as the beginning of the stream is not decided.
    """
    if seen.first is not None and seen.first < limit:
        return
    if any(int((points < limit).sum()) >= LEAST for points in arrived.points):
        raise InputError(
            "RUN026",
            f"more than {LEAST:,} late time points at once, while the stream has hardly begun",
            help="allow more lateness",
        )


def _least(first: int | None, points: Cuts) -> int | None:
    if len(points) == 0:
        return first
    least = int(points.min())
    return least if first is None else min(first, least)


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
