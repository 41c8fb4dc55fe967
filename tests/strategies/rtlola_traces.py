"""Random input for a specification: many equal times, gaps, nulls, and values on window borders.

Times are multiples of 1/4, like the durations of the specifications, so that events fall on the
borders of windows and on ticks. Doubles are small multiples of 1/4: their sums are exact.
"""

from __future__ import annotations

from random import Random

from horae.data.types import Type
from horae.languages.rtlola.program import Input, Program

_STEPS = (0, 0, 0.25, 0.5, 0.5, 0.5, 1, 1, 2)
_GAPS = (3, 5, 6.5, 8)
_LONGEST = 60


def random_trace(rng: Random, program: Program) -> list[dict[str, object]]:
    """Up to 40 rows, sorted by time, within a minute."""
    rows: list[dict[str, object]] = []
    time = rng.choice((0, 0.25, 1, 3.5))
    size, density = _size(rng), rng.choice((0.4, 0.7, 0.9))
    while len(rows) < size and time <= _LONGEST:
        rows.append({"time": time} | _row(rng, program, density))
        time += rng.choice(_GAPS) if rng.random() < 0.08 else rng.choice(_STEPS)
    return rows


def _size(rng: Random) -> int:
    return rng.choice((0, 1, 2)) if rng.random() < 0.04 else rng.randint(5, 40)


def _row(rng: Random, program: Program, density: float) -> dict[str, object]:
    columns = [stream for stream in program.inputs if not stream.is_clock]
    row = {s.name: _value(rng, s) for s in columns if rng.random() < density}
    if rng.random() < 0.1 and columns:
        row[rng.choice(columns).name] = None
    return row


def _value(rng: Random, stream: Input) -> object:
    match stream.type:
        case Type.INT:
            return rng.randint(-1, 2) if stream.name == "k" else rng.randint(0, 3)
        case Type.DOUBLE:
            return rng.randint(-16, 16) / 4
        case Type.BOOL:
            return rng.random() < 0.5
        case Type.STRING:
            return rng.choice(("u", "v", "w1"))
