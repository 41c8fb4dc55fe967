"""Rows of a micro-batch into parcels: those of each shard, and what all shards must know of the whole.

Each partition of the input tells every shard the least and the greatest time that it has seen. So every
shard is called in every micro-batch with data, also without rows of its own, and all of them know the
same watermark. How many rows there are is told to the first shard alone: a row may go to several.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.kernels.intervals.cuts import Cuts
from horae.live.contract import Wants
from horae.live.routing import Routed
from horae.spark.failures import marked
from horae.spark.streaming.parcels import LEAST, Kind, pack, pack_count, pack_points

Batches = Iterator[pa.RecordBatch]
_TYPES: dict[str, pa.DataType] = {
    "shard": pa.int32(),
    "kind": pa.string(),
    "payload": pa.binary(),
}
_SCHEMA = pa.schema(_TYPES)


@dataclass(frozen=True)
class Route:
    """`keys` are the numbers by which Spark groups the shards, so that each partition has as many."""

    program: Routed
    keys: tuple[int, ...]

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            seen: list[Cuts] = []
            count = 0
            for batch in batches:
                if batch.num_rows:
                    rows = pa.Table.from_batches([batch])
                    seen.append(_points(rows, self.program.wants))
                    count += rows.num_rows
                    yield from self._rows(rows)
            if seen:
                yield from self._tell_all(np.unique(np.concatenate(seen)))
                yield _batch([(self.keys[0], Kind.COUNT, pack_count(count))])

    def _rows(self, rows: pa.Table) -> Batches:
        routed = self.program.route(rows, len(self.keys))
        parcels = [(self.keys[shard], Kind.ROWS, pack(part)) for shard, part in routed]
        if parcels:
            yield _batch(parcels)

    def _tell_all(self, points: Cuts) -> Batches:
        payload = pack_points(points)
        yield _batch([(key, Kind.POINTS, payload) for key in self.keys])


def _points(rows: pa.Table, wants: Wants) -> Cuts:
    """The greatest is always among them. The least may be late, so some more are sent along."""
    times = rows.column("time")
    if wants is Wants.NOTHING:
        return np.array([pc.max(times).as_py()], np.int64)
    points = np.unique(np.asarray(pc.unique(times).to_numpy(), np.int64))
    if wants is Wants.ALL or len(points) <= LEAST:
        return points
    return np.append(points[:LEAST], points[-1])


def _batch(parcels: list[tuple[int, Kind, bytes]]) -> pa.RecordBatch:
    shards, kinds, payloads = zip(*parcels, strict=True)
    columns = [list(shards), [kind.value for kind in kinds], list(payloads)]
    return pa.RecordBatch.from_arrays(
        [pa.array(c, f.type) for c, f in zip(columns, _SCHEMA, strict=True)], schema=_SCHEMA
    )
