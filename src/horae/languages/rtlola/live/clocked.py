"""A kernel whose clocks follow the whole stream, not only the rows of its shard.

Clocks start at the first row of the whole stream, which is known once anything at or after it is
decided. They never run ahead of the last row that was seen: the stream might end there.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping

import pyarrow as pa

from horae.data.cuts import Cuts
from horae.engine.chunks import part
from horae.engine.contract import StateSize
from horae.engine.journal import Change
from horae.engine.stored import Stored
from horae.languages.rtlola.kernel.answers import fit_answers
from horae.languages.rtlola.kernel.kernel import RTLolaKernel
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.program import Program
from horae.source.errors import InputError


class Clocked(ABC):
    """`answers` is the schema of what it decides. A row that is `numbered` is named by a fault in it."""

    def __init__(self, kernel: RTLolaKernel, answers: pa.Schema, *, numbered: bool = False) -> None:
        self._kernel = kernel
        self._schema, self._numbered = answers, numbered
        self._first: int | None = None
        self._last: int | None = None
        self._started = False
        self._stored = Stored()

    # --- the contract

    def see(self, points: Cuts) -> None:
        if len(points):
            least, greatest = int(points.min()), int(points.max())
            self._first = least if self._first is None else min(least, self._first)
            self._last = greatest if self._last is None else max(greatest, self._last)

    def decide(self, until: int) -> pa.Table:
        if self._first is None or self._last is None or until < self._first:
            return self._schema.empty_table()
        self._start(self._first)
        return self._decide(until, self._last)

    def finish(self) -> pa.Table:
        if self._first is None or self._last is None:
            return self._schema.empty_table()
        self._start(self._first)
        return self._finish(self._last)

    def state_size(self) -> StateSize:
        size = self._kernel.state_size()
        rows = self._kernel.rows
        kept = sum(column.nbytes for column in rows.columns.values())
        return StateSize(size.instances, size.values + len(rows), size.bytes + kept, waiting=kept)

    # --- what a shard does

    @abstractmethod
    def _decide(self, until: int, last: int) -> pa.Table:
        """Read what is decided, and let the clocks run on, but not past the last row."""

    @abstractmethod
    def _finish(self, end: int) -> pa.Table: ...

    def _start(self, first: int) -> None:
        if not self._started:
            self._kernel.start_clocks(first)
            self._started = True

    def _answers(self, run: Callable[[], pa.RecordBatch]) -> pa.Table:
        """Where rows have no numbers, a fault names the time alone."""
        try:
            return fit_answers(pa.Table.from_batches([run()]), self._schema)
        except InputError as error:
            raise (error if self._numbered else error.at(error.place)) from error

    # --- snapshots

    def save(self) -> Iterator[tuple[str, bytes]]:
        yield from self._own_chunks()
        yield from ((f"kernel/{name}", data) for name, data in self._kernel.snapshot().items())

    def changes(self) -> Iterator[Change]:
        yield from self._stored.changes(self._own_chunks())
        yield from ((f"kernel/{name}", data) for name, data in self._kernel.changes())

    def _own_chunks(self) -> Iterator[tuple[str, bytes]]:
        """All but those of the kernel."""
        yield "clock", json.dumps([self._first, self._last, self._started]).encode()

    def _restore(self, chunks: Mapping[str, bytes], program: Program, options: Options) -> None:
        self._first, self._last, self._started = json.loads(chunks["clock"])
        saved = part("kernel/", chunks)
        self._kernel = RTLolaKernel.restore(program, options, saved)
        self._stored = Stored.of({n: chunks[n] for n in chunks if not n.startswith("kernel/")})
