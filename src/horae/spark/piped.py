"""Rows that go through several steps of Python, all of them in one worker.

From one `mapInArrow` to the next Spark copies every row out of Arrow and into it again, and sends it
from one process to another: that costs more than most of the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import types as t

Batches = Iterator[pa.RecordBatch]
Worker = Callable[[Batches], Batches]
Schema = t.StructType | str


@dataclass(frozen=True)
class Piped:
    """A frame, the steps that its rows are still to go through, and the schema of what comes out."""

    frame: DataFrame
    steps: tuple[Worker, ...]
    schema: Schema

    @property
    def rows(self) -> DataFrame:
        return self.frame.mapInArrow(_Steps(self.steps), self.schema)


def through(rows: DataFrame | Piped, worker: Worker, schema: Schema) -> Piped:
    """One step more."""
    if isinstance(rows, Piped):
        return Piped(rows.frame, (*rows.steps, worker), schema)
    return Piped(rows, (worker,), schema)


@dataclass(frozen=True)
class _Steps:
    steps: tuple[Worker, ...]

    def __call__(self, batches: Batches) -> Batches:
        for step in self.steps:
            batches = step(batches)
        return batches
