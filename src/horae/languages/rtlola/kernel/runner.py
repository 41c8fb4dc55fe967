"""One loop with its state and its output buffers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from horae.engine.chunks import load_array, part, save_array
from horae.engine.compiled import plain_python
from horae.engine.journal import Change
from horae.languages.rtlola.kernel.compile import compile_loop, interpret_loop, work_of
from horae.languages.rtlola.kernel.emission import COLUMNS
from horae.languages.rtlola.kernel.horizon import Awaited
from horae.languages.rtlola.kernel.layout import StateArray
from horae.languages.rtlola.kernel.options import QuantifiedMode
from horae.languages.rtlola.kernel.records import RECORDS
from horae.languages.rtlola.kernel.rows import KernelRows, RowColumns
from horae.languages.rtlola.kernel.source import BUFFERS, GROW, LoopSource
from horae.languages.rtlola.kernel.state import State
from horae.languages.rtlola.kernel.strings import LiveTable, Strings, mark_codes
from horae.languages.rtlola.kernel.times import LAST, NEVER

_FIRST_ANSWERS = 1024
# Buffers are emptied when they are full; larger ones only serve positions with more answers.
_ENOUGH_ANSWERS = 1 << 16
# The places in `limits` where the loop reports.
OUT, RECORDED, ERROR, SITE, NOW, GROWING = 2, 3, 4, 5, 6, 7


class Runner:
    """`compiled` None: the loop becomes machine code once the work repays it; the state is the same."""

    def __init__(self, source: LoopSource, *, compiled: bool | None) -> None:
        self.source = source
        self.state = State(source)
        self._compiled = False if source.interpreted is not None else compiled
        self._work = work_of(source.text)
        self.limits = np.zeros(8, np.int64)
        self._buffers = self._make_buffers(_FIRST_ANSWERS)
        self._tables: dict[str, StateArray] = {}
        self._stamp = 0  # of the strings that the tables are filled for
        self._sent = np.zeros(4 * len(source.model.quantified), np.int64)
        self._answers: list[RowColumns] = []
        self._records: list[RowColumns] = []

    def _make_buffers(self, size: int) -> RowColumns:
        width = max([1, *(len(f.types) for f in self.source.model.families.values())])
        buffers: RowColumns = {
            "out_time": np.zeros(size, np.int64),
            "out_pos": np.zeros(size, np.int64),
            "out_id": np.zeros(size, np.int32),
            "out_i": np.zeros(size, np.int64),
            "out_f": np.zeros(size, np.float64),
            "out_p": np.zeros((size, width), np.int64),
        }
        if self.source.exports:
            quantified = len(self.source.model.quantified)
            buffers["rec_time"] = np.zeros(size, np.int64)
            buffers["rec_row"] = np.zeros(size, np.int64)
            buffers["rec_touched"] = np.zeros((size, quantified), bool)
            buffers["rec_delta"] = np.zeros((size, 4 * quantified), np.int64)
        return buffers

    # --- the cursor into the rows, the clocks

    @property
    def next_row(self) -> int:
        return self.state.counter("row")

    @next_row.setter
    def next_row(self, number: int) -> None:
        self.state.set_counter("row", number)

    def start_clocks(self, start: int) -> None:
        """The first tick of a rate is the first one not before `start`, the time 0 of the loop."""
        options = self.source.options
        for i, rate in enumerate(self.source.rates):
            tick = min((options.origin - start) % int(rate * options.resolution), NEVER)
            self.state.set_counter(f"next{i}", tick)
            self.state.set_counter(f"phase{i}", tick)
        if "root_touch" in self.source.layout.counters:
            self.state.set_counter("root_touch", 0)

    # --- looking ahead

    def finds(self, front: Runner, awaited: Sequence[Awaited]) -> bool:
        """Whether streams that count from their first value on have that, or enough of what follows."""
        return all(self._finds(front, a.count, f"s_{a.stream}") for a in awaited)

    def _finds(self, front: Runner, count: int, name: str) -> bool:
        if self.state.columns[f"{name}_has"][0]:
            return True
        at, following = self.state.columns[f"{name}_cur"][0], front.state.columns[f"ah_{name}_next"]
        while count > 0 and at >= 0:
            at, count = following[at], count - 1
        return bool(at >= 0)

    # --- calling

    def call(self, rows: KernelRows, until: int, front: Runner | None, strings: Strings) -> int:
        """Run until the rows are used up, a fault, or a need to grow."""
        self.limits[:2] = len(rows), max(-NEVER, min(until, LAST))
        before = self.next_row
        self._choose(len(rows) - before)
        status = self._invoke(self._arguments(rows, front, strings))
        self._work.done += self.next_row - before + int(self.limits[OUT])
        self._keep(rows)
        if status == GROW:
            self._grow(self.source.growing[int(self.limits[GROWING])])
        return status

    def _grow(self, what: str) -> None:
        if what != BUFFERS:
            self.state.double(what)
            return
        size = len(self._buffers["out_time"])
        if size < _ENOUGH_ANSWERS or not self.limits[[OUT, RECORDED]].any():
            self._buffers = self._make_buffers(2 * size)

    @property
    def is_compiled(self) -> bool:
        return bool(self._compiled)

    def _choose(self, waiting: int) -> None:
        if self._compiled is None and self._work.repays_compiling(waiting):
            self._compiled = True

    def _invoke(self, arguments: list[object]) -> int:
        if self.is_compiled:
            return compile_loop(self.source.text)(*arguments)
        with plain_python():
            return interpret_loop(self.source.text)(*arguments)

    def _arguments(self, rows: KernelRows, front: Runner | None, strings: Strings) -> list[object]:
        """The arguments of the loop, in the order of `frame.arguments`."""
        source, columns = self.source, rows.columns
        arguments: list[object] = [self.state.counters, self.limits, columns["time"]]
        if source.options.quantified is QuantifiedMode.IMPORT:
            arguments += [columns[n] for n in ("rec_tick", "rec_touched", "rec_delta")]
        for stream in source.model.program.inputs:
            arguments += [columns[f"in_{stream.name}"], columns[f"ok_{stream.name}"]]
        if front is not None:
            arguments += [front.state.columns[name] for name in source.ahead]
        arguments += self.state.columns.values()
        arguments += self._string_tables(strings)
        arguments += [self._buffers[n] for n in COLUMNS]
        if source.exports:
            arguments += [*(self._buffers[n] for n in RECORDS), self._sent]
        return [*arguments, strings] if source.interpreted else arguments

    def _string_tables(self, strings: Strings) -> list[StateArray] | list[LiveTable]:
        if self.source.interpreted:
            return [LiveTable(table, strings) for table in self.source.string_tables]
        if self._stamp != strings.stamp:
            self._tables, self._stamp = {}, strings.stamp
        for table in self.source.string_tables:
            self._tables[table.name] = table.fill(strings, self._tables.get(table.name))
        return [self._tables[t.name] for t in self.source.string_tables]

    def _keep(self, rows: KernelRows) -> None:
        """Put away what the loop wrote: the buffers are used again."""
        recorded, count = int(self.limits[RECORDED]), int(self.limits[OUT])
        if recorded:
            kept = {n: self._buffers[n][:recorded].copy() for n in RECORDS}
            kept["rec_row"] = _row_numbers(kept["rec_row"], rows)
            self._records.append(kept)
        if count:
            self._answers.append({n: self._buffers[n][:count].copy() for n in COLUMNS})

    def take_answers(self) -> RowColumns:
        """The answers since the last call."""
        taken, self._answers = self._answers, []
        empty = {n: self._buffers[n][:0] for n in COLUMNS}
        parts = taken or [empty]
        return {n: np.concatenate([p[n] for p in parts]) for n in COLUMNS}

    def take_records(self) -> list[RowColumns]:
        """The changes of operators over instances since the last call."""
        taken, self._records = self._records, []
        return taken

    # --- state

    def mark_codes(self, in_use: StateArray) -> None:
        """Mark every number in the state that could be the code of a string."""
        mark_codes(self.state.counters, in_use)
        for column in self.state.columns.values():
            mark_codes(column, in_use)

    def instances(self) -> int:
        families = self.source.model.families.values()
        return sum(self.state.counter(f"{f.name}_act") for f in families if not f.is_single)

    def stored_values(self) -> int:
        """What windows, offsets in time and records for look-ahead hold."""
        families = self.source.model.families
        return sum(n for pool, n in self.state.used().items() if pool not in families)

    def chunks(self) -> Iterator[tuple[str, bytes]]:
        yield from self._sent_chunks()
        yield from ((f"state/{name}", data) for name, data in self.state.chunks())

    def small_chunks(self) -> Iterator[tuple[str, bytes]]:
        """The chunks of a loop without the pools of its state."""
        yield from self._sent_chunks()
        yield from ((f"state/{name}", data) for name, data in self.state.small_chunks())

    def pool_changes(self) -> Iterator[Change]:
        yield from ((f"state/{name}", data) for name, data in self.state.pool_changes())

    def _sent_chunks(self) -> Iterator[tuple[str, bytes]]:
        assert not self._records, "the records are taken before a snapshot"
        return save_array("sent", self._sent)

    def restore(self, chunks: Mapping[str, bytes]) -> None:
        self._sent = load_array("sent", chunks)
        self.state.restore(part("state/", chunks))


def _row_numbers(places: StateArray, rows: KernelRows) -> StateArray:
    """Numbers of rows for places in the columns; -1 stays."""
    numbers = np.full(len(places), -1, np.int64)
    at_rows = places >= 0
    numbers[at_rows] = rows.columns["row"][places[at_rows]]
    return numbers
