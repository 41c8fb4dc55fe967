"""Records of files that are read once, though a run looks at them several times.

Reading text costs more than all that is done with it before the kernels. So what was read is kept in the
executors, as tables in bytes, which Spark does not look into, until the run is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pyarrow as pa
from pyspark import StorageLevel

from horae.engine.run import Run
from horae.spark.parcels import pack, unpack
from horae.spark.piped import Batches, Piped, through

_PAYLOAD = "payload binary"


@contextmanager
def kept_for(run: Run, records: Sequence[Piped]) -> Iterator[list[Piped]]:
    """What a run reads once is not kept, nor what a first look asks Spark about."""
    if not run.surveys or all(piped.door is not None for piped in records):
        yield list(records)
        return
    with kept(records) as found:
        yield found


@contextmanager
def kept(records: Sequence[Piped]) -> Iterator[list[Piped]]:
    """The same records for as often as they are wanted inside of the block."""
    frames = [
        through(piped, _packed, _PAYLOAD).rows.persist(StorageLevel.MEMORY_AND_DISK)
        for piped in records
    ]
    try:
        yield [
            Piped(frame, (_unpacked,), piped.schema)
            for frame, piped in zip(frames, records, strict=True)
        ]
    finally:
        for frame in frames:
            frame.unpersist()


# --- in the workers


def _packed(batches: Batches) -> Batches:
    for batch in batches:
        if batch.num_rows:
            payload = pa.array([pack(pa.Table.from_batches([batch]))], pa.binary())
            yield pa.record_batch([payload], names=["payload"])


def _unpacked(batches: Batches) -> Batches:
    for batch in batches:
        for payload in batch.column("payload").to_pylist():
            assert payload is not None, "parcels are never empty"
            yield from unpack(payload).to_batches()
