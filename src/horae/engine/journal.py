"""Tables of many rows of which few change between two snapshots, as chunks of bytes.

Rows lie in *segments*. A segment of which a good part changed is written whole; all other rows that
changed go to a *log*. Once the logs hold many rows, the segments that were written longest ago are
written too, a few each time, until the oldest log says nothing new and is dropped.

So a snapshot writes a small multiple of the rows that changed, and one segment or two; and the chunks
together stay within a small multiple of the table. A short log is written again with the next rows
instead of beside them, so there are few.

A segment begins with the number of the first log that is newer than it; of older ones, its rows are
not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

JournalArray = npt.NDArray[Any]
JournalColumns = dict[str, JournalArray]
JournalNumbers = npt.NDArray[np.int64]
Change = tuple[str, bytes | None]
"""A chunk and its new content; None: it is gone."""

SEGMENT = 1024  # rows
_LONGEST = 64 * SEGMENT  # rows of a log
_MANY = 8  # a segment is written whole if one of so many rows changed
_HEAD = 8  # bytes of the number that a segment begins with


class Journal:
    """What is in the store of a table whose columns have the names and types of `kinds`."""

    def __init__(self, kinds: JournalColumns) -> None:
        self._kinds = {n: np.empty((0, *c.shape[1:]), c.dtype) for n, c in kinds.items()}
        self._stored = {name: column.copy() for name, column in self._kinds.items()}
        self._fresh = np.empty(0, np.int64)  # of each segment: the first log that is newer
        self._logs: dict[int, JournalNumbers] = {}
        self._next = 0

    # --- writing

    def changes(self, columns: JournalColumns) -> Iterator[Change]:
        """What a store needs to hold `columns`; all of them have the same length."""
        changed, grown = self._changed(columns), self._grown(_length(columns))
        self._keep(columns, changed)
        whole = np.union1d(self._much_changed(changed), grown)
        few = changed[~np.isin(changed // SEGMENT, whole)]
        yield from self._write_logs(few)
        yield from self._write_segments(np.union1d(whole, self._oldest(len(few))))
        yield from self._drop_logs()

    def _changed(self, columns: JournalColumns) -> JournalNumbers:
        """The rows that are not as they are stored; all that the store has not."""
        known, count = _length(self._stored), _length(columns)
        differs = np.zeros(count, bool)
        differs[known:] = True
        for name, column in columns.items():
            differs[:known] |= _differ(column[:known], self._stored[name])
        return np.flatnonzero(differs)

    def _grown(self, count: int) -> JournalNumbers:
        """Segments with more rows than the store has: a log would not tell where they end."""
        known = _length(self._stored)
        assert count >= known, "rows are used again, not taken away"
        return np.arange(known // SEGMENT if count > known else _segments(count), _segments(count))

    def _keep(self, columns: JournalColumns, changed: JournalNumbers) -> None:
        known, count = _length(self._stored), _length(columns)
        for name, column in columns.items():
            if count > known or 2 * len(changed) > count:
                self._stored[name] = column.copy()
            else:
                self._stored[name][changed] = column[changed]
        added = _segments(count) - len(self._fresh)
        self._fresh = np.append(self._fresh, np.full(added, self._next))

    def _much_changed(self, changed: JournalNumbers) -> JournalNumbers:
        counts = np.bincount(changed // SEGMENT, minlength=len(self._fresh))
        return np.flatnonzero(_MANY * counts >= SEGMENT)

    def _oldest(self, logged: int) -> JournalNumbers:
        """The segments to write before their time: more rows than were logged, if logs are long."""
        rows = sum(map(len, self._logs.values()))
        if not logged or 4 * rows <= _length(self._stored):
            return np.empty(0, np.int64)
        count = 1 + 2 * logged // SEGMENT
        return np.argsort(self._fresh, kind="stable")[:count]

    # --- chunks

    def _write_logs(self, rows: JournalNumbers) -> Iterator[Change]:
        if not len(rows):
            return
        last = max(self._logs, default=-1)
        if last >= 0 and len(self._logs[last]) + len(rows) <= SEGMENT:
            again = self._logs.pop(last)
            rows = np.union1d(rows, again[self._fresh[again // SEGMENT] <= last])
            yield f"log/{last}", None
        for start in range(0, len(rows), _LONGEST):
            part = self._logs[self._next] = rows[start : start + _LONGEST]
            yield f"log/{self._next}", part.astype("<i8").tobytes() + self._rows(part)
            self._next += 1

    def _write_segments(self, segments: JournalNumbers) -> Iterator[Change]:
        self._fresh[segments] = self._next
        for segment in segments.tolist():
            rows = slice(segment * SEGMENT, (segment + 1) * SEGMENT)
            head = np.array([self._next], "<i8").tobytes()
            yield f"segment/{segment}", head + self._rows(rows)

    def _drop_logs(self) -> Iterator[Change]:
        """Drop the logs that are older than all segments."""
        oldest = int(self._fresh.min(initial=self._next))
        for number in [n for n in self._logs if n < oldest]:
            del self._logs[number]
            yield f"log/{number}", None

    def _rows(self, rows: JournalNumbers | slice) -> bytes:
        return b"".join(column[rows].tobytes() for column in self._stored.values())

    # --- reading

    def restore(self, chunks: Mapping[str, bytes]) -> JournalColumns:
        """The columns whose changes are in the chunks; the journal goes on from there."""
        segments = [chunks[f"segment/{i}"] for i in range(_count("segment/", chunks))]
        heads = [np.frombuffer(data[:_HEAD], "<i8") for data in segments]
        self._fresh = np.concatenate([np.empty(0, np.int64), *heads])
        parts = [self._split(data[_HEAD:]) for data in segments]
        self._stored = {
            name: np.concatenate([kind, *(part[name] for part in parts)])
            for name, kind in self._kinds.items()
        }
        self._next = int(self._fresh.max(initial=0))
        for number in sorted(_log_numbers(chunks)):
            self._read_log(number, chunks[f"log/{number}"])
        return {name: column.copy() for name, column in self._stored.items()}

    def _read_log(self, number: int, data: bytes) -> None:
        count = len(data) // (8 + self._width())
        rows = np.frombuffer(data[: 8 * count], "<i8").astype(np.int64)
        newer = self._fresh[rows // SEGMENT] <= number
        for name, column in self._split(data[8 * count :]).items():
            self._stored[name][rows[newer]] = column[newer]
        self._logs[number] = rows
        self._next = max(self._next, number + 1)

    def _width(self) -> int:
        return sum(_row_bytes(kind) for kind in self._kinds.values())

    def _split(self, data: bytes) -> JournalColumns:
        """Rows that were written by `_rows`."""
        count, columns, start = len(data) // self._width(), {}, 0
        for name, kind in self._kinds.items():
            end = start + count * _row_bytes(kind)
            columns[name] = np.frombuffer(data[start:end], kind.dtype).reshape(-1, *kind.shape[1:])
            start = end
        return columns


def _length(columns: JournalColumns) -> int:
    return max((len(column) for column in columns.values()), default=0)


def _segments(count: int) -> int:
    """How many there are for so many rows."""
    return -(-count // SEGMENT)


def _differ(one: JournalArray, other: JournalArray) -> npt.NDArray[np.bool_]:
    """Row by row, by their bytes: a number that is none is equal to itself."""
    different: npt.NDArray[np.bool_] = _as_words(one) != _as_words(other)
    return different if different.ndim == 1 else np.asarray(different.any(axis=1))


def _as_words(column: JournalArray) -> JournalArray:
    return column.view(f"u{column.dtype.itemsize}")


def _row_bytes(kind: JournalArray) -> int:
    return int(kind.dtype.itemsize * np.prod(kind.shape[1:], dtype=int))


def _count(prefix: str, chunks: Mapping[str, bytes]) -> int:
    return sum(name.startswith(prefix) for name in chunks)


def _log_numbers(chunks: Mapping[str, bytes]) -> Iterator[int]:
    return (int(name.removeprefix("log/")) for name in chunks if name.startswith("log/"))
