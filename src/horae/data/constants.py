"""Constants of rules and facts."""

from __future__ import annotations

from fractions import Fraction

Value = str | int | Fraction
"""A name or quoted text, a whole number, or an exact rational that is not whole."""


def sort_key(value: Value) -> tuple[int, Fraction | int, str]:
    """Numbers before text, by value or code point."""
    return (1, 0, value) if isinstance(value, str) else (0, value, "")


def fits(number: int) -> bool:
    """Whether a whole number has 64 bits."""
    return -(2**63) <= number < 2**63


def json_value(value: Value) -> str | int:
    """Whole numbers are JSON numbers; other rationals are text, so that they stay exact."""
    return str(value) if isinstance(value, Fraction) else value
