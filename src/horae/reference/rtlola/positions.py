"""The positions of the global clock: one per input row, and one per time at which a rate ticks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from horae.languages.rtlola.program import Periodic, Program


@dataclass(frozen=True, slots=True)
class Position:
    """`row` is None at a tick, `periods` is empty at an event; `number` counts rows from 1."""

    index: int
    time: Fraction
    row: Mapping[str, object] | None
    number: int | None
    periods: frozenset[Fraction]


def list_positions(
    program: Program, rows: Sequence[Mapping[str, object]], origin: Fraction, column: str
) -> list[Position]:
    """Rows in the order of time (equal times: as listed), ticks after the events of their time."""
    found = [
        Position(0, read_time(row[column]), row, number, frozenset())
        for number, row in enumerate(rows, start=1)
    ]
    found += _ticks(program, [position.time for position in found], origin)
    found.sort(key=lambda position: (position.time, bool(position.periods)))
    return [Position(index, p.time, p.row, p.number, p.periods) for index, p in enumerate(found)]


def time_column(program: Program, rows: Sequence[Mapping[str, object]], given: str | None) -> str:
    """`time`, unless another is given or only the `timeinput` is there."""
    clock = program.clock
    if given is not None or clock is None:
        return given or "time"
    named = any(clock.name in row for row in rows) and not any("time" in row for row in rows)
    return clock.name if named else "time"


def read_time(value: object) -> Fraction:
    """A float means its shortest decimal: 0.1 is one tenth."""
    if isinstance(value, float):
        return Fraction(repr(value))
    if isinstance(value, int | str | Fraction):
        return Fraction(value)
    raise TypeError(f"not a time: {value!r}")


def write_time(time: Fraction) -> int | float:
    return int(time) if time.denominator == 1 else float(time)


def _ticks(program: Program, times: Sequence[Fraction], origin: Fraction) -> list[Position]:
    if not times:
        return []
    periods: dict[Fraction, set[Fraction]] = {}
    for period in _periods(program):
        for time in _multiples(period, min(times), max(times), origin):
            periods.setdefault(time, set()).add(period)
    return [Position(0, time, None, None, frozenset(found)) for time, found in periods.items()]


def _periods(program: Program) -> set[Fraction]:
    """The rates that an output extends or terminates by; an unused header ticks nowhere."""
    paces = [output.pace for output in program.outputs]
    ends = [output.template.terminate for output in program.outputs]
    return {pace.period for pace in (*paces, *ends) if isinstance(pace, Periodic)}


def _multiples(
    period: Fraction, first: Fraction, last: Fraction, origin: Fraction
) -> Iterator[Fraction]:
    start = math.ceil((first - origin) / period)
    end = math.floor((last - origin) / period)
    return (origin + count * period for count in range(start, end + 1))
