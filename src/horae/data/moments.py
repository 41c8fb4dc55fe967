"""Moments as ISO 8601 writes them, as exact numbers of seconds since 1970."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from fractions import Fraction

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FRACTION = re.compile(r"(.*\d\d:\d\d:\d\d)[.,](\d+)(.*)", re.DOTALL)

MOMENT = r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
"""What stands in a text of facts: a date, with the time of day and its zone or without."""
_IS_MOMENT = re.compile(MOMENT)
_MOST_DIGITS = 60  # of a second; more would be a mistake


def is_moment(text: str) -> bool:
    """Whether a text looks like one; the 30th of February does."""
    return _IS_MOMENT.fullmatch(text) is not None


def seconds_since_1970(text: str) -> Fraction | None:
    """Without a zone it is UTC; None if there is no such moment, or none that anybody could measure."""
    found = _FRACTION.fullmatch(text)
    if found and len(found[2]) > _MOST_DIGITS:
        return None
    whole = found[1] + found[3] if found else text
    fraction = Fraction(f"0.{found[2]}") if found else Fraction(0)
    try:
        moment = datetime.fromisoformat(whole)
    except ValueError:
        return None
    known = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return Fraction((known - _EPOCH) // timedelta(seconds=1)) + fraction
