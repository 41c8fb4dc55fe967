"""Durations as options have them: `10 s`, `5min`, `0.5 h`, or a number of seconds."""

from __future__ import annotations

import re
from fractions import Fraction

_UNITS = {
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "sec": Fraction(1),
    "m": Fraction(60),
    "min": Fraction(60),
    "h": Fraction(3600),
    "d": Fraction(86400),
}
_DURATION = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)\s*")


def read_duration(name: str, written: str | float | Fraction) -> Fraction:
    """In seconds; `name` is the option that a message speaks of."""
    found = _DURATION.fullmatch(str(written).lower())
    unit = _UNITS.get(found[2] or "s") if found is not None else None
    if found is None or unit is None:
        raise ValueError(
            f"{name}: `{written}` is not a duration; write for example `10 s` or `5 min`"
        )
    return Fraction(found[1]) * unit


def whole_points(name: str, written: str | float | Fraction) -> int:
    """In time points, which are seconds."""
    seconds = read_duration(name, written)
    if seconds.denominator != 1:
        raise ValueError(f"{name}: `{written}` is not a whole number of time points (seconds)")
    return seconds.numerator
