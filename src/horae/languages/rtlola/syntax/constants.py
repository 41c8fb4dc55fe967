"""The written form of constants: units of time, and rates."""

from __future__ import annotations

import re
from fractions import Fraction

from horae.data.durations import UNITS

_HERTZ = {"mHz": Fraction(1, 1000), "Hz": Fraction(1), "kHz": Fraction(1000)}
_MOST_DIGITS = 400  # far beyond any `double`, and few enough to write out


def is_readable(number: str) -> bool:
    """Whether the number can be taken exactly, without thousands of digits or a huge power of ten."""
    if len(number) > _MOST_DIGITS:
        return False
    exponent = re.search(r"[eE]([+-]?\d+)$", number)
    return exponent is None or abs(int(exponent[1])) <= _MOST_DIGITS


def seconds(number: str, unit: str) -> Fraction | None:
    """`("10", "s")` is 10 seconds; None if there is no such unit of time."""
    factor = UNITS.get(unit)
    return None if factor is None else Fraction(number) * factor


def period(number: str, unit: str) -> Fraction | None:
    """`("2", "Hz")` and `("0.5", "s")` are half a second; zero stands for a rate of 0 Hz."""
    factor = _HERTZ.get(unit)
    if factor is None:
        return seconds(number, unit)
    hertz = Fraction(number) * factor
    return 1 / hertz if hertz else Fraction(0)
