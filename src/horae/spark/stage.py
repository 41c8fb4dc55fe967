"""Kernels inside Spark: what a worker does with the rows of one partition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.inputs.layout import ROW, TIME
from horae.kernels.rtlola.compile import worth_compiling
from horae.kernels.rtlola.kernel import RTLolaKernel
from horae.kernels.rtlola.options import Options
from horae.languages.rtlola.program import Program
from horae.spark.failures import marked

Batches = Iterator[pa.RecordBatch]


@dataclass(frozen=True)
class Facts:
    """The number of rows, the first and last time in ticks, and whether rows fit the plan."""

    rows: int
    first: int
    last: int
    fits: bool


@dataclass(frozen=True)
class Stage:
    """A kernel program, and what is known of the whole input."""

    program: Program
    options: Options
    facts: Facts

    def kernel(self) -> RTLolaKernel:
        compiled = worth_compiling(self.facts.rows)
        return RTLolaKernel(
            self.program, self.options, compiled=compiled, start=self.facts.first
        )

    def warm_up(self) -> None:
        """Compile here, so that workers on this machine find the machine code."""
        if worth_compiling(self.facts.rows):
            self.kernel().finish(self.facts.first - 1)


@dataclass(frozen=True)
class AnswerRows(Stage):
    """Time-ordered rows → answers."""

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            kernel = self.kernel()
            for batch in batches:
                if batch.num_rows:
                    kernel.push(_numbered(batch, 0))
                    last = int(batch.column(TIME)[-1].as_py())
                    yield self._answers(kernel.advance(last - 1))
            yield self._answers(kernel.finish(self.facts.last))

    def _answers(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Ticks become seconds."""
        seconds = pc.divide(batch.column("time").cast(pa.float64()), float(self.options.resolution))
        return batch.set_column(0, "time", seconds)


@dataclass(frozen=True)
class ExportRows(Stage):
    """Time-ordered rows of a shard → the changes of its operators over instances.

    A record carries the columns that order its row among all rows of equal time, and `__same`, which counts
    rows that even those do not tell apart.
    """

    order: tuple[str, ...] = field(default=())

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            kernel = self.kernel()
            keys = _Keys(self.order)
            for batch in batches:
                if batch.num_rows:
                    kernel.push(_numbered(batch, keys.add(batch)))
                    last = int(batch.column(TIME)[-1].as_py())
                    kernel.advance(last - 1)
                    yield keys.attach(kernel.records())
            kernel.finish(self.facts.last)
            yield keys.attach(kernel.records())


def _numbered(batch: pa.RecordBatch, first: int) -> pa.RecordBatch:
    numbers = np.arange(first, first + batch.num_rows, dtype=np.int64)
    return batch.append_column(ROW, pa.array(numbers))


class _Keys:
    """The order columns of the rows that records may still point to."""

    def __init__(self, order: tuple[str, ...]) -> None:
        self._order = order
        self._first = 0
        self._held: pa.Table | None = None
        self._last_row: list[object] | None = None
        self._same = 0

    def add(self, batch: pa.RecordBatch) -> int:
        """Remember a batch; rows are numbered on from what this returns."""
        fresh = pa.table({name: batch.column(name) for name in self._order})
        fresh = fresh.append_column("__same", pa.array(self._count_same(batch)))
        first = self._first + (0 if self._held is None else len(self._held))
        self._held = fresh if self._held is None else pa.concat_tables([self._held, fresh])
        return first

    def _count_same(self, batch: pa.RecordBatch) -> np.ndarray:
        """How many rows before this one, in a run, have the same time and order."""
        same = np.ones(batch.num_rows, bool)
        names = (TIME, *self._order)
        for name in names:
            same[1:] &= _equal_to_previous(batch.column(name))
        first_row = [batch.column(name)[0].as_py() for name in names]
        same[0] = first_row == self._last_row
        self._last_row = [batch.column(name)[-1].as_py() for name in names]
        places = np.arange(batch.num_rows)
        starts = np.maximum.accumulate(np.where(same, -1, places))
        counted = np.where(starts >= 0, places - starts, places + 1 + self._same)
        self._same = int(counted[-1])
        return counted

    def attach(self, records: pa.RecordBatch) -> pa.RecordBatch:
        """Records with the order columns of their rows; what no record can point to is forgotten."""
        rows = records.column(ROW)
        held = self._held
        places = pc.if_else(pc.less(rows, 0), None, pc.subtract(rows, self._first))
        for name in (*self._order, "__same"):
            if held is None:
                column = pa.nulls(records.num_rows, pa.null())
            else:
                column = held.column(name).combine_chunks().take(places)
            records = records.append_column(name, column)
        self._forget()
        return records.drop_columns([ROW])

    def _forget(self) -> None:
        """Rows of the last time can still be waiting; a generous tail is kept."""
        if self._held is not None and len(self._held) > _TAIL:
            drop = len(self._held) - _TAIL
            self._held = self._held.slice(drop)
            self._first += drop


# More than one batch of Spark's: rows of a batch that wait for the next one are always among these.
_TAIL = 1 << 18


def _equal_to_previous(column: pa.Array) -> np.ndarray:
    here, before = column.slice(1), column.slice(0, len(column) - 1)
    both_null = pc.and_(pc.is_null(here), pc.is_null(before))
    equal = pc.if_else(both_null, True, pc.fill_null(pc.equal(here, before), False))
    return equal.to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]
