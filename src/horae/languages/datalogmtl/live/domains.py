"""At which points a stream is asked: an answer domain that becomes known as the stream goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Protocol, assert_never

import numpy as np

from horae.data.answer_times import MOST_TIMES, AnswerTimes, AtFactEnds, AtMultiples, AtTimes
from horae.data.catalogue_facts import too_many_times
from horae.data.cuts import FUTURE, PAST, Cuts, Rows
from horae.engine.chunks import load_array, save_array
from horae.languages.datalogmtl.kernel.time import Timeline

_SAVED = "points"


class Domain(Protocol):
    """The points at which answers are asked for, in ticks; ends of intervals are cuts."""

    def see(self, times: Cuts) -> None:
        """Times of facts, of the whole stream."""

    def known(self) -> int:
        """Up to this cut, no fact that may still come changes the points."""

    def within(self, lo: Cuts, hi: Cuts) -> tuple[Rows, Cuts]:
        """The points in each interval: the number of the interval, and the point."""

    def forget(self, cut: int) -> None:
        """Nothing before the cut will be asked again."""

    def size(self) -> int: ...

    def save(self) -> Iterator[tuple[str, bytes]]: ...

    def load(self, chunks: Mapping[str, bytes]) -> None: ...


def domain_for(at: AnswerTimes, timeline: Timeline, horizon: int | None) -> Domain:
    match at:
        case AtTimes(times):
            return Listed(np.array(sorted({timeline.ticks(time) for time in times}), np.int64))
        case AtFactEnds():
            return Events()
        case AtMultiples(step):
            return Grid(step, timeline, horizon)
        case _:
            assert_never(at)


class Listed:
    """Points that are known before the stream starts."""

    def __init__(self, points: Cuts) -> None:
        self._points = points

    def see(self, times: Cuts) -> None:
        pass

    def known(self) -> int:
        return FUTURE

    def within(self, lo: Cuts, hi: Cuts) -> tuple[Rows, Cuts]:
        first = np.searchsorted(self._points, (lo + 1) >> 1)
        after = np.searchsorted(self._points, (hi + 1) >> 1)
        rows, offsets = _each(after - first)
        return rows, self._points[first[rows] + offsets]

    def forget(self, cut: int) -> None:
        pass

    def size(self) -> int:
        return 0

    def save(self) -> Iterator[tuple[str, bytes]]:
        yield from ()

    def load(self, chunks: Mapping[str, bytes]) -> None:
        pass


class Events(Listed):
    """The ends of all facts. A fact that may still come begins after what is decided."""

    def __init__(self) -> None:
        super().__init__(np.empty(0, np.int64))

    def see(self, times: Cuts) -> None:
        self._points = np.union1d(self._points, times)

    def forget(self, cut: int) -> None:
        self._points = self._points[2 * self._points >= cut]

    def size(self) -> int:
        return len(self._points)

    def save(self) -> Iterator[tuple[str, bytes]]:
        yield f"{_SAVED}/count", str(len(self._points)).encode()
        yield from save_array(_SAVED, self._points)

    def load(self, chunks: Mapping[str, bytes]) -> None:
        self._points = load_array(_SAVED, chunks)[: int(chunks[f"{_SAVED}/count"])]


class Grid:
    """The multiples of `step` from the first time of the facts to the last, or to the horizon."""

    def __init__(self, step: Fraction, timeline: Timeline, horizon: int | None) -> None:
        self._written, self._step, self._horizon = step, timeline.ticks(step), horizon
        self._first, self._last = FUTURE, PAST

    def see(self, times: Cuts) -> None:
        self._first = min(self._first, int(times.min(initial=FUTURE)))
        self._last = max(self._last, int(times.max(initial=PAST)))

    def known(self) -> int:
        if self._horizon is not None:
            return FUTURE
        return PAST if self._last == PAST else 2 * self._last + 1

    def within(self, lo: Cuts, hi: Cuts) -> tuple[Rows, Cuts]:
        last = self._last if self._horizon is None else self._horizon
        first = -(-np.maximum((lo + 1) >> 1, self._first) // self._step)
        after = np.minimum(((hi + 1) >> 1) - 1, last) // self._step + 1
        counts = np.maximum(after - first, 0)
        if int(counts.max(initial=0)) > MOST_TIMES:
            raise too_many_times(self._written, MOST_TIMES, "the answers are then intervals")
        rows, offsets = _each(counts)
        return rows, (first[rows] + offsets) * self._step

    def forget(self, cut: int) -> None:
        pass

    def size(self) -> int:
        return 2

    def save(self) -> Iterator[tuple[str, bytes]]:
        yield from save_array(_SAVED, np.array([self._first, self._last], np.int64))

    def load(self, chunks: Mapping[str, bytes]) -> None:
        self._first, self._last = load_array(_SAVED, chunks).tolist()


def _each(counts: Rows) -> tuple[Rows, Rows]:
    """Every row as often as it counts, with 0, 1, … beside it."""
    rows = np.repeat(np.arange(len(counts)), counts)
    return rows, np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
