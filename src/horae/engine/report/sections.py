"""Titled tables and sentences: what a report is made of, the same for text and for notebooks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    numeric: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence about a place, with what to do about it."""

    place: str
    construct: str
    text: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    table: Table | None = None
    findings: tuple[Finding, ...] = ()
    lines: tuple[str, ...] = ()
