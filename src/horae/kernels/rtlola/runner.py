"""One loop with its state and its output buffers."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from horae.kernels.rtlola.compile import compile_loop, interpret_loop
from horae.kernels.rtlola.frame import RECORDS
from horae.kernels.rtlola.options import OverMode
from horae.kernels.rtlola.rows import Rows
from horae.kernels.rtlola.source import GROW, LoopSource
from horae.kernels.rtlola.state import State
from horae.kernels.rtlola.strings import LiveTable, Strings

_FIRST_ANSWERS = 1024
# limits[2:]: what the loop reports
OUT, RECORDED, ERROR, SITE, NOW = 2, 3, 4, 5, 6


class Runner:
    def __init__(self, source: LoopSource, *, compiled: bool) -> None:
        self.source = source
        self.state = State(source)
        plain = not compiled or source.interpreted is not None
        self.loop = interpret_loop(source.text) if plain else compile_loop(source.text)
        self.plain = plain
        self.limits = np.zeros(7, np.int64)
        self._buffers: dict[str, np.ndarray] = {}
        self._tables: dict[str, np.ndarray] = {}
        self._make_buffers(_FIRST_ANSWERS)
        self.sent = np.zeros(4 * len(source.model.overs), np.int64)
        self._records: list[dict[str, np.ndarray]] = []

    # --- buffers

    def _make_buffers(self, size: int) -> None:
        width = max([1, *(len(f.types) for f in self.source.model.families.values())])
        overs = max(1, len(self.source.model.overs))
        self._buffers = {
            "out_time": np.zeros(size, np.int64),
            "out_pos": np.zeros(size, np.int64),
            "out_id": np.zeros(size, np.int32),
            "out_i": np.zeros(size, np.int64),
            "out_f": np.zeros(size, np.float64),
            "out_p": np.zeros((size, width), np.int64),
            "rec_time": np.zeros(size, np.int64),
            "rec_row": np.zeros(size, np.int64),
            "rec_touched": np.zeros((size, overs), bool),
            "rec_delta": np.zeros((size, 4 * overs), np.int64),
        }

    # --- the cursor into the rows

    @property
    def next_row(self) -> int:
        return self.state.counter("row")

    @next_row.setter
    def next_row(self, number: int) -> None:
        self.state.set_counter("row", number)

    def start_clocks(self, first: int) -> None:
        """The first tick of each rate is the first one not before the first event."""
        options = self.source.options
        for i, rate in enumerate(self.source.rates):
            period = int(rate * options.resolution)
            tick = -((options.origin - first) // period) * period + options.origin
            self.state.set_counter(f"next{i}", tick)

    # --- calling

    def call(
        self, rows: Rows, until: int, front: Runner | None, strings: Strings
    ) -> tuple[int, dict[str, np.ndarray] | None]:
        """Run until the rows are used up, a fault, or a need to grow; answers so far."""
        before = self.state.counter("pos")
        self.limits[:2] = len(rows), until
        status = self._invoke(self._arguments(rows, front, strings))
        answers = self._take(rows)
        if status == GROW:
            stuck = self.state.counter("pos") == before
            self.state.grow(everything=stuck)
            if stuck or answers is not None:
                self._make_buffers(2 * len(self._buffers["out_time"]))
        return status, answers

    def _invoke(self, arguments: list[object]) -> int:
        if not self.plain:
            return self.loop(*arguments)
        with np.errstate(all="ignore"):
            return self.loop(*arguments)

    def _arguments(self, rows: Rows, front: Runner | None, strings: Strings) -> list[object]:
        source, columns = self.source, rows.columns
        arguments: list[object] = [self.state.counters, self.limits, columns["time"]]
        if source.options.overs is OverMode.IMPORT:
            arguments += [columns[n] for n in ("rec_tick", "rec_touched", "rec_delta")]
        for stream in source.model.program.inputs:
            arguments += [columns[f"in_{stream.name}"], columns[f"ok_{stream.name}"]]
        if front is not None:
            arguments += [front.state.columns[name] for name in source.ahead]
        arguments += self.state.columns.values()
        arguments += self._string_tables(strings)
        return arguments + self._outputs(strings)

    def _outputs(self, strings: Strings) -> list[object]:
        names = ["out_time", "out_pos", "out_id", "out_i", "out_f", "out_p"]
        outputs: list[object] = [self._buffers[n] for n in names]
        if self.source.exports:
            outputs += [*(self._buffers[n] for n in RECORDS), self.sent]
        if self.source.interpreted:
            outputs.append(strings)
        return outputs

    def _string_tables(self, strings: Strings) -> list[np.ndarray] | list[LiveTable]:
        if self.source.interpreted:
            return [LiveTable(table, strings) for table in self.source.string_tables]
        for table in self.source.string_tables:
            self._tables[table.name] = table.fill(strings, self._tables.get(table.name))
        return [self._tables[t.name] for t in self.source.string_tables]

    def _take(self, rows: Rows) -> dict[str, np.ndarray] | None:
        recorded, count = int(self.limits[RECORDED]), int(self.limits[OUT])
        if recorded:
            taken = {n: self._buffers[n][:recorded].copy() for n in RECORDS}
            taken["rec_row"] = _row_numbers(taken["rec_row"], rows)
            self._records.append(taken)
        if not count:
            return None
        return {n: b[:count] for n, b in self._buffers.items() if n.startswith("out_")}

    # --- records of operators over instances

    def take_records(self) -> list[dict[str, np.ndarray]]:
        taken, self._records = self._records, []
        return taken

    # --- size

    def instances(self) -> int:
        families = self.source.model.families.values()
        return sum(self.state.counter(f"{f.name}_act") for f in families if not f.is_single)

    def stored_values(self) -> int:
        families = self.source.model.families
        return sum(n for pool, n in self.state.used().items() if pool not in families)


def _row_numbers(places: np.ndarray, rows: Rows) -> np.ndarray:
    """From places in the buffer to row numbers of the input; -1, a tick, stays."""
    numbers = rows.columns["row"]
    return np.where(places < 0, -1, numbers[np.maximum(places, 0)] if len(numbers) else -1)


def records_batch(parts: list[dict[str, np.ndarray]], overs: int) -> pa.RecordBatch:
    """Records as Arrow columns: time, row (-1: a tick), and per operator what changed."""

    def whole(name: str, width: int, dtype: str) -> np.ndarray:
        empty = np.empty((0, width) if width else 0, dtype)
        return np.concatenate([empty, *(p[name] for p in parts)])

    times, row = whole("rec_time", 0, "int64"), whole("rec_row", 0, "int64")
    touched = whole("rec_touched", max(1, overs), "bool")
    delta = whole("rec_delta", 4 * max(1, overs), "int64")
    names = ["__time", "__row", "tick"]
    arrays = [pa.array(times), pa.array(row), pa.array(row < 0)]
    for i in range(overs):
        names.append(f"touched{i}")
        arrays.append(pa.array(touched[:, i]))
    for i in range(4 * overs):
        names.append(f"delta{i}")
        arrays.append(pa.array(np.ascontiguousarray(delta[:, i])))
    return pa.record_batch(arrays, names=names)
