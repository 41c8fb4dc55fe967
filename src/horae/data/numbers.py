"""Numbers written as text. Arrow reads columns of them quickly; these functions decide what counts.

Arrow is a little too generous (`0x1F`) and too strict (`+5`, ` 5`) at once, and does not say which
row it dislikes.
"""

from __future__ import annotations

import re
from fractions import Fraction

_INT = re.compile(r"[+-]?[0-9]+")
_REAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_BOOLS = {"true": True, "false": False, "1": True, "0": False}


def parse_int(text: str) -> int | None:
    """The number if it is one of 64 bits."""
    stripped = text.strip()
    if not _INT.fullmatch(stripped) or len(stripped) > 25:
        return None
    value = int(stripped)
    return value if -(2**63) <= value < 2**63 else None


def parse_double(text: str) -> float | None:
    stripped = text.strip()
    return float(stripped) if _REAL.fullmatch(stripped) else None


def parse_bool(text: str) -> bool | None:
    return _BOOLS.get(text.strip().lower())


def is_number(text: str) -> bool:
    return _REAL.fullmatch(text.strip()) is not None


def show(found: object) -> str:
    """A value for a message; Python itself does not write integers of thousands of digits.

    Halves of characters are written as their codes: no output could take them.
    """
    try:
        shown = found if isinstance(found, str) else repr(found)
        return shown.encode(errors="backslashreplace").decode()
    except ValueError:
        return "a number of thousands of digits"


def show_exact(number: Fraction | int) -> str:
    """`7`, `5/2`."""
    whole = show(number.numerator)
    return whole if number.denominator == 1 else f"{whole}/{show(number.denominator)}"
