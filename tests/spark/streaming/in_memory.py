"""The stateful operator without Spark's shuffle and state store, for many random streams.

The parts are those of a real stream: rows become parcels, a processor has each shard, and later stages
get what earlier ones derive. A micro-batch may be run twice, as after a failure before its state was
committed: the first run must leave no trace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any, cast

import pandas as pd
import pyarrow as pa

from horae.engine.contract import Later, Routed, stages_of
from horae.spark.parcels import ParcelKind, unpack
from horae.spark.streaming import processor
from horae.spark.streaming.forward import Forward
from horae.spark.streaming.processor import ShardProcessor
from horae.spark.streaming.route import ShardRoute
from horae.spark.streaming.watermark import Watermark

Parcel = tuple[int, str, bytes]


@dataclass
class ValueState:
    value: tuple[Any, ...] | None = None

    def get(self) -> tuple[Any, ...] | None:
        return self.value

    def update(self, value: tuple[Any, ...]) -> None:
        self.value = value


@dataclass
class MapState:
    entries: dict[Any, Any] = field(default_factory=dict)

    def iterator(self) -> Iterator[tuple[Any, Any]]:
        return iter([*self.entries.items()])

    def updateValue(self, key: Any, value: Any) -> None:  # noqa: N802
        self.entries[key] = value

    def removeKey(self, key: Any) -> None:  # noqa: N802
        del self.entries[key]


@dataclass
class Handle:
    """The state of one key."""

    meta: ValueState = field(default_factory=ValueState)
    chunks: MapState = field(default_factory=MapState)

    def getValueState(self, name: str, schema: str) -> ValueState:  # noqa: N802
        return self.meta

    def getMapState(self, name: str, key: str, value: str) -> MapState:  # noqa: N802
        return self.chunks


class Stage:
    def __init__(self, program: Routed, watermark: Watermark, number: int) -> None:
        self.program, self.number = program, number
        self.keys = tuple(range(program.width))
        self._watermark = watermark
        self._stores = [Handle() for _ in self.keys]

    def run(self, parcels: Sequence[Parcel], rng: Random, again: float) -> list[tuple[str, bytes]]:
        """Only shards with parcels are called; some a second time, from the same state."""
        results = []
        for key in self.keys:
            own = [(kind, payload) for shard, kind, payload in parcels if shard == key]
            if own:
                rng.shuffle(own)
                if rng.random() < again:
                    before = deepcopy(self._stores[key])
                    self._step(key, own)
                    self._stores[key] = before
                results += self._step(key, own)
        return results

    def _step(self, key: int, parcels: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
        shard = ShardProcessor(self.program, self.keys, self._watermark, self.number)
        shard.init(self._stores[key])  # type: ignore[arg-type]
        rows = pd.DataFrame(parcels, columns=["kind", "payload"])
        found = pd.concat([*shard.handleInputRows((key,), iter([rows]), None)])
        return [*zip(found["kind"], found["payload"], strict=True)]


class Operator:
    """`again`: how often a step is run twice; `restart`: how often the workers start anew."""

    def __init__(self, program: Routed, watermark: Watermark, rng: Random) -> None:
        self._rng, self._program = rng, program
        self._again, self._restart = rng.choice((0.0, 0.3)), rng.choice((0.0, 0.4))
        self._stages = [Stage(p, watermark, n) for n, p in enumerate(stages_of(program))]
        self.answers: list[pa.Table] = []
        self.late: list[pa.Table] = []

    def run(self, partitions: Sequence[tuple[int, pa.Table]], *, is_last: bool) -> None:
        """One micro-batch; each partition is one of a source, by its number."""
        if self._rng.random() < self._restart:
            processor._RUNNING.clear()
        first = self._stages[0]
        parcels = [
            parcel
            for source, rows in partitions
            for parcel in _sent(ShardRoute(self._program, first.keys, source), rows)
        ]
        if is_last:
            parcels += [(key, ParcelKind.FINISH, b"") for key in first.keys]
        results = first.run(parcels, self._rng, self._again)
        for stage in self._stages[1:]:
            results = stage.run(_forwarded(stage, results), self._rng, self._again)
        self.answers += [unpack(payload) for kind, payload in results if kind == ParcelKind.ANSWERS]
        self.late += [unpack(payload) for kind, payload in results if kind == ParcelKind.LATE]


def _sent(route: ShardRoute, rows: pa.Table) -> list[Parcel]:
    return _parcels(route(iter(rows.to_batches())))


def _forwarded(stage: Stage, results: list[tuple[str, bytes]]) -> list[Parcel]:
    columns = {
        "kind": pa.array([kind for kind, _ in results], pa.string()),
        "payload": pa.array([payload for _, payload in results], pa.binary()),
    }
    forward = Forward(cast("Later", stage.program), stage.number, stage.keys)
    return _parcels(forward(iter([pa.record_batch(columns)])))


def _parcels(batches: Iterator[pa.RecordBatch]) -> list[Parcel]:
    rows = [row for batch in batches for row in batch.to_pylist()]
    return [(row["shard"], row["kind"], row["payload"]) for row in rows]
