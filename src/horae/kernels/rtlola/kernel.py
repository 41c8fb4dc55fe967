"""The RTLola kernel: feeds rows to its loops, grows their state, gathers answers.

Without look-ahead there is one loop. With it there is a cascade: each further loop runs behind the
one before (see `ahead.py`), and only the last one answers.
"""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from horae.kernels.contract import StateSize
from horae.kernels.rtlola.answers import ANSWERS, build_answers, no_answers
from horae.kernels.rtlola.faults import raise_fault
from horae.kernels.rtlola.generate import generate
from horae.kernels.rtlola.horizon import horizons, last_layer
from horae.kernels.rtlola.options import Options, OverMode
from horae.kernels.rtlola.rows import Rows
from horae.kernels.rtlola.runner import Runner, records_batch
from horae.kernels.rtlola.source import DONE, FAULT
from horae.kernels.rtlola.strings import Strings
from horae.languages.rtlola.program import Program

__all__ = ["ANSWERS", "RTLolaKernel"]


class RTLolaKernel:
    """`compiled=False` runs the same loop as plain Python."""

    def __init__(
        self, program: Program, options: Options, *, compiled: bool = True, start: int | None = None
    ) -> None:
        self.program = program
        self.options = options
        self.strings = Strings()
        last = last_layer(program)
        self.runners = [
            Runner(self._source(layer, last), compiled=compiled) for layer in range(last + 1)
        ]
        self._lags = horizons(program, options.resolution)
        self.rows = Rows(program.inputs, self.strings, imports=self._imports())
        self._start = start
        self._started = False

    def _source(self, layer: int, last: int):  # type: ignore[no-untyped-def]
        options = replace(self.options, layer=layer, is_last=layer == last)
        return generate(self.program, options, self.strings)

    def _imports(self) -> int:
        return len(self.options.joined) if self.options.overs is OverMode.IMPORT else 0

    # --- the contract

    def push(self, batch: pa.RecordBatch) -> None:
        """Rows of `__time` (ticks), the inputs, and `__row` for messages."""
        self.rows.append(batch)
        if not self._started and len(self.rows):
            self._start_clocks(int(self.rows.times[0]) if self._start is None else self._start)

    def advance(self, until: int) -> pa.RecordBatch:
        limits = [None if lag is None else until - lag for lag in self._lags]
        return self._run(limits)

    def finish(self, end: int) -> pa.RecordBatch:
        if not self._started and self._start is not None:
            self._start_clocks(self._start)
        return self._run([end] * len(self.runners))

    def records(self) -> pa.RecordBatch:
        """The exported changes of operators over instances since the last call."""
        return records_batch(self.runners[-1].take_records(), len(self.options.joined))

    # --- running

    def _start_clocks(self, first: int) -> None:
        self._started = True
        for runner in self.runners:
            runner.start_clocks(first)

    def _run(self, limits: list[int | None]) -> pa.RecordBatch:
        parts: list[pa.RecordBatch] = []
        front: Runner | None = None
        for runner, limit in zip(self.runners, limits, strict=True):
            if limit is not None:
                parts.extend(self._run_loop(runner, limit, front))
            front = runner
        self._forget_rows()
        return _joined(parts)

    def _run_loop(self, runner: Runner, until: int, front: Runner | None) -> list[pa.RecordBatch]:
        parts = []
        while True:
            status, columns = runner.call(self.rows, until, front, self.strings)
            if columns is not None:
                parts.append(build_answers(columns, runner.source.emitted, self.strings))
            if status == FAULT:
                raise_fault(self.program, self.options.resolution, runner, self.rows)
            if status == DONE:
                return parts

    def _forget_rows(self) -> None:
        used = min(runner.next_row for runner in self.runners)
        self.rows.drop(used)
        for runner in self.runners:
            runner.next_row -= used

    # --- state

    def state_size(self) -> StateSize:
        instances = sum(r.instances() for r in self.runners)
        values = sum(r.stored_values() for r in self.runners)
        return StateSize(instances, values, sum(r.state.used_bytes() for r in self.runners))

    def snapshot(self) -> dict[str, bytes]:
        """Everything needed to go on. Pushed rows that are not consumed are part of it."""
        saved = {"strings": pa.array(self.strings.texts, pa.string())}
        chunks = {name: _arrow_bytes(array) for name, array in saved.items()}
        chunks |= {f"rows/{k}": v for k, v in self.rows.chunks().items()}
        chunks["started"] = b"1" if self._started else b"0"
        for i, runner in enumerate(self.runners):
            chunks |= {f"{i}/{name}": data for name, data in runner.state.chunks().items()}
        return chunks

    @classmethod
    def restore(
        cls, program: Program, options: Options, chunks: dict[str, bytes], *, compiled: bool = True
    ) -> RTLolaKernel:
        kernel = cls(program, options, compiled=compiled)
        for text in _arrow_array(chunks["strings"]).to_pylist():
            kernel.strings.code(text)
        kernel.rows.restore({k[5:]: v for k, v in chunks.items() if k.startswith("rows/")})
        kernel._started = chunks["started"] == b"1"
        for i, runner in enumerate(kernel.runners):
            prefix = f"{i}/"
            own = {k[len(prefix) :]: v for k, v in chunks.items() if k.startswith(prefix)}
            runner.state.restore(own)
        return kernel


def _joined(parts: list[pa.RecordBatch]) -> pa.RecordBatch:
    filled = [part for part in parts if part.num_rows]
    if not filled:
        return no_answers()
    return pa.Table.from_batches(filled).combine_chunks().to_batches()[0]


def _arrow_bytes(array: pa.Array) -> bytes:
    sink = pa.BufferOutputStream()
    batch = pa.record_batch([array], names=["x"])
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


def _arrow_array(data: bytes) -> pa.Array:
    return pa.ipc.open_stream(data).read_all().column(0).combine_chunks()


def latest_time(batch: pa.RecordBatch) -> int:
    """The last time of a time-ordered batch."""
    return int(pc.max(batch.column("__time")).as_py())
