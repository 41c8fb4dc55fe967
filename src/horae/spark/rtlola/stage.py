"""Kernels inside Spark: what a worker does with the rows of one partition."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from horae.data.layout import ROW
from horae.languages.rtlola.answers import shown
from horae.languages.rtlola.kernel.answers import ANSWERS, plain_answers
from horae.languages.rtlola.kernel.compile import worth_compiling
from horae.languages.rtlola.kernel.kernel import RTLolaKernel
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.live.merging import merge_records
from horae.languages.rtlola.program import Program
from horae.spark.columns import plain_names
from horae.spark.failures import marked
from horae.spark.piped import Batches
from horae.spark.rtlola.places import Places


@dataclass(frozen=True)
class InputSpan:
    """The number of rows, and their first and last time, in ticks of rows."""

    rows: int
    first: int
    last: int


@dataclass(frozen=True)
class Stage:
    """A kernel program, and what is known of the whole input."""

    program: Program
    options: Options
    span: InputSpan

    def kernel(self) -> RTLolaKernel:
        compiled = worth_compiling(self.span.rows)
        return RTLolaKernel(self.program, self.options, compiled=compiled, start=self.span.first)

    def warm_up(self) -> None:
        """Compile here, so that workers on this machine find the machine code."""
        if worth_compiling(self.span.rows):
            self.kernel().finish(self.span.first - 1)


@dataclass(frozen=True)
class AnswerRows(Stage):
    """Time-ordered rows → answers; those that are `shown` have the columns that users read."""

    is_shown: bool = False

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            kernel = self.kernel()
            for batch in batches:
                if batch.num_rows:
                    kernel.push(_with_rows(plain_names(batch), 0))
                    yield from self._answers(kernel.advance_to_rows())
            yield from self._answers(kernel.finish(self.span.last))

    def _answers(self, batch: pa.RecordBatch) -> Batches:
        yield from self._shaped(pa.Table.from_batches([batch])).combine_chunks().to_batches()

    def _shaped(self, answers: pa.Table) -> pa.Table:
        if self.is_shown:
            return shown(answers, self.program, self.options.resolution)
        return plain_answers(answers)

    @property
    def schema(self) -> pa.Schema:
        return self._shaped(ANSWERS.empty_table()).schema


@dataclass(frozen=True)
class JoinRecords(AnswerRows):
    """Records of all shards, sorted by `position` → answers."""

    position: tuple[str, ...] = field(default=())

    def __call__(self, batches: Batches) -> Batches:
        return super().__call__(merge_records(batches, self.position, len(self.options.joined)))


@dataclass(frozen=True)
class ExportRows(Stage):
    """Time-ordered rows of a shard → the changes of its operators over instances.

    A record carries the place of its row among all rows of equal time: the columns `order`, and a number
    that tells rows apart that are equal in all of them.
    """

    order: tuple[str, ...] = field(default=())

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            kernel = self.kernel()
            places = Places(self.order)
            for batch in batches:
                if batch.num_rows:
                    kernel.push(_with_rows(plain_names(batch), places.add(batch)))
                    kernel.advance_to_rows()
                    yield from places.attach(kernel.records(), waiting=len(kernel.rows))
            kernel.finish(self.span.last)
            yield from places.attach(kernel.records(), waiting=0)


def _with_rows(batch: pa.RecordBatch, first: int) -> pa.RecordBatch:
    numbers = np.arange(first, first + batch.num_rows, dtype=np.int64)
    return batch.append_column(ROW, pa.array(numbers))
