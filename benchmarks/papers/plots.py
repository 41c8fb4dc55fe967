"""Plots of results, one per experiment, with the axes of the papers' figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, log10
from typing import Any

import altair as alt
from benchmarks.lars_windows import Compared
from benchmarks.meteor.sides import Raced
from benchmarks.papers.products import Monitored
from benchmarks.papers.rates import Trace

_WIDTH, _HEIGHT = 240, 220
Points = list[dict[str, Any]]


@dataclass(frozen=True)
class Axis:
    """What of the points it shows. A linear one begins at zero."""

    field: str
    title: str
    log: bool = False

    def scale(self, points: Points) -> alt.Scale:
        if not self.log:
            return alt.Scale(zero=True)
        marks = self._marks(points)
        return alt.Scale(type="log", domain=[marks[0], marks[-1]])

    def drawn(self, points: Points, length: int) -> alt.Axis:
        """Numbers from a thousand on as 1k, 1M."""
        most = max(point[self.field] for point in points)
        form = (
            {"labelExpr": "datum.value ? format(datum.value, '~s') : '0'"} if most >= 10_000 else {}
        )
        ticks = {"values": self._marks(points)} if self.log else {"tickCount": length // 50}
        return alt.Axis(**ticks, **form)

    def _marks(self, points: Points) -> list[float]:
        """From the last one before all points to the first one after them: 1, 10 … or 1, 2, 5, 10 …"""
        values = [point[self.field] for point in points]
        low, high = min(values), max(values)
        steps = (1,) if high >= 100 * low else (1, 2, 5)
        powers = range(floor(log10(low)), ceil(log10(high)) + 1)
        marks = [float(f"{step}e{power}") for power in powers for step in steps]
        inside = [mark for mark in marks if low < mark < high]
        before = max(mark for mark in marks if mark <= low)
        return [before, *inside, min(mark for mark in marks if mark >= high)]


_MEMORY = Axis("peak_mib", "peak memory, MiB")
_WALL = Axis("wall", "wall time, s")


def rates_plot(rows: Iterable[Trace]) -> alt.HConcatChart:
    points = _points(rows)
    title = f"§5.1, Figure 6: {points[0]['events']:,} events at growing rates"
    return _of_traces(points, Axis("rate", "events per second", log=True), title)


def lengths_plot(rows: Iterable[Trace]) -> alt.HConcatChart:
    points = _points(rows)
    title = f"§5.1: growing numbers of events, {points[0]['rate']:,} per second"
    return _of_traces(points, Axis("events", "events"), title)


def _of_traces(points: Points, x: Axis, title: str) -> alt.HConcatChart:
    """Beside what the process takes, what the monitor itself holds."""
    state = [
        point | {"what": what, "bytes": point[name]}
        for point in points
        for what, name in (("the monitor holds", "held_bytes"), ("its bound", "bound_bytes"))
    ]
    held = _lines(state, x, Axis("bytes", "state of the monitor, bytes"), "what")
    panels = [*(_lines(points, x, y) for y in (_MEMORY, _WALL)), held]
    return _titled(panels, title).resolve_legend(color="independent")


def products_plot(rows: Iterable[Monitored]) -> alt.HConcatChart:
    points = [point | {"engine": _ENGINES[point["engine"]]} for point in _points(rows)]
    products = Axis("products", "products", log=True)
    upright = [replace(axis, log=True) for axis in (_MEMORY, _WALL)]
    title = "§5.2, Figures 7 and 8: ratings of growing numbers of products"
    return _titled([_lines(points, products, y, "engine") for y in upright], title)


_ENGINES = {"local": "in process", "spark": "on Spark"}


def datalogmtl_plot(rows: Iterable[Raced]) -> alt.HConcatChart:
    points = [point for row in rows for point in _sides_of_race(row)]
    names = dict.fromkeys(point["workload"] for point in points)
    panels = [_race(name, [p for p in points if p["workload"] == name]) for name in names]
    return _titled(panels, "DatalogMTL beside MeTeoR, from a file to answers")


def _race(name: str, points: Points) -> alt.Chart:
    facts, seconds = Axis("facts", "facts", log=True), Axis("seconds", "CPU time, s", log=True)
    return _lines(points, facts, seconds, "side").properties(title=name)


def _sides_of_race(row: Raced) -> Points:
    both = (("Horae", row.horae), ("MeTeoR", row.meteor))
    own = {"workload": row.workload, "facts": row.facts}
    return [own | {"side": side, "seconds": spent["from file"]} for side, spent in both]


def lars_plot(rows: Iterable[Compared]) -> alt.HConcatChart:
    points = [point for row in rows for point in _sides_of_windows(row)]
    time, length = Axis("milliseconds", "ms per time point", log=True), 2 * _WIDTH
    drawn = time.drawn(points, length)
    chart = alt.Chart(alt.Data(values=points), width=length, height=_HEIGHT / 2)
    dots = chart.mark_point(filled=True, size=100, opacity=1).encode(
        x=alt.X("milliseconds:Q", title=time.title, scale=time.scale(points), axis=drawn),
        y=alt.Y("window:N", title=None, sort=None, axis=alt.Axis(labelLimit=300, grid=True)),
        color=_colour("side"),
    )
    return _titled([dots], "LARS windows beside clingo")


def _sides_of_windows(row: Compared) -> Points:
    window = f"{row.window} time points, {row.facts} facts in each"
    both = (("Horae", row.horae), ("clingo", row.clingo))
    return [{"window": window, "side": side, "milliseconds": spent} for side, spent in both]


# --- parts of plots


def _points(rows: Iterable[Trace | Monitored]) -> Points:
    return [dict(vars(row)) for row in rows]


def _lines(points: Points, x: Axis, y: Axis, colour: str | None = None) -> alt.Chart:
    chart = alt.Chart(alt.Data(values=points), width=_WIDTH, height=_HEIGHT)
    across, up = x.drawn(points, _WIDTH), y.drawn(points, _HEIGHT)
    lines = chart.mark_line(point=True).encode(
        x=alt.X(f"{x.field}:Q", title=x.title, scale=x.scale(points), axis=across),
        y=alt.Y(f"{y.field}:Q", title=y.title, scale=y.scale(points), axis=up),
    )
    return lines.encode(color=_colour(colour)) if colour else lines


def _colour(field: str) -> alt.Color:
    return alt.Color(f"{field}:N", title=None, sort=None, legend=alt.Legend(orient="top"))


def _titled(panels: Sequence[alt.Chart], title: str) -> alt.HConcatChart:
    return alt.hconcat(*panels, title=title).configure(background="white")
