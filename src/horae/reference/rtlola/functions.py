"""The built-in functions and casts on present arguments."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from horae.languages.rtlola.program import StreamValue
from horae.reference.rtlola.failures import (
    BAD_PATTERN,
    FAILED_CAST,
    INTEGER_OVERFLOW,
    NOT_FINITE,
    RunError,
)
from horae.reference.rtlola.operators import fit_int
from horae.source import patterns

_INTEGER = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def call(function: str, arguments: list[Any]) -> StreamValue:
    return _FUNCTIONS[function](*arguments)


def _absolute(value: Any) -> StreamValue:
    return fit_int(abs(value)) if isinstance(value, int) else abs(float(value))


def _root(value: float) -> float:
    if value < 0:
        raise RunError(NOT_FINITE, "sqrt of a negative number")
    return math.sqrt(value)


def _logarithm(value: float) -> float:
    if value <= 0:
        raise RunError(NOT_FINITE, "log of a number that is not positive")
    return math.log(value)


def _exponential(value: float) -> float:
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def _periodic(function: Callable[[float], float]) -> Callable[[float], float]:
    """`sin`, `cos`, `tan`: not a number at infinity, where Python raises an exception."""
    return lambda value: math.nan if math.isinf(value) else function(value)


def _whole(rounding: Callable[[Fraction], int]) -> Callable[[float], int]:
    def to_int(value: float) -> int:
        if not math.isfinite(value):
            raise RunError(INTEGER_OVERFLOW, "an int result does not fit in 64 bits")
        return fit_int(rounding(Fraction(value)))

    return to_int


def _round_half_away(value: Fraction) -> int:
    magnitude = math.floor(abs(value) + Fraction(1, 2))
    return -magnitude if value < 0 else magnitude


def _matches(text: str, pattern: str) -> bool:
    if patterns.mistake_in(pattern) is not None:
        raise RunError(BAD_PATTERN, f"not a regular expression: {pattern!r}")
    return patterns.matches(text, pattern)


def _to_int(value: StreamValue) -> int:
    try:
        return fit_int(_parse_int(value) if isinstance(value, str) else int(value))
    except (RunError, ValueError, OverflowError) as error:
        raise RunError(FAILED_CAST, f"{_to_string(value)!r} cannot become an int") from error


def _parse_int(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise ValueError(text)
    return int(text)


def _to_double(value: StreamValue) -> float:
    if not isinstance(value, str):
        return float(value)
    if not _NUMBER.fullmatch(value) or math.isinf(float(value)):
        raise RunError(FAILED_CAST, f"{value!r} cannot become a double")
    return float(value)


def _to_string(value: StreamValue) -> str:
    """A double is written as its shortest decimal that reads back as the same double."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


_FUNCTIONS: dict[str, Callable[..., StreamValue]] = {
    "abs": _absolute,
    "min": min,
    "max": max,
    "sqrt": _root,
    "exp": _exponential,
    "log": _logarithm,
    "sin": _periodic(math.sin),
    "cos": _periodic(math.cos),
    "tan": _periodic(math.tan),
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "round": _whole(_round_half_away),
    "length": len,
    "contains": lambda text, part: part in text,
    "matches": _matches,
    "int": _to_int,
    "double": _to_double,
    "string": _to_string,
}
