"""The RTLola kernel: feeds rows to its loops, grows their state, gathers answers.

Without look-ahead there is one loop. With it there is a cascade: each further loop runs behind the
one before (see `ahead.py`) and answers what looks as far as it does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa

from horae.data.columns import Ints
from horae.engine.chunks import load_array, load_texts, part, save_array, save_texts
from horae.engine.contract import StateSize
from horae.engine.journal import Change
from horae.engine.stored import Stored
from horae.languages.rtlola.kernel.answers import answer_schema, build_answers
from horae.languages.rtlola.kernel.compile import are_too_long
from horae.languages.rtlola.kernel.faults import check_span, raise_fault
from horae.languages.rtlola.kernel.generate import generate
from horae.languages.rtlola.kernel.horizon import horizons, last_layer, layered
from horae.languages.rtlola.kernel.options import Options, QuantifiedMode
from horae.languages.rtlola.kernel.records import records_batch
from horae.languages.rtlola.kernel.rows import KernelRows
from horae.languages.rtlola.kernel.runner import Runner
from horae.languages.rtlola.kernel.source import FAULT, GROW, LoopSource
from horae.languages.rtlola.kernel.strings import Strings, mark_codes
from horae.languages.rtlola.kernel.times import since
from horae.languages.rtlola.program import Program

# So many texts are kept without asking who needs them.
_FEW_TEXTS = 4096


class RTLolaKernel:
    """`compiled=False` runs the same loop as plain Python; without a word, long work is compiled.

    Clocks start at the first row, or at `start` where the first row of all shards is known.
    """

    def __init__(
        self,
        program: Program,
        options: Options,
        *,
        compiled: bool | None = None,
        start: int | None = None,
    ) -> None:
        self.program = program = layered(program)
        self.options = options
        self.strings = Strings()
        self._schema = answer_schema(program, options)
        last = last_layer(program)
        sources = [self._source(layer, last) for layer in range(last + 1)]
        compiled = False if are_too_long(sources) else compiled
        self.runners = [Runner(source, compiled=compiled) for source in sources]
        self._constants = len(self.strings)
        self._enough_texts = max(_FEW_TEXTS, 2 * self._constants)
        self._horizons = horizons(program, options.resolution)
        self.rows = KernelRows(program.inputs, self.strings, imports=self._imports())
        self._first: int | None = None  # the time of the first row, in ticks of rows
        self._last_row = 0  # the time of the last one, in ticks of the kernel
        self._stored = Stored()
        if start is not None:
            self.start_clocks(start)

    def _source(self, layer: int, last: int) -> LoopSource:
        options = replace(self.options, layer=layer, is_last=layer == last)
        return generate(self.program, options, self.strings)

    def _imports(self) -> int:
        return len(self.options.joined) if self.options.quantified is QuantifiedMode.IMPORT else 0

    # --- the contract

    def start_clocks(self, first: int) -> None:
        """Before the first row, where the first time of all shards becomes known late."""
        self._first = first
        for runner in self.runners:
            runner.start_clocks(self._start)

    def push(self, batch: pa.RecordBatch) -> None:
        """Rows of `__time` (ticks of rows), the inputs, and `__row` for messages.

        Records of other kernels have the times of those: they must have started at the same time.
        """
        if not batch.num_rows:
            return
        if self._first is None:
            self.start_clocks(0 if self._imports() else batch.column("__time")[0].as_py())
        times = self._times(batch)
        self._last_row = int(times[-1])
        self.rows.append(batch, times)

    def _times(self, batch: pa.RecordBatch) -> Ints:
        times = batch.column("__time").to_numpy()
        if self._imports():
            return times
        first, scale = self._first or 0, self.options.scale
        check_span(self.program, self.options, first, int(times[-1]), int(batch["__row"][-1]))
        return since(first, times, scale)

    @property
    def _start(self) -> int:
        """Time 0 of the kernel, in its ticks since time 0 of the input."""
        return (self._first or 0) * self.options.scale

    def _ticks(self, time: int) -> int:
        return time * self.options.scale - self._start

    def advance(self, until: int, last: int | None = None) -> pa.RecordBatch:
        """All rows up to `until` were pushed. Clocks do not run past `last`, if it is given."""
        before = self._ticks(until + 1) - 1
        return self._advance(before if last is None else min(before, self._ticks(last)))

    def advance_to_rows(self) -> pa.RecordBatch:
        """Everything before the last row that was pushed; more rows may come at its time."""
        return self._advance(self._last_row - 1)

    def _advance(self, until: int) -> pa.RecordBatch:
        return self._run([None if h.lag is None else until - h.lag for h in self._horizons])

    def finish(self, end: int) -> pa.RecordBatch:
        return self._run([self._ticks(end)] * len(self.runners), is_end=True)

    def records(self) -> pa.RecordBatch:
        """The exported changes of operators over instances since the last call."""
        return records_batch(self.runners[-1].take_records(), len(self.options.joined))

    # --- running

    def _run(self, limits: list[int | None], *, is_end: bool = False) -> pa.RecordBatch:
        self.rows.gather()
        front: Runner | None = None
        for runner, limit, horizon in zip(self.runners, limits, self._horizons, strict=True):
            if limit is None or (front and not is_end and not runner.finds(front, horizon.awaited)):
                break
            self._run_loop(runner, limit, front)
            front = runner
        self._forget_rows()
        answers = self._answers()
        self._forget_texts()
        return answers

    def _answers(self) -> pa.RecordBatch:
        """The answers of all loops."""
        parts = [
            build_answers(
                runner.take_answers(),
                runner.source.emitted,
                self.strings,
                self._start,
                self._schema,
            )
            for runner in self.runners
        ]
        given = [part for part in parts if part.num_rows] or parts[:1]
        return (
            pa.Table.from_batches(given).combine_chunks().to_batches()[0] if given[1:] else given[0]
        )

    def _run_loop(self, runner: Runner, until: int, front: Runner | None) -> None:
        status = GROW
        while status == GROW:
            status = runner.call(self.rows, until, front, self.strings)
        if status == FAULT:
            raise_fault(self.program, self.options.resolution, runner, self.rows, self._start)

    def _forget_rows(self) -> None:
        used = min(runner.next_row for runner in self.runners)
        self.rows.drop(used)
        for runner in self.runners:
            runner.next_row -= used

    def _forget_texts(self) -> None:
        """Once there are twice as many texts as were in use, those that no state refers to."""
        if len(self.strings) <= self._enough_texts:
            return
        in_use = np.zeros(len(self.strings), bool)
        in_use[: self._constants] = True
        for runner in self.runners:
            runner.mark_codes(in_use)
        for column in self.rows.columns.values():
            mark_codes(column, in_use)
        self.strings.forget(in_use)
        self._enough_texts = max(_FEW_TEXTS, 2 * int(in_use.sum()))

    # --- state

    def state_size(self) -> StateSize:
        instances = sum(r.instances() for r in self.runners)
        values = sum(r.stored_values() for r in self.runners)
        return StateSize(instances, values, sum(r.state.used_bytes() for r in self.runners))

    def snapshot(self) -> dict[str, bytes]:
        """Everything needed to go on. Pushed rows that are not consumed are part of it."""
        return dict(self._chunks())

    def changed_chunks(self, previous: Mapping[str, bytes]) -> dict[str, bytes]:
        """What a snapshot holds that an earlier one does not: together they are the new one."""
        return {name: data for name, data in self._chunks() if previous.get(name) != data}

    def changes(self) -> Iterator[Change]:
        """What changed since the last call, or since the kernel was restored."""
        yield from self._stored.changes(self._small_chunks())
        yield from ((f"strings/{name}", data) for name, data in self.strings.changes())
        for i, runner in enumerate(self.runners):
            yield from ((f"{i}/{name}", data) for name, data in runner.pool_changes())

    def _chunks(self) -> Iterator[tuple[str, bytes]]:
        yield from self._own_chunks()
        yield from save_texts("strings", self.strings.texts)
        for i, runner in enumerate(self.runners):
            yield from ((f"{i}/{name}", data) for name, data in runner.chunks())

    def _small_chunks(self) -> Iterator[tuple[str, bytes]]:
        """All but the texts, and the pools of the loops."""
        yield from self._own_chunks()
        for i, runner in enumerate(self.runners):
            yield from ((f"{i}/{name}", data) for name, data in runner.small_chunks())

    def _own_chunks(self) -> Iterator[tuple[str, bytes]]:
        yield "first", json.dumps(self._first).encode()
        yield from save_array("free", np.array(self.strings.free, np.int64))
        yield from ((f"rows/{name}", data) for name, data in self.rows.chunks())

    @classmethod
    def restore(
        cls,
        program: Program,
        options: Options,
        chunks: Mapping[str, bytes],
        *,
        compiled: bool | None = None,
    ) -> RTLolaKernel:
        """A kernel that goes on where the one that made the snapshot was."""
        kernel = cls(program, options, compiled=compiled)
        kernel._first = json.loads(chunks["first"])
        free = [int(code) for code in load_array("free", chunks)]
        kernel.strings.restore(load_texts("strings", chunks), free)
        kernel.rows.restore(part("rows/", chunks))
        for i, runner in enumerate(kernel.runners):
            runner.restore(part(f"{i}/", chunks))
        kernel._stored = Stored.of({n: chunks[n] for n in chunks if _is_small(n)})
        return kernel


def _is_small(chunk: str) -> bool:
    """Whether a chunk is compared as a whole: not that of a text or of a pool."""
    return not chunk.startswith("strings/") and "/pool/" not in chunk
