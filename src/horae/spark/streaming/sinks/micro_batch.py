"""The results of a micro-batch, and the sinks that take them.

Sinks on file systems and topics are written by the workers; nothing of the answers passes the driver.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from pyspark import StorageLevel
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from horae.spark.parcels import ParcelKind
from horae.spark.sinks.answer_parcels import PAYLOAD
from horae.spark.streaming.shard_metrics import ShardMetrics

_TOGETHER = 100_000
"""Lines of a file of a micro-batch, about."""


class MicroBatch(Protocol):
    """`number` is the same when it runs again after a crash, and so are its results."""

    @property
    def number(self) -> int: ...

    @property
    def metrics(self) -> Sequence[ShardMetrics]: ...

    def parcels(self, *kinds: ParcelKind) -> DataFrame:
        """Those of these kinds, for the workers."""

    def payloads(self, kind: ParcelKind) -> Iterator[bytes]:
        """The parcels of a kind, in the driver."""


class Sink(Protocol):
    """Where some of the results of a stream go.

    `is_in_driver`: it takes them there, so that small micro-batches may come as a whole.
    """

    @property
    def is_in_driver(self) -> bool: ...

    def write(self, batch: MicroBatch) -> None: ...


def parts_of(count: int) -> int:
    """How many files lines are divided into."""
    return max(1, -(-count // _TOGETHER))


# --- where the results are


@dataclass(frozen=True)
class Kept:
    """Results that wait at the workers; they are computed once, however many look at them."""

    number: int
    frame: DataFrame

    @cached_property
    def metrics(self) -> Sequence[ShardMetrics]:
        """To ask for them derives everything."""
        rows = self.parcels(ParcelKind.METRICS).collect()
        return [ShardMetrics.from_json(row.payload) for row in rows]

    def parcels(self, *kinds: ParcelKind) -> DataFrame:
        return self.frame.where(f.col("kind").isin(*map(str, kinds)))

    def payloads(self, kind: ParcelKind) -> Iterator[bytes]:
        for (payload,) in self.parcels(kind).select(PAYLOAD).toLocalIterator():
            yield bytes(payload)


@dataclass(frozen=True)
class Collected:
    """All results of a small micro-batch, in the driver."""

    number: int
    rows: list[tuple[str, bytes]]

    @cached_property
    def metrics(self) -> Sequence[ShardMetrics]:
        return [ShardMetrics.from_json(found) for found in self.payloads(ParcelKind.METRICS)]

    def parcels(self, *kinds: ParcelKind) -> DataFrame:
        raise AssertionError(f"{kinds} are in the driver: no worker was to write them")

    def payloads(self, kind: ParcelKind) -> Iterator[bytes]:
        return (payload for found, payload in self.rows if found == kind)


@contextmanager
def kept(frame: DataFrame, number: int) -> Iterator[MicroBatch]:
    held = frame.persist(StorageLevel.MEMORY_AND_DISK)
    try:
        yield Kept(number, held)
    finally:
        held.unpersist()


def collected(frame: DataFrame, number: int) -> MicroBatch:
    return Collected(number, [(row.kind, bytes(row.payload)) for row in frame.collect()])
