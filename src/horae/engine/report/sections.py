"""Titled tables and sentences: what a report is made of, the same for text and for notebooks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableColumn:
    title: str
    numeric: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence about a place, with what to do about it."""

    place: str
    construct: str
    text: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A titled list of points, each with a label; `steps` are lines whose indentation counts."""

    title: str
    points: tuple[tuple[str, str], ...]
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    table: Table | None = None
    findings: tuple[Finding, ...] = ()
    lines: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()

    @property
    def is_empty(self) -> bool:
        has_rows = self.table is not None and bool(self.table.rows)
        return not (has_rows or self.findings or self.lines or self.entries)
