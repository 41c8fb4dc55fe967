"""From a stream to a relation: the rows of a stream that a window holds at an evaluation time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, assert_never

from horae.languages.cql.program import Scan
from horae.languages.cql.syntax.tree import NowWindow, RangeWindow, RowsWindow
from horae.reference.cql.rows import Row, rank_row


@dataclass(frozen=True)
class Timed:
    """A row of a stream. `order`, if given, tells which of two rows at the same time is newer."""

    row: Row
    time: int
    order: Any = None

    @property
    def age(self) -> tuple[Any, ...]:
        """The sort key of a stream: the newest row is the greatest."""
        return self.time, self.order is not None, self.order, rank_row(self.row)


def rows_in_window(scan: Scan, stream: Iterable[Timed], now: int) -> list[Row]:
    return [timed.row for timed in _select(scan, stream, now)]


def _select(scan: Scan, stream: Iterable[Timed], now: int) -> list[Timed]:
    match scan.window:
        case NowWindow():
            return _between(stream, now, now)
        case RangeWindow(length=length, slide=slide):
            return _between(stream, _start(_pivot(now, slide), length), _pivot(now, slide))
        case RowsWindow(count=count):
            return _newest(_between(stream, 0, now), count, _part(scan))
        case None:
            raise ValueError(f"the stream {scan.name} is read without a window")
        case _:
            assert_never(scan.window)


def _pivot(now: int, slide: int) -> int:
    return now // slide * slide


def _start(end: int, length: int | None) -> int:
    return 0 if length is None else end - length


def _between(stream: Iterable[Timed], first: int, last: int) -> list[Timed]:
    return [timed for timed in stream if first <= timed.time <= last]


def _part(scan: Scan) -> Callable[[Timed], Row]:
    return lambda timed: tuple(timed.row[place] for place in scan.window_places)


def _newest(stream: Iterable[Timed], count: int, part: Callable[[Timed], Row]) -> list[Timed]:
    parts: dict[Row, list[Timed]] = defaultdict(list)
    for timed in sorted(stream, key=lambda timed: timed.age):
        parts[part(timed)].append(timed)
    return [timed for members in parts.values() for timed in members[-count:]]
