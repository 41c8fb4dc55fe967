"""One time written as text, as an exact number of seconds."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from fractions import Fraction

from horae.inputs.numbers import is_number

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FRACTION = re.compile(r"(.*\d\d:\d\d:\d\d)[.,](\d+)(.*)", re.DOTALL)
_MOST_DIGITS = 60


def seconds_of(text: str) -> Fraction | None:
    """A number of seconds, or ISO 8601 with a zone or without one (UTC); None if it is neither."""
    stripped = text.strip()
    if is_number(stripped):
        return Fraction(stripped) if _is_sane(stripped) else None
    found = _FRACTION.fullmatch(stripped)
    whole = found[1] + found[3] if found else stripped
    fraction = Fraction(f"0.{found[2]}") if found else Fraction(0)
    moment = _parse(whole)
    return None if moment is None else _since_epoch(moment) + fraction


def _is_sane(number: str) -> bool:
    """`1e999999999` would be a number of a billion digits."""
    _, _, exponent = number.lower().partition("e")
    return len(number) <= _MOST_DIGITS and abs(int(exponent or "0")) <= _MOST_DIGITS


def _parse(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _since_epoch(moment: datetime) -> Fraction:
    return Fraction((moment - _EPOCH) // timedelta(seconds=1))
