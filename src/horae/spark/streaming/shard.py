"""One shard between two micro-batches: its kernel, what is late, and what it has seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.cuts import Cuts
from horae.engine.contract import Kernel
from horae.spark import catalogue
from horae.spark.parcels import (
    COUNTS,
    LEAST,
    ParcelKind,
    Parcels,
    pack,
    unpack,
    unpack_count,
    unpack_greatest,
    unpack_points,
)
from horae.spark.streaming.outputs import Results
from horae.spark.streaming.watermark import Watermark, later

if TYPE_CHECKING:
    from horae.engine.contract import LaterKernel


_OWN = frozenset({ParcelKind.ROWS, ParcelKind.DERIVED, ParcelKind.COUNT})
_TOLD = frozenset({ParcelKind.POINTS, ParcelKind.SOURCES, ParcelKind.FINISH})


@dataclass(frozen=True, slots=True)
class SeenTimes:
    """The least time that was not late and the greatest ones of earlier micro-batches, and counts.

    `rows` came to this shard; a late row counts in one of those it came to. `events` and `bad` came to
    all shards, and only the first one counts.
    """

    greatest: tuple[int | None, ...]  # of each source
    first: int | None = None
    rows: int = 0
    late: int = 0
    finished: bool = False
    events: int = 0
    answers: int = 0
    bad: int = 0

    @property
    def last(self) -> int | None:
        return max((time for time in self.greatest if time is not None), default=None)


@dataclass(frozen=True, slots=True)
class Arrival:
    """The parcels of one micro-batch for one shard. `passed` are not for it."""

    rows: tuple[pa.Table, ...]
    derived: tuple[pa.Table, ...]
    points: tuple[Cuts, ...]  # from each partition of the input
    greatest: Mapping[int, int]
    bad: int
    is_last: bool
    events: int
    told: Parcels
    passed: Parcels

    @property
    def all_points(self) -> Cuts:
        return np.unique(np.concatenate([np.empty(0, np.int64), *self.points]))


def arrival(parcels: Parcels) -> Arrival:
    def of(kind: ParcelKind) -> list[bytes]:
        return [payload for found, payload in parcels if found == kind]

    greatest: dict[int, int] = {}
    for payload in of(ParcelKind.SOURCES):
        for source, time in unpack_greatest(payload).items():
            greatest[source] = max(time, greatest.get(source, time))
    return Arrival(
        tuple(map(unpack, of(ParcelKind.ROWS))),
        tuple(map(unpack, of(ParcelKind.DERIVED))),
        tuple(map(unpack_points, of(ParcelKind.POINTS))),
        greatest,
        sum(len(unpack(payload)) for payload in of(ParcelKind.BAD)),
        bool(of(ParcelKind.FINISH)),
        sum(map(unpack_count, of(ParcelKind.COUNT))),
        [(kind, payload) for kind, payload in parcels if kind in _TOLD],
        [(kind, payload) for kind, payload in parcels if kind not in _OWN | _TOLD],
    )


def step(
    kernel: Kernel, seen: SeenTimes, arrived: Arrival, watermark: Watermark
) -> tuple[SeenTimes, Results]:
    """One micro-batch. A row is late iff it is before the limit that earlier ones have set."""
    limit = watermark.limit(seen.greatest)
    late = _add(kernel, arrived.rows, limit)
    for table in arrived.derived:
        cast("LaterKernel", kernel).add_derived(table)
    first = _see(kernel, seen, arrived, limit)
    came = [arrived.greatest.get(source) for source in range(watermark.sources)]
    greatest = tuple(later(seen.greatest, came))
    decided = watermark.limit(greatest)
    answers = [a for a in _answers(kernel, decided, arrived.is_last) if a.num_rows]
    after = SeenTimes(
        greatest,
        first,
        rows=seen.rows + sum(map(len, arrived.rows)) - sum(map(len, late)),
        late=seen.late + sum(map(len, late)),
        finished=seen.finished or arrived.is_last,
        events=seen.events + arrived.events,
        answers=seen.answers + sum(map(len, answers)),
        bad=seen.bad + arrived.bad,
    )
    given = [(ParcelKind.LATE, pack(pa.concat_tables(late)))] if late else []
    return after, Results(answers, [*arrived.passed, *given])


def _add(kernel: Kernel, tables: Sequence[pa.Table], limit: int | None) -> list[pa.Table]:
    """Gives the late rows, each in one of the shards that want it."""
    late = []
    for table in tables:
        on_time, too_late = _split(table, limit)
        kernel.add(on_time.drop_columns([COUNTS]))
        counted = too_late.filter(too_late.column(COUNTS)).drop_columns([COUNTS])
        late += [counted] if len(counted) else []
    return late


def _see(kernel: Kernel, seen: SeenTimes, arrived: Arrival, limit: int | None) -> int | None:
    """Gives the least time of all that were not late."""
    points = arrived.all_points
    if limit is not None:
        _check_first(seen, arrived, limit)
        points = points[points >= limit]
    if len(points):
        kernel.see(points)
    return _least(seen.first, points)


def _check_first(seen: SeenTimes, arrived: Arrival, limit: int) -> None:
    """So many late rows at once may hide a row that is on time and earlier than all before.

    That matters only as long as the beginning of the stream is not decided.
    """
    if seen.first is not None and seen.first < limit:
        return
    if any(int((points < limit).sum()) >= LEAST for points in arrived.points):
        raise catalogue.TOO_MANY_LATE(most=LEAST)


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


def _answers(kernel: Kernel, limit: int | None, is_last: bool) -> Iterator[pa.Table]:
    """A row at exactly the limit is still on time: what is before it is decided."""
    if limit is not None:
        yield kernel.decide(limit - 1)
    if is_last:
        yield kernel.finish()
