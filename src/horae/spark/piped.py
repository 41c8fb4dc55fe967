"""Rows that go through several steps of Python, all of them in one worker.

From one `mapInArrow` to the next Spark copies every row out of Arrow and into it again, and sends it
from one process to another: that costs more than most of the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import types as t

from horae.data.roll import noting
from horae.engine.run import SoundDoor
from horae.spark.noted import Noted, noted_by_workers

Batches = Iterator[pa.RecordBatch]
Worker = Callable[[Batches], Batches]
Schema = t.StructType | str
Frames = Mapping[str, DataFrame]
"""By the names of tables."""


@dataclass(frozen=True)
class Piped:
    """A frame, the steps that its rows are still to go through, and the schema of what comes out.

    `door`: the only step is this door, which knows when it finds nothing wrong.
    """

    frame: DataFrame
    steps: tuple[Worker, ...]
    schema: Schema
    door: SoundDoor | None = None

    @property
    def rows(self) -> DataFrame:
        noted = noted_by_workers(self.frame.sparkSession)
        return self.frame.mapInArrow(_Steps(self.steps, noted), self.schema)


def through(rows: DataFrame | Piped, worker: Worker, schema: Schema) -> Piped:
    """One step more."""
    if isinstance(rows, Piped):
        return Piped(rows.frame, (*rows.steps, worker), schema)
    return Piped(rows, (worker,), schema)


@dataclass(frozen=True)
class _Steps:
    """Names that readers note on the way are told at the end."""

    steps: tuple[Worker, ...]
    noted: Noted | None = None

    def __call__(self, batches: Batches) -> Batches:
        notes: dict[str, str] = {}
        for step in self.steps:
            batches = step(batches)
        with noting(notes, is_whole=False):
            yield from batches
        if self.noted is not None:
            self.noted.add(notes)
