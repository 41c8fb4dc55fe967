"""The operators of value expressions on two (or one) present operands.

`int` is 64 bit and exact: what does not fit is a failure, never a wrong number. `double` is IEEE:
an intermediate result may be infinite; only an output must not be.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from horae.data.types import Type
from horae.languages.rtlola.program import StreamValue
from horae.reference.rtlola.failures import (
    DIVISION_BY_ZERO,
    INTEGER_OVERFLOW,
    NEGATIVE_EXPONENT,
    RunError,
)

_SMALLEST, _GREATEST = -(2**63), 2**63 - 1

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def fit_int(value: int) -> int:
    """The value itself if it has 64 bits."""
    if not _SMALLEST <= value <= _GREATEST:
        raise RunError(INTEGER_OVERFLOW, "an int result does not fit in 64 bits")
    return value


def apply_unary(symbol: str, operand: Any) -> StreamValue:
    if symbol == "not":
        return not operand
    return fit_int(-operand) if isinstance(operand, int) else float(-operand)


def apply_binary(symbol: str, type: Type, left: Any, right: Any) -> StreamValue:
    """`type` is the type of the operands."""
    if symbol in _COMPARISONS:
        return _COMPARISONS[symbol](left, right)
    arithmetic = _INT_ARITHMETIC if type is Type.INT else _DOUBLE_ARITHMETIC
    return arithmetic[symbol](left, right)


def _require_divisor(divisor: float) -> None:
    if divisor == 0:
        raise RunError(DIVISION_BY_ZERO, "division by zero")


def _divide_ints(left: int, right: int) -> int:
    """Truncates toward zero, unlike Python's `//`."""
    _require_divisor(right)
    quotient = abs(left) // abs(right)
    return fit_int(quotient if (left < 0) == (right < 0) else -quotient)


def _remainder_of_ints(left: int, right: int) -> int:
    """Has the sign of the dividend, unlike Python's `%`."""
    _require_divisor(right)
    remainder = abs(left) % abs(right)
    return -remainder if left < 0 else remainder


def _raise_int(base: int, exponent: int) -> int:
    if exponent < 0:
        raise RunError(NEGATIVE_EXPONENT, "a negative exponent of an int")
    if abs(base) > 1 and exponent > 63:
        raise RunError(INTEGER_OVERFLOW, "an int result does not fit in 64 bits")
    return fit_int(base**exponent)


def _divide_doubles(left: float, right: float) -> float:
    _require_divisor(right)
    return left / right


def _remainder_of_doubles(left: float, right: float) -> float:
    _require_divisor(right)
    return math.nan if math.isinf(left) else math.fmod(left, right)


def _raise_double(base: float, exponent: float) -> float:
    """As C's `pow`: infinite where Python raises an exception, NaN where Python goes complex."""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        odd = math.fmod(exponent, 2.0) in (1.0, -1.0)
        return -math.inf if base < 0 and odd else math.inf
    except ValueError:
        return math.inf if base == 0 else math.nan


_INT_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": lambda left, right: fit_int(left + right),
    "-": lambda left, right: fit_int(left - right),
    "*": lambda left, right: fit_int(left * right),
    "/": _divide_ints,
    "%": _remainder_of_ints,
    "^": _raise_int,
}
_DOUBLE_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide_doubles,
    "%": _remainder_of_doubles,
    "^": _raise_double,
}
