"""The written form of exact rationals: `7`, `-2`, `0.5`, `1/3`, `1.5e3`."""

from __future__ import annotations

import math
import re
from fractions import Fraction

LONGEST = 400  # digits; more would be a mistake, and takes long to compute with
_MOST_BITS = int(LONGEST * math.log2(10))
_EXPONENT = re.compile(r"[eE]([+-]?\d+)")
_MOST_DECIMALS = 6


def is_readable(text: str) -> bool:
    """Whether the number can be taken exactly without writing out a huge power of ten."""
    exponent = _EXPONENT.search(text)
    return len(text) <= LONGEST and (exponent is None or abs(int(exponent[1])) <= LONGEST)


def is_short(number: Fraction | int) -> bool:
    """Whether the number has no more digits than one that is written out may have."""
    return max(number.numerator.bit_length(), number.denominator.bit_length()) <= _MOST_BITS


def read_number(text: str) -> Fraction | None:
    """The exact value; None if the denominator is zero."""
    number, _, denominator = text.replace("−", "-").partition("/")
    below = Fraction(denominator.strip() or 1)
    return Fraction(number.strip()) / below if below else None


def write_number(number: Fraction | int) -> str:
    """As a decimal where that is exact and short (`0.5`), else as a fraction (`1/3`)."""
    number = Fraction(number)
    for places in range(_MOST_DECIMALS + 1):
        scaled = number * 10**places
        if scaled.denominator == 1:
            return _decimal(scaled.numerator, places)
    return f"{number.numerator}/{number.denominator}"


def _decimal(digits: int, places: int) -> str:
    """`_decimal(-25, 1)` is "-2.5"."""
    if places == 0:
        return str(digits)
    sign = "-" if digits < 0 else ""
    text = str(abs(digits)).rjust(places + 1, "0")
    return f"{sign}{text[:-places]}.{text[-places:]}"
