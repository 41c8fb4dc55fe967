"""The rows that wait for the loops: columns of numbers, with what is null marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from horae.data.types import Type
from horae.engine.chunks import load_array, save_array
from horae.languages.rtlola.kernel.layout import DTYPES, StateArray
from horae.languages.rtlola.kernel.strings import Strings
from horae.languages.rtlola.program import Input

RowColumns = dict[str, StateArray]


class KernelRows:
    """`imports` > 0: rows are records of that many operators over instances, with no inputs."""

    def __init__(self, inputs: tuple[Input, ...], strings: Strings, *, imports: int = 0) -> None:
        self._inputs = inputs
        self._strings = strings
        self._imports = imports
        self.columns = self._empty()
        self._waiting: list[RowColumns] = []

    def _empty(self) -> RowColumns:
        columns: RowColumns = {"time": np.empty(0, np.int64), "row": np.empty(0, np.int64)}
        for stream in self._inputs:
            columns[f"in_{stream.name}"] = np.empty(0, DTYPES[stream.type])
            columns[f"ok_{stream.name}"] = np.empty(0, bool)
        if self._imports:
            columns["rec_tick"] = np.empty(0, bool)
            columns["rec_touched"] = np.empty((0, self._imports), bool)
            columns["rec_delta"] = np.empty((0, 4 * self._imports), np.int64)
        return columns

    def __len__(self) -> int:
        return len(self.columns["time"])

    @property
    def times(self) -> StateArray:
        return self.columns["time"]

    # --- coming and going

    def append(self, batch: pa.RecordBatch, times: StateArray) -> None:
        """Rows come in batches; they are put together when the loops are to run."""
        fresh: RowColumns = {
            "time": np.ascontiguousarray(times, dtype="int64"),
            "row": _numbers(batch.column("__row"), "int64"),
        }
        if self._imports:
            fresh |= self._records(batch)
        else:
            for stream in self._inputs:
                column = batch.column(stream.name)
                fresh[f"in_{stream.name}"] = self._values(column, stream.type)
                fresh[f"ok_{stream.name}"] = _valid(column)
        self._waiting.append(fresh)

    def gather(self) -> None:
        """Make the batches that came one set of columns."""
        parts = [part for part in (self.columns, *self._waiting) if len(part["time"])]
        self._waiting.clear()
        if len(parts) == 1:
            self.columns = parts[0]
        elif parts:
            self.columns = {n: np.concatenate([p[n] for p in parts]) for n in parts[0]}
        for column in self.columns.values():
            column.flags.writeable = False  # always, or numba compiles for every mixture

    def drop(self, count: int) -> None:
        """Forget the first rows: every loop is past them."""
        if count == len(self):
            self.columns = self._empty()
        elif count:
            self.columns = {name: column[count:] for name, column in self.columns.items()}

    # --- reading Arrow

    def _values(self, column: Any, kind: Type) -> StateArray:
        if kind is Type.STRING:
            return self._strings.encode(column)
        zero = {Type.INT: 0, Type.DOUBLE: 0.0, Type.BOOL: False}[kind]
        return _numbers(column.fill_null(zero) if column.null_count else column, DTYPES[kind])

    def _records(self, batch: pa.RecordBatch) -> RowColumns:
        touched = [_numbers(batch.column(f"touched{i}"), "bool") for i in range(self._imports)]
        delta = [_numbers(batch.column(f"delta{i}"), "int64") for i in range(4 * self._imports)]
        return {
            "rec_tick": _numbers(batch.column("tick"), "bool"),
            "rec_touched": np.stack(touched, axis=1),
            "rec_delta": np.stack(delta, axis=1),
        }

    # --- snapshots

    def chunks(self) -> Iterator[tuple[str, bytes]]:
        self.gather()
        for name, column in self.columns.items():
            yield from save_array(name, column)

    def restore(self, chunks: Mapping[str, bytes]) -> None:
        self.columns = {name: load_array(name, chunks) for name in self.columns}


def _valid(column: Any) -> StateArray:
    if column.null_count == 0:
        return np.ones(len(column), bool)
    valid: StateArray = column.is_valid().to_numpy(zero_copy_only=False)
    return valid


def _numbers(column: Any, dtype: str) -> StateArray:
    return np.ascontiguousarray(column.to_numpy(zero_copy_only=False), dtype=dtype)
