"""What a stream keeps of each window, from one evaluation to the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from horae.engine.report.bounds import Bound, Bounded, Unbounded
from horae.engine.report.units import counted
from horae.languages.cql.check.scans import scans_of
from horae.languages.cql.program import Query, Scan
from horae.languages.cql.syntax.tree import NowWindow, RangeWindow, RowsWindow, StreamWindow
from horae.source.text import Span


@dataclass(frozen=True, slots=True)
class WindowMemory:
    """The rows of so many time points (`unit`), or so many rows, for each value of `by`."""

    query: str
    source: str
    bound: Bound
    unit: str
    by: tuple[str, ...]
    span: Span

    @property
    def per(self) -> str:
        return f"for each ({', '.join(self.by)})" if self.by else ""

    def __str__(self) -> str:
        if isinstance(self.bound, Unbounded):
            return f"all rows: {self.bound.why}"
        amount = counted(self.bound.n, self.unit)
        kept = f"the newest {amount}" if self.unit == "row" else f"the rows of {amount}"
        return f"{kept} {self.per}".rstrip()


def find_window_memory(query: Query) -> Iterator[WindowMemory]:
    for scan in scans_of(query.body):
        if scan.window is not None:
            bound, unit = _bound(scan, scan.window)
            by = tuple(scan.columns[place].name for place in scan.window_places)
            yield WindowMemory(query.name, scan.name, bound, unit, by, scan.span)


def _bound(scan: Scan, window: StreamWindow) -> tuple[Bound, str]:
    """A window that slides needs the rows of a slide more."""
    match window:
        case NowWindow():
            return Bounded(1), "time point"
        case RangeWindow(length=None):
            return Unbounded("the window has no bound", scan.span), "time point"
        case RangeWindow(length=length, slide=slide):
            assert length is not None, "the case before"
            return Bounded(length + slide), "time point"
        case RowsWindow(count=count):
            return Bounded(count), "row"
