"""Durations, as options and programs write them: `10 s`, `5min`, `0.5 h`, or a plain number.

A plain number counts seconds, or time points where times are ticks of a clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from horae.data.clock import DECIMALS, NAMES
from horae.data.rationals import is_readable, read_number

if TYPE_CHECKING:
    from lark import Token

UNITS = {
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "sec": Fraction(1),
    "m": Fraction(60),
    "min": Fraction(60),
    "h": Fraction(3600),
    "d": Fraction(86400),
}
"""In seconds."""
_DURATION = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)\s*")


def read_duration(name: str, written: str | float | Fraction) -> Fraction:
    """A duration in seconds; `name` is the option that a message speaks of."""
    number, unit = _parts(name, written)
    return number * UNITS[unit or "s"]


def whole_points(name: str, written: str | float | Fraction, precision: str = "s") -> int:
    """A duration in time points of a precision."""
    number, unit = _parts(name, written)
    points = number if unit is None else points_of(number * UNITS[unit], precision)
    if points.denominator != 1:
        raise ValueError(
            f"{name}: `{written}` is not a whole number of time points ({NAMES[precision]})"
        )
    return points.numerator


def _parts(name: str, written: str | float | Fraction) -> tuple[Fraction, str | None]:
    parts = _DURATION.fullmatch(str(written).lower())
    if parts is None or (parts[2] and parts[2] not in UNITS):
        raise ValueError(
            f"{name}: `{written}` is not a duration; write for example `10 s` or `5 min`"
        )
    return Fraction(parts[1]), parts[2] or None


def points_of(seconds: Fraction, precision: str) -> Fraction:
    return seconds * int(10 ** DECIMALS[precision])


def precision_for(durations: Iterable[Fraction]) -> str:
    """The coarsest precision at which these durations, in seconds, are whole; the finest if none is."""
    known = tuple(durations)
    whole = (p for p in DECIMALS if all(points_of(d, p).denominator == 1 for d in known))
    return next(whole, "ns")


def durations_in(tokens: Sequence[Token]) -> Iterator[Fraction]:
    """The durations of a program text, a number and a unit each, in seconds."""
    for number, unit in pairwise(tokens):
        if number.type == "NUMBER" and unit.lower() in UNITS and is_readable(number):
            yield (read_number(number) or Fraction(0)) * UNITS[unit.lower()]
