"""The rows that wait for the loops: columns of numbers, with what is null marked."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa

from horae.kernels.rtlola.layout import DTYPES
from horae.kernels.rtlola.strings import Strings
from horae.languages.rtlola.program import Input
from horae.languages.rtlola.types import Type


class Rows:
    """`imports` > 0: rows are records of that many operators over instances, with no inputs."""

    def __init__(self, inputs: tuple[Input, ...], strings: Strings, *, imports: int = 0) -> None:
        self._inputs = inputs
        self._strings = strings
        self.columns: dict[str, np.ndarray] = {"time": np.empty(0, np.int64)}
        self.columns["row"] = np.empty(0, np.int64)
        for stream in inputs:
            self.columns[f"in_{stream.name}"] = np.empty(0, DTYPES[stream.type])
            self.columns[f"ok_{stream.name}"] = np.empty(0, bool)
        if imports:
            self.columns["rec_tick"] = np.empty(0, bool)
            self.columns["rec_touched"] = np.empty((0, imports), bool)
            self.columns["rec_delta"] = np.empty((0, 4 * imports), np.int64)
        self._imports = imports

    def __len__(self) -> int:
        return len(self.columns["time"])

    @property
    def times(self) -> np.ndarray:
        return self.columns["time"]

    def append(self, batch: pa.RecordBatch) -> None:
        fresh = {"time": _numbers(batch.column("__time"), "int64")}
        fresh["row"] = _numbers(batch.column("__row"), "int64")
        if self._imports:
            fresh |= self._records(batch)
        else:
            for stream in self._inputs:
                column = batch.column(stream.name)
                fresh[f"in_{stream.name}"] = self._values(column, stream.type)
                fresh[f"ok_{stream.name}"] = _valid(column)
        for name, more in fresh.items():
            old = self.columns[name]
            self.columns[name] = np.concatenate([old, more]) if len(old) else more

    def _values(self, column: pa.Array, kind: Type) -> np.ndarray:
        if kind is Type.STRING:
            return self._strings.encode(column)
        zero = {Type.INT: 0, Type.DOUBLE: 0.0, Type.BOOL: False}[kind]
        return _numbers(column.fill_null(zero) if column.null_count else column, DTYPES[kind])

    def _records(self, batch: pa.RecordBatch) -> dict[str, np.ndarray]:
        touched = [_numbers(batch.column(f"touched{i}"), "bool") for i in range(self._imports)]
        delta = [_numbers(batch.column(f"delta{i}"), "int64") for i in range(4 * self._imports)]
        return {
            "rec_tick": _numbers(batch.column("tick"), "bool"),
            "rec_touched": np.stack(touched, axis=1),
            "rec_delta": np.stack(delta, axis=1),
        }

    def drop(self, count: int) -> None:
        """Forget the first rows: every loop is past them."""
        if count:
            self.columns = {name: column[count:] for name, column in self.columns.items()}

    # --- snapshots

    def chunks(self) -> dict[str, bytes]:
        saved = {}
        for name, column in self.columns.items():
            buffer = io.BytesIO()
            np.save(buffer, column, allow_pickle=False)
            saved[name] = buffer.getvalue()
        return saved

    def restore(self, chunks: dict[str, bytes]) -> None:
        for name, data in chunks.items():
            self.columns[name] = np.load(io.BytesIO(data), allow_pickle=False)


def _valid(column: pa.Array) -> np.ndarray:
    if column.null_count == 0:
        return np.ones(len(column), bool)
    return column.is_valid().to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


def _numbers(column: pa.Array, dtype: str) -> np.ndarray:
    return np.ascontiguousarray(column.to_numpy(zero_copy_only=False), dtype=dtype)
