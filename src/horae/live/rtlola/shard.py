"""One shard: rows wait until they are decided, then the kernel reads them in order.

Clocks start at the first row of the whole stream, which is known once anything at or after it is
decided. They never run ahead of the last row that was seen: the stream might end there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.inputs import layout
from horae.inputs.columns import Array
from horae.kernels.chunks import part
from horae.kernels.contract import StateSize
from horae.kernels.intervals.cuts import Cuts
from horae.kernels.rtlola.answers import ANSWERS
from horae.kernels.rtlola.kernel import RTLolaKernel
from horae.languages.rtlola.program import Program
from horae.live.rtlola.columns import TIME, input_columns
from horae.live.rtlola.homes import homes
from horae.live.rtlola.waiting import Waiting
from horae.source.errors import InputError

if TYPE_CHECKING:
    from horae.live.rtlola.program import LiveRTLola


class LiveShard:
    """`keys` are the columns that spread rows over shards; a shard sees those of its own only."""

    def __init__(
        self, live: LiveRTLola, program: Program, shard: int, keys: tuple[str, ...]
    ) -> None:
        self._live, self._program, self._shard, self._keys = live, program, shard, keys
        self._kernel = RTLolaKernel(program, live.options, compiled=live.compiled)
        self._waiting = Waiting(live.rows)
        self._first: int | None = None
        self._last: int | None = None
        self._started = False

    # --- the contract

    def see(self, points: Cuts) -> None:
        if len(points):
            least, greatest = int(points.min()), int(points.max())
            self._first = least if self._first is None else min(least, self._first)
            self._last = greatest if self._last is None else max(greatest, self._last)

    def add(self, rows: pa.Table) -> None:
        self._waiting.add(rows)

    def decide(self, until: int) -> pa.Table:
        if self._first is None or self._last is None or until < self._first:
            return ANSWERS.empty_table()
        self._start(self._first)
        end = min(until, self._last)
        self._push(self._waiting.take(until))
        return self._answers(lambda: self._kernel.advance(end))

    def finish(self) -> pa.Table:
        if self._first is None or self._last is None:
            return ANSWERS.empty_table()
        self._start(self._first)
        end = self._last
        self._push(self._waiting.take_all())
        return self._answers(lambda: self._kernel.finish(end))

    def state_size(self) -> StateSize:
        size = self._kernel.state_size()
        held = len(self._kernel.rows)
        kept = sum(column.nbytes for column in self._kernel.rows.columns.values())
        return StateSize(
            size.instances,
            size.values + held + len(self._waiting),
            size.bytes + kept + self._waiting.used_bytes,
        )

    # --- rows to the kernel

    def _start(self, first: int) -> None:
        if not self._started:
            self._kernel.start_clocks(first)
            self._started = True

    def _push(self, rows: pa.Table) -> None:
        rows = self._own(rows) if self._keys else rows
        if not len(rows):
            return
        columns = input_columns(self._live.program.inputs)
        taken: dict[str, Array] = {layout.TIME: rows.column(TIME).combine_chunks()}
        for stream in self._program.inputs:
            taken[stream.name] = rows.column(columns[stream.name]).combine_chunks()
        taken[layout.ROW] = pa.array(np.zeros(len(rows), np.int64))
        self._kernel.push(pa.record_batch(taken))

    def _own(self, rows: pa.Table) -> pa.Table:
        """Without the keys of other shards, and without rows that have no others."""
        here = np.zeros(len(rows), bool)
        for key, home in zip(self._keys, homes(rows, self._keys, self._live.shards), strict=True):
            mine = home.fill_null(-1).to_numpy() == self._shard
            here |= mine
            at = rows.schema.get_field_index(key)
            column = rows.column(key).combine_chunks()
            own: Any = pc.if_else(pa.array(mine), column, pa.scalar(None, column.type))
            rows = rows.set_column(at, rows.schema.field(key), own)
        return rows.filter(pa.array(here))

    def _answers(self, run: Callable[[], pa.RecordBatch]) -> pa.Table:
        """Rows of a stream have no numbers: a fault names the time alone."""
        try:
            return pa.Table.from_batches([run()])
        except InputError as error:
            raise error.at(error.place) from error

    # --- snapshots

    def save(self) -> Iterator[tuple[str, bytes]]:
        known = [self._first, self._last, self._started, self._waiting.decided]
        yield "stream", json.dumps(known).encode()
        yield from ((f"waiting/{name}", data) for name, data in self._waiting.save())
        yield from ((f"kernel/{name}", data) for name, data in self._kernel.snapshot().items())

    def restore(self, chunks: Mapping[str, bytes]) -> None:
        self._first, self._last, self._started, decided = json.loads(chunks["stream"])
        self._waiting.restore(part("waiting/", chunks), decided)
        self._kernel = RTLolaKernel.restore(
            self._program,
            self._live.options,
            part("kernel/", chunks),
            compiled=self._live.compiled,
        )
