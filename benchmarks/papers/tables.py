"""Tables of results in Markdown, one per experiment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from benchmarks.lars_windows import Compared
from benchmarks.meteor.sides import Raced
from benchmarks.papers.products import Monitored
from benchmarks.papers.rates import Trace

Columns = Sequence[tuple[str, Callable[[Any], str]]]
"""Titles, and what a row has there."""


def _count(value: float) -> str:
    return f"{value:,.0f}"


def _seconds(value: float) -> str:
    return f"{value:,.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.4f}"


def _times(other: float, own: float) -> str:
    return f"{other / own:,.1f}"


_RATES: Columns = [
    ("events/s", lambda row: _count(row.rate)),
    ("wall s", lambda row: _seconds(row.wall)),
    ("CPU s", lambda row: _seconds(row.cpu)),
    ("peak memory, MiB", lambda row: _count(row.peak_mib)),
    ("the monitor holds, bytes", lambda row: _count(row.held_bytes)),
    ("its bound, bytes", lambda row: _count(row.bound_bytes)),
]
_LENGTHS: Columns = [
    ("events", lambda row: _count(row.events)),
    ("events read per s", lambda row: _count(row.events / row.wall)),
    *_RATES[1:],
]
_PRODUCTS: Columns = [
    ("products", lambda row: _count(row.products)),
    ("ratings", lambda row: _count(row.ratings)),
    ("engine", lambda row: row.engine),
    ("wall s", lambda row: _seconds(row.wall)),
    ("CPU s", lambda row: _seconds(row.cpu)),
    ("peak memory, MiB", lambda row: _count(row.peak_mib)),
    ("of which JVM", lambda row: _count(row.java_mib) if row.java_mib else ""),
    ("notifications", lambda row: _count(row.notifications)),
]
_LARS: Columns = [
    ("time points in the window", lambda row: _count(row.window)),
    ("facts per time point", lambda row: _count(row.facts)),
    ("Horae, ms per time point", lambda row: f"{row.horae:.2f}"),
    ("clingo, ms per time point", lambda row: f"{row.clingo:.1f}"),
    ("times as fast", lambda row: _times(row.clingo, row.horae)),
]


def _raced(part: str, title: str) -> Columns:
    return [
        (f"{title}: Horae, s", lambda row: _seconds(row.horae[part])),
        ("MeTeoR, s", lambda row: _seconds(row.meteor[part])),
        ("times as fast", lambda row: _times(row.meteor[part], row.horae[part])),
    ]


_DATALOGMTL: Columns = [
    ("workload", lambda row: row.workload),
    ("facts", lambda row: _count(row.facts)),
    ("answers", lambda row: _count(row.answers)),
    *_raced("from file", "from a file to answers"),
    *_raced("evaluation", "evaluation alone"),
    *_raced("whole process", "whole process"),
]


def rates_table(rows: Iterable[Trace]) -> str:
    return _table(_RATES, rows)


def lengths_table(rows: Iterable[Trace]) -> str:
    return _table(_LENGTHS, rows)


def products_table(rows: Iterable[Monitored]) -> str:
    return _table(_PRODUCTS, rows)


def datalogmtl_table(rows: Iterable[Raced]) -> str:
    return _table(_DATALOGMTL, sorted(rows, key=lambda row: (row.workload, row.facts)))


def lars_table(rows: Iterable[Compared]) -> str:
    return _table(_LARS, rows)


def _table(columns: Columns, rows: Iterable[Any]) -> str:
    """Numbers stand at the right."""
    found = [[cell(row) for _, cell in columns] for row in rows]
    lines = [[title for title, _ in columns], ["---:"] * len(columns), *found]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
