"""What a time is: the one place where users' times become exact numbers, for all languages.

A time is written as a number, as a date (ISO 8601, with a zone or in UTC), or held by one of Python's,
NumPy's and pandas' types. A `Clock` says what numbers count and how fine times are. It measures a time
in seconds where times are exact rationals, and in ticks where a precision is declared. Here one value is
read; `times` does the same with columns.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum, auto
from fractions import Fraction

from horae.data.moments import seconds_since_1970
from horae.data.natural_times import LAST as LAST
from horae.data.numbers import is_number
from horae.data.rationals import LONGEST, is_readable, is_short
from horae.source.text import is_unicode

DECIMALS = {"s": 0, "ms": 3, "us": 6, "ns": 9}
"""The names of units and precisions, and the decimal places of a second that they keep."""
NAMES = {"s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds"}

_RATIONAL = re.compile(r"\s*([+-]?[0-9]+)\s*/\s*([0-9]+)\s*")
_FUTURE = ("inf", "+inf", "∞", "+∞")


class Problem(Enum):
    """Why a value is no time of a clock."""

    MISSING = auto()
    NO_TIME = auto()
    WRONG_TYPE = auto()  # of a whole column
    NOT_FINITE = auto()
    TOO_FINE = auto()
    INEXACT = auto()  # a double that is too large to be as fine as the clock
    BEFORE_ZERO = auto()
    TOO_LARGE = auto()


class WrongTimeError(Exception):
    """The first value of a column that is no time; callers make a message of it."""

    def __init__(self, problem: Problem, index: int, value: object) -> None:
        super().__init__(problem, index, value)
        self.problem = problem
        self.index = index
        self.value = value


@dataclass(frozen=True, slots=True)
class Clock:
    """How times are read and measured.

    `unit` is what users say that numbers count. `precision` is the size of a tick; without one, times
    are exact rationals in seconds. On a `natural` clock, that of LARS and CQL, times are the ticks
    from 0 on, and numbers count ticks if nobody says otherwise; on others they count seconds.
    """

    unit: str | None = None
    precision: str | None = None
    natural: bool = False

    def __post_init__(self) -> None:
        for name, value in (("time_unit", self.unit), ("precision", self.precision)):
            if value is not None and value not in DECIMALS:
                raise ValueError(f"{name} must be one of {', '.join(DECIMALS)}, not `{value}`")

    @property
    def number_unit(self) -> str:
        """What numbers count, said or not."""
        return self.unit or (self.precision if self.natural else None) or "s"

    @property
    def numbers_per_second(self) -> int:
        return int(10 ** DECIMALS[self.number_unit])

    @property
    def per_second(self) -> int:
        """Ticks in a second, or 1 where times are measured in seconds."""
        return int(10 ** DECIMALS[self.precision or "s"])

    @property
    def without_precision(self) -> Clock:
        """The same times as exact rationals, in seconds."""
        return Clock(self.number_unit)

    @property
    def numbers_are_measures(self) -> bool:
        """Whether a number is the time that it counts."""
        return self.numbers_per_second == self.per_second

    def of_seconds(self, seconds: Fraction) -> Fraction:
        return seconds * self.per_second

    def of_number(self, number: Fraction) -> Fraction:
        return number * self.per_second / self.numbers_per_second

    def exact(self, value: object) -> Fraction | None:
        """The time that a value says; None if it says none."""
        plain = _plain(value)
        number = _number(plain)
        if number is not None:
            return self.of_number(number)
        if isinstance(plain, date):
            plain = plain.isoformat()  # a pandas Timestamp too, with its nanoseconds
        seconds = seconds_since_1970(plain.strip()) if isinstance(plain, str) else None
        return None if seconds is None else self.of_seconds(seconds)


SECONDS = Clock()
"""Exact times, and numbers that count seconds."""
TIME_POINTS = Clock(precision="s", natural=True)
"""The natural numbers, which are seconds if they are compared with dates or durations."""


def is_count(value: object) -> bool:
    """Whether a time is a number, and no date."""
    return _number(_plain(value)) is not None


def written_time(value: object) -> str | None:
    """Text that says the same time; None for what is none at all."""
    match _plain(value):
        case bool():
            return None
        case str() as text:
            return text if is_unicode(text) and text != "NaT" else None
        case date() as moment:
            return None if moment != moment else moment.isoformat()
        case int() | Fraction() as number:
            return str(number) if is_short(number) else None
        case float() | Decimal() as number:
            return str(number)
        case _:
            return None


def is_future(value: object) -> bool:
    """Whether an end is written as infinite: `inf`, or an infinite number."""
    if isinstance(value, str):
        return value.strip().lower() in _FUTURE
    return isinstance(value, float | Decimal) and value == math.inf


def _plain(value: object) -> object:
    """NumPy's values as Python's, and its dates as text: they may have nanoseconds."""
    if type(value).__module__ != "numpy":
        return value
    return str(value) if type(value).__name__ == "datetime64" else value.item()  # type: ignore[attr-defined]


def _number(value: object) -> Fraction | None:
    match value:
        case bool():
            return None
        case int() | Fraction():
            return Fraction(value) if is_short(value) else None
        case float() | Decimal() if math.isfinite(value):
            return Fraction(str(value)) if is_readable(str(value)) else None
        case str():
            return _number_of_text(value)
        case _:
            return None


def _number_of_text(text: str) -> Fraction | None:
    if is_number(text):
        return Fraction(text.strip()) if is_readable(text) else None
    quotient = _RATIONAL.fullmatch(text) if len(text) <= LONGEST else None
    if quotient is None or not int(quotient[2]):
        return None
    return Fraction(int(quotient[1]), int(quotient[2]))
