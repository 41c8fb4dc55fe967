"""One shard: rows wait until they are decided, then the kernel reads them in order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data import layout
from horae.data.columns import Array
from horae.engine.chunks import part
from horae.engine.contract import StateSize
from horae.languages.rtlola.kernel.kernel import RTLolaKernel
from horae.languages.rtlola.kernel.ticking import check_ticks
from horae.languages.rtlola.live.clocked import Clocked
from horae.languages.rtlola.live.columns import NUMBER, TIME, input_columns
from horae.languages.rtlola.live.parts import Part, homes
from horae.languages.rtlola.live.records import placed, renumbered
from horae.languages.rtlola.live.waiting import Waiting

if TYPE_CHECKING:
    from horae.languages.rtlola.live.program import LiveRTLola

_BLOCK = 1 << 17
"""Rows that a kernel reads at once."""


class LiveShard(Clocked):
    """`keys` are the columns that spread rows over shards; a shard sees those of its own only."""

    def __init__(self, live: LiveRTLola, part: Part, shard: int, keys: tuple[str, ...]) -> None:
        kernel = RTLolaKernel(part.program, part.options)
        super().__init__(kernel, live.answers, numbered=live.numbered)
        self._live, self._part, self._shard, self._keys = live, part, shard, keys
        self._waiting = Waiting(live.rows, live.numbered)
        self._records: list[pa.Table] = []

    # --- the contract

    def add(self, rows: pa.Table) -> None:
        self._waiting.add(rows)

    def derived(self) -> pa.Table:
        """The records for the join since the last call."""
        records, self._records = self._records, []
        return pa.concat_tables(records) if records else pa.table({})

    def state_size(self) -> StateSize:
        size, held = super().state_size(), self._waiting
        more = held.used_bytes
        return replace(
            size,
            values=size.values + len(held),
            bytes=size.bytes + more,
            waiting=size.waiting + more,
        )

    # --- in the order of time

    def _decide(self, until: int, last: int) -> pa.Table:
        self._check_clocks(min(until, last))
        rows = self._read(self._waiting.take(until))
        self._push(rows, 0, len(rows))
        answers = self._answers(lambda: self._kernel.advance(until, last))
        self._export(rows)
        return answers

    def _finish(self, end: int) -> pa.Table:
        self._check_clocks(end)
        rows = self._read(self._waiting.take_all())
        answers = list(self._in_blocks(rows))
        self._push(rows, _BLOCK * len(answers), len(rows))
        answers.append(self._answers(lambda: self._kernel.finish(end)))
        self._export(rows)
        return pa.concat_tables(answers)

    def _in_blocks(self, rows: pa.Table) -> Iterator[pa.Table]:
        """The answers to all but the last rows: columns of a few rows stay in the processor's memory."""
        for start in range(0, len(rows) - _BLOCK, _BLOCK):
            self._push(rows, start, start + _BLOCK)
            yield self._answers(self._kernel.advance_to_rows)

    def _check_clocks(self, until: int) -> None:
        """From what is decided on: a stream may tick for ever, but not in one step."""
        decided = self._waiting.decided
        begin = self._first if decided is None else max(decided, self._first or 0)
        if begin is not None and not self._live.yes:
            check_ticks(self._part.program, self._part.options, begin, until)

    def _export(self, rows: pa.Table) -> None:
        """Nothing looks ahead where shards export, so the kernel has read all rows."""
        join = self._live.plan.join
        if self._part.exports and join is not None:
            records = placed(self._kernel.records(), rows)
            if len(records):
                exported = self._part.options.joined
                self._records.append(renumbered(records, exported, join.imported))

    # --- rows to the kernel

    def _push(self, rows: pa.Table, start: int, stop: int) -> None:
        """A part of rows that this shard reads; without numbers they are named by their places."""
        own = self._own(rows.slice(start, stop - start))
        if len(own):
            columns = input_columns(self._live.program.inputs)
            taken: dict[str, Array] = {layout.TIME: own.column(TIME).combine_chunks()}
            for stream in self._part.program.inputs:
                taken[stream.name] = own.column(columns[stream.name]).combine_chunks()
            places = pa.array(np.arange(start, stop))
            taken[layout.ROW] = own.column(NUMBER).combine_chunks() if self._numbered else places
            self._kernel.push(pa.record_batch(taken))

    def _read(self, rows: pa.Table) -> pa.Table:
        """The rows that this shard reads, as they came: others were sent to be known as late."""
        if not self._keys:
            return rows
        if len(self._keys) == 1:
            key = rows.column(self._keys[0])
            return rows.filter(pc.is_valid(key)) if key.null_count else rows
        here = np.zeros(len(rows), bool)
        for home in homes(rows, self._keys, self._part.shards):
            here |= home.fill_null(-1).to_numpy() == self._shard
        return rows.filter(pa.array(here))

    def _own(self, rows: pa.Table) -> pa.Table:
        """Without the keys of other shards."""
        if len(self._keys) <= 1:
            return rows
        shards = self._part.shards
        for key, home in zip(self._keys, homes(rows, self._keys, shards), strict=True):
            mine = home.fill_null(-1).to_numpy() == self._shard
            at = rows.schema.get_field_index(key)
            column = rows.column(key).combine_chunks()
            own: Any = pc.if_else(pa.array(mine), column, pa.scalar(None, column.type))
            rows = rows.set_column(at, rows.schema.field(key), own)
        return rows

    # --- snapshots

    def _own_chunks(self) -> Iterator[tuple[str, bytes]]:
        yield from super()._own_chunks()
        yield "decided", json.dumps(self._waiting.decided).encode()
        yield from ((f"waiting/{name}", data) for name, data in self._waiting.save())

    def restore(self, chunks: Mapping[str, bytes]) -> None:
        self._restore(chunks, self._part.program, self._part.options)
        self._waiting.restore(part("waiting/", chunks), json.loads(chunks["decided"]))
