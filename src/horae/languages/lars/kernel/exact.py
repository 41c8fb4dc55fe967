"""Exact results of arithmetic, as long as they stay of a size that can be computed with."""

from __future__ import annotations

from fractions import Fraction

from horae.languages.lars import catalogue

_LARGEST = 4096
"""Bits of a number. Recursion that multiplies would double them in each round, without end."""


def bounded_number(number: int | Fraction) -> int | Fraction:
    """The number, an integer if it is whole; an error if it has become too large."""
    if number.numerator.bit_length() > _LARGEST or number.denominator.bit_length() > _LARGEST:
        raise catalogue.GROWING_NUMBERS()
    return number.numerator if number.denominator == 1 else number
