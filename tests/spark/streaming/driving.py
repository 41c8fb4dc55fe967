"""Arrow tables through Structured Streaming: a file for each micro-batch, with restarts in between.

Each name has a folder of its own, and so has the control of the stream. A micro-batch takes one file
from each folder, so all folders have as many files: those of an empty micro-batch have no rows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from tests.live.driving import arrivals

from horae.spark.failures import unmarked
from horae.spark.parcels import ParcelKind, unpack
from horae.spark.streaming.shard_metrics import ShardMetrics
from horae.spark.streaming.state_store import STORE
from horae.spark.streaming.stream import Live, StreamSources

Batch = Mapping[str, pa.Table]
_FIELDS: dict[str, pa.DataType] = {"kind": pa.string(), "payload": pa.binary()}
CONTROL = pa.schema(_FIELDS)
_NAME = "control"


@dataclass(frozen=True)
class Course:
    """How the rows of a stream come: their numbers in micro-batches, and where the query starts anew.

    `homes` has the source of each row. `ends_alone`: the end comes in a micro-batch of its own, after
    the last rows.
    """

    batches: tuple[tuple[int, ...], ...]
    homes: tuple[int, ...]
    restarts: frozenset[int]
    partitions: int
    ends_alone: bool

    def tables(self, rows: pa.Table) -> list[Batch]:
        """For each micro-batch the rows of each source."""
        numbers = [*self.batches, ()] if self.ends_alone else self.batches
        return [{f"{n}": self._own(rows, n, batch) for n in self.sources} for batch in numbers]

    def _own(self, rows: pa.Table, source: int, batch: Sequence[int]) -> pa.Table:
        return rows.take(pa.array([n for n in batch if self.homes[n] == source], pa.int64()))

    @property
    def sources(self) -> range:
        return range(max(self.homes, default=0) + 1)


def random_course(rng: Random, times: Sequence[int], lateness: int, sources: int = 2) -> Course:
    """No row is late. Of six courses one has no restart, and two may have two."""
    batches = tuple(map(tuple, _few_cuts(rng, arrivals(rng, times, lateness))))
    restarts = frozenset(
        rng.randint(1, len(batches)) for _ in range(rng.choice((0, 1, 1, 1, 2, 2)))
    )
    last = rng.randint(0, sources - 1)
    homes = tuple(rng.randint(0, last) for _ in times)
    return Course(batches, homes, restarts, rng.randint(1, 3), rng.random() < 0.5)


def _few_cuts(rng: Random, rows: Sequence[int]) -> list[Sequence[int]]:
    """Micro-batches cost seconds. Sometimes one row in each, sometimes there are empty ones."""
    alone = rng.randint(3, 6) if rng.random() < 0.25 else 0
    single = [[row] for row in rows[:alone]]
    others = rows[alone:]
    ends = sorted(rng.randint(0, len(others)) for _ in range(0 if alone else rng.randint(0, 4)))
    parts = [others[a:b] for a, b in zip([0, *ends], [*ends, len(others)], strict=True)]
    return [*single, *parts, *([[]] if rng.random() < 0.2 else [])]


@dataclass
class Told:
    """What a stream said."""

    answers: list[pa.Table] = field(default_factory=list)
    late: list[pa.Table] = field(default_factory=list)
    metrics: list[list[ShardMetrics]] = field(default_factory=list)  # of each micro-batch

    @property
    def events(self) -> int:
        """Rows of the input, as the shards of the first stage have counted them."""
        return sum(m.events for batch in self.metrics for m in batch if m.stage == 0)

    def take(self, frame: DataFrame, _: int) -> None:
        found = [(str(kind), bytes(payload)) for kind, payload in frame.collect()]
        self.answers += [unpack(payload) for kind, payload in found if kind == ParcelKind.ANSWERS]
        self.late += [unpack(payload) for kind, payload in found if kind == ParcelKind.LATE]
        metrics = [
            ShardMetrics.from_json(data) for kind, data in found if kind == ParcelKind.METRICS
        ]
        self.metrics.append(sorted(metrics, key=lambda each: each.shard))


@dataclass(frozen=True)
class Folders:
    spark: SparkSession
    path: Path

    def stream(self, name: str, schema: pa.Schema) -> DataFrame:
        """One file for each micro-batch."""
        reader = self.spark.readStream.schema(from_arrow_schema(schema))
        return reader.option("maxFilesPerTrigger", 1).parquet(str(self._folder(name)))

    def sources(self, course: Course, schema: pa.Schema) -> StreamSources[DataFrame]:
        return StreamSources([self.stream(f"{number}", schema) for number in course.sources])

    def only_source(self, schema: pa.Schema) -> StreamSources[DataFrame]:
        return StreamSources([self.stream("0", schema)])

    @property
    def control(self) -> DataFrame:
        return self.stream(_NAME, CONTROL)

    def run(
        self, live: Callable[[], Live], batches: Sequence[Batch], restarts: frozenset[int]
    ) -> Told:
        """The stream ends with the last micro-batch; before those in `restarts` it starts anew."""
        told = Told()
        starts = sorted({0, *(r for r in restarts if r < len(batches)), len(batches)})
        for first, end in pairwise(starts):
            if first:
                end_workers(self.spark)
            for number in range(first, end):
                self._drop(number, batches[number], is_last=number == len(batches) - 1)
            self._run(live(), told)
        return told

    def _drop(self, number: int, batch: Batch, *, is_last: bool) -> None:
        finish = [{"kind": ParcelKind.FINISH.value}] if is_last else []
        for name, table in {**batch, _NAME: pa.Table.from_pylist(finish, CONTROL)}.items():
            file = self._folder(name) / f"{number:04}.parquet"
            pq.write_table(table, file)
            os.utime(file, (1000 + number,) * 2)  # Spark reads older files first

    def _run(self, live: Live, told: Told) -> None:
        writer = live.results.writeStream.foreachBatch(told.take)
        checkpoint = str(self.path / "checkpoint")
        query = writer.option("checkpointLocation", checkpoint).trigger(availableNow=True).start()
        with unmarked():
            query.awaitTermination()

    def _folder(self, name: str) -> Path:
        found = self.path / "files" / name
        found.mkdir(parents=True, exist_ok=True)
        return found


def end_workers(spark: SparkSession) -> None:
    """So that no kernel stays in a worker: the next micro-batch restores all from the state store.

    Spark's JVM has a daemon for each kind of Python worker, and that has the workers. Spark would give
    work to one that is not quite gone.
    """
    jvm: Any = spark._jvm
    for daemon in jvm.java.lang.ProcessHandle.current().children().toList():
        for worker in daemon.children().toList():
            worker.destroyForcibly()
            worker.onExit().get()


@contextmanager
def set_up(spark: SparkSession, partitions: int) -> Iterator[None]:
    """A session for streams whose shuffles have so many partitions."""
    wanted = {**STORE, "spark.sql.shuffle.partitions": str(partitions)}
    before = {name: spark.conf.get(name, None) for name in wanted}
    for name, value in wanted.items():
        spark.conf.set(name, value)
    yield
    for name, old in before.items():
        spark.conf.unset(name) if old is None else spark.conf.set(name, old)
