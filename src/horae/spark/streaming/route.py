"""Rows of a micro-batch into parcels: those of each shard, and what all shards must know of the whole.

Each partition of the input tells every shard the time points that it has seen, and the greatest one of
each source. So every shard is called in every micro-batch with data, also without rows of its own, and
all of them know the same watermark. How many rows there are is told to the first shard alone, since a
row may go to several; and so are rows that could not be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.cuts import Cuts
from horae.engine.contract import Routed, Wants, stages_of
from horae.spark.failures import marked
from horae.spark.parcels import (
    BAD,
    COUNTS,
    LEAST,
    ParcelKind,
    ahead,
    pack,
    pack_count,
    pack_greatest,
    pack_points,
)
from horae.spark.piped import Batches

TOGETHER = 10_000
"""Rows that are routed at once, if there are so many: a parcel has a price of its own."""

_TYPES: dict[str, pa.DataType] = {
    "shard": pa.int32(),
    "kind": pa.string(),
    "payload": pa.binary(),
}
_SCHEMA = pa.schema(_TYPES)


@dataclass(frozen=True)
class ShardRoute:
    """Of one source, by its number; None: nobody waits for it.

    `keys` are the numbers by which Spark groups the shards, so that each partition has as many.
    Rows of later stages travel through the first one.
    """

    program: Routed
    keys: tuple[int, ...]
    source: int | None = 0

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            seen = _Seen(self.program.wants)
            for table in _gathered(batches):
                rows = self._readable(table)
                if rows.num_rows:
                    seen.add(rows)
                    yield from self._rows(rows)
                yield from self._bad(table)
            if seen.count:
                yield from self._tell_all(seen)

    def _readable(self, table: pa.Table) -> pa.Table:
        """Without the columns beside those of the program."""
        if BAD in table.column_names:
            table = table.filter(pc.is_null(table.column(BAD)))
        return table.select(self.program.rows.names)

    def _rows(self, rows: pa.Table) -> Batches:
        counted = _Counted(rows)
        parcels = []
        for stage, program in enumerate(stages_of(self.program)):
            for shard, part in program.route(counted.rows):
                kind = ParcelKind.ROWS if stage == 0 else ahead(stage, shard)
                key = self.keys[shard % len(self.keys)]
                parcels.append((key, kind, pack(counted.once(part))))
        if parcels:
            yield batch_of(parcels)

    def _bad(self, table: pa.Table) -> Batches:
        if BAD not in table.column_names:
            return
        found = table.select([BAD]).filter(pc.is_valid(table.column(BAD)))
        if found.num_rows:
            yield batch_of([(self.keys[0], ParcelKind.BAD, pack(found))])

    def _tell_all(self, seen: _Seen) -> Batches:
        points = pack_points(_wanted(np.concatenate(seen.points), seen.wants))
        greatest = pack_greatest({} if self.source is None else {self.source: seen.greatest})
        yield batch_of([(key, ParcelKind.POINTS, points) for key in self.keys])
        yield batch_of([(key, ParcelKind.SOURCES, greatest) for key in self.keys])
        yield batch_of([(self.keys[0], ParcelKind.COUNT, pack_count(seen.count))])


@dataclass
class _Seen:
    """Of one partition of the input."""

    wants: Wants
    points: list[Cuts] = field(default_factory=list)
    count: int = 0

    def add(self, rows: pa.Table) -> None:
        times = np.asarray(rows.column("time").to_numpy(), np.int64)
        self.points.append(_wanted(times, self.wants))
        self.count += rows.num_rows

    @property
    def greatest(self) -> int:
        """It is always among those that are wanted."""
        return max(int(points[-1]) for points in self.points)


class _Counted:
    """Rows that know their number, so that one of the copies of each can be told from the others."""

    def __init__(self, rows: pa.Table) -> None:
        numbers = pa.array(np.arange(rows.num_rows))
        self.rows = rows.append_column(COUNTS, numbers)
        self._met = np.zeros(rows.num_rows, bool)

    def once(self, part: pa.Table) -> pa.Table:
        numbers = part.column(COUNTS).to_numpy()
        fresh = ~self._met[numbers]
        self._met[numbers] = True
        return part.set_column(
            part.schema.get_field_index(COUNTS), COUNTS, pa.array(fresh, pa.bool_())
        )


def _gathered(batches: Batches) -> Iterator[pa.Table]:
    """The steps before may give few rows at a time."""
    waiting: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        waiting.append(batch)
        count += batch.num_rows
        if count >= TOGETHER:
            yield pa.Table.from_batches(waiting)
            waiting, count = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting)


def _wanted(times: Cuts, wants: Wants) -> Cuts:
    """The greatest is always the last of them. The least may be late, so some more are sent along."""
    if wants is Wants.NOTHING:
        return np.array([times.max()], np.int64)
    points = _distinct(times)
    if wants is Wants.ALL or len(points) <= LEAST:
        return points
    return np.append(points[:LEAST], points[-1])


def _distinct(times: Cuts) -> Cuts:
    """In order. Most often they are so already, and sorting them is faster than `np.unique`."""
    ordered = np.sort(times)
    is_first = np.append(True, ordered[1:] != ordered[:-1])
    found: Cuts = ordered[is_first]
    return found


def batch_of(parcels: Sequence[tuple[int, str, bytes]]) -> pa.RecordBatch:
    shards, kinds, payloads = zip(*parcels, strict=True)
    columns = [list(shards), [str(kind) for kind in kinds], list(payloads)]
    return pa.RecordBatch.from_arrays(
        [pa.array(c, f.type) for c, f in zip(columns, _SCHEMA, strict=True)], schema=_SCHEMA
    )
