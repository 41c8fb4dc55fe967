"""One time written as text, as an exact number of seconds."""

from __future__ import annotations

from fractions import Fraction

from horae.data.moments import seconds_since_1970
from horae.data.numbers import is_number

_MOST_DIGITS = 60


def seconds_of(text: str, per_second: int = 1) -> Fraction | None:
    """A number of seconds, or ISO 8601 with a zone or without one (UTC); None if it is neither.

    A number may count something else, of which there are so many `per_second`.
    """
    stripped = text.strip()
    if is_number(stripped):
        return Fraction(stripped) / per_second if _is_sane(stripped) else None
    return seconds_since_1970(stripped)


def _is_sane(number: str) -> bool:
    """`1e999999999` would be a number of a billion digits."""
    _, _, exponent = number.lower().partition("e")
    return len(number) <= _MOST_DIGITS and abs(int(exponent or "0")) <= _MOST_DIGITS
