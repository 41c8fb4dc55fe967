"""From one stage to the next: what it derived to the shards that read it, what all must know to all.

Everything else only travels through: answers that are final, and rows for stages further on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from horae.engine.contract import Later
from horae.spark.failures import marked
from horae.spark.parcels import ParcelKind, pack, read_ahead, unpack
from horae.spark.piped import Batches
from horae.spark.streaming.route import batch_of

_TOLD = frozenset({ParcelKind.POINTS, ParcelKind.SOURCES, ParcelKind.FINISH})
_DERIVED = frozenset({ParcelKind.DERIVED, ParcelKind.PASSED})
Parcel = tuple[int, str, bytes]


@dataclass(frozen=True)
class Forward:
    """To the stage with this number, whose shards have these keys."""

    program: Later
    number: int
    keys: tuple[int, ...]

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                parcels = [p for kind, payload in _read(batch) for p in self._sent(kind, payload)]
                if parcels:
                    yield batch_of(parcels)

    def _sent(self, kind: str, payload: bytes) -> Iterator[Parcel]:
        place = read_ahead(kind)
        if kind in _TOLD:
            yield from ((key, kind, payload) for key in self.keys)
        elif kind in _DERIVED:
            yield from self._derived(unpack(payload))
            if self.program.later is not None:
                yield self._any(payload), ParcelKind.PASSED, payload
        elif place is not None and place[0] == self.number:
            yield self.keys[place[1]], ParcelKind.ROWS, payload
        else:
            yield self._any(payload), kind, payload

    def _derived(self, rows: pa.Table) -> Iterator[Parcel]:
        for shard, part in self.program.route_derived(rows):
            if part.num_rows:
                yield self.keys[shard], ParcelKind.DERIVED, pack(part)

    def _any(self, payload: bytes) -> int:
        return self.keys[len(payload) % len(self.keys)]


def _read(batch: pa.RecordBatch) -> Iterator[tuple[str, bytes]]:
    kinds, payloads = (batch.column(name).to_pylist() for name in ("kind", "payload"))
    for kind, payload in zip(kinds, payloads, strict=True):
        yield str(kind), bytes(payload or b"")
