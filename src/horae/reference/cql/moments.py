"""What a query can read at one evaluation time: relations, streams, and the queries before it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from horae.data.schema import RegisteredInput
from horae.languages.cql.program import Program, Scan
from horae.reference.cql.rows import Row, Value, fit_row
from horae.reference.cql.windows import Timed, rows_in_window

Fact = tuple[str, tuple[Value, ...], int | None] | tuple[str, tuple[Value, ...], int | None, Any]
"""A row of a stream with its time, or of a relation with None; perhaps with its `order`."""


@dataclass
class Contents:
    """`relations` holds background data, and the rows of each query at the current evaluation time.

    `streams` holds the rows of input streams, and the answers of each query so far.
    """

    relations: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    streams: dict[str, list[Timed]] = field(default_factory=lambda: defaultdict(list))

    def read(self, scan: Scan, now: int) -> list[Row]:
        if scan.window is None:
            return self.relations[scan.name]
        return rows_in_window(scan, self.streams[scan.name], now)


def read_facts(program: Program, facts: Iterable[Fact]) -> Contents:
    """Names are the same in any case; rows of names that are not registered have no meaning."""
    inputs = {item.name.lower(): item for item in program.inputs}
    contents = Contents()
    for fact in facts:
        if (item := inputs.get(fact[0].lower())) is not None:
            _put(contents, item, fact)
    return contents


def _put(contents: Contents, item: RegisteredInput, fact: Fact) -> None:
    name, values, time, *order = fact
    if (time is not None) != item.is_stream:
        raise ValueError(f"{name}: rows of streams have a time, rows of relations have none")
    row = fit_row(values, item.columns)
    if time is None:
        contents.relations[item.name].append(row)
    else:
        contents.streams[item.name].append(Timed(row, time, *order))
