"""A tiny live program for tests of the operator: the sum of each key at each time point."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from horae.data.cuts import Cuts
from horae.engine.contract import StateSize, Wants

ROWS = pa.schema({"time": pa.int64(), "key": pa.int64(), "value": pa.int64()})
ANSWERS = pa.schema({"time": pa.int64(), "key": pa.int64(), "sum": pa.int64()})


@dataclass
class SumKernel:
    """At each time point of the whole stream: the sum of each key so far."""

    sums: dict[int, int] = field(default_factory=dict)
    waiting: list[list[int]] = field(default_factory=list)
    points: set[int] = field(default_factory=set)

    def see(self, points: Cuts) -> None:
        self.points |= set(points.tolist())

    def add(self, rows: pa.Table) -> None:
        self.waiting += [list(row.values()) for row in rows.to_pylist()]

    def decide(self, until: int) -> pa.Table:
        answers = []
        for point in sorted(p for p in self.points if p <= until):
            for _, key, value in (row for row in self.waiting if row[0] == point):
                self.sums[key] = self.sums.get(key, 0) + value
            answers += [{"time": point, "key": k, "sum": s} for k, s in self.sums.items()]
        self.points = {p for p in self.points if p > until}
        self.waiting = [row for row in self.waiting if row[0] > until]
        return pa.Table.from_pylist(answers, ANSWERS)

    def finish(self) -> pa.Table:
        return self.decide(2**60)

    def save(self) -> Iterator[tuple[str, bytes]]:
        yield "waiting", json.dumps([self.waiting, sorted(self.points)]).encode()
        for key, value in self.sums.items():
            yield f"sum/{key}", str(value).encode()

    def state_size(self) -> StateSize:
        return StateSize(len(self.sums), len(self.waiting), 0)


@dataclass(frozen=True)
class Sums:
    width: int = 3
    fingerprint: str = "sums"
    rows = ROWS
    answers = ANSWERS
    wants = Wants.ALL
    later = None

    def start(self, shard: int) -> SumKernel:
        return SumKernel()

    def restore(self, shard: int, chunks: Mapping[str, bytes]) -> SumKernel:
        waiting, points = json.loads(chunks["waiting"])
        sums = {int(n[4:]): int(v) for n, v in chunks.items() if n.startswith("sum/")}
        return SumKernel(sums, waiting, set(points))

    def route(self, rows: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        keys = rows.column("key").to_numpy() % self.width
        for shard in np.unique(keys).tolist():
            yield shard, rows.filter(pa.array(keys == shard))
