"""Constants and times of facts from what files, tables and Python hold."""

from __future__ import annotations

import json
import math
import re
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np

from horae.data.clock import Clock, is_future
from horae.data.constants import Value
from horae.data.intervals import Interval
from horae.data.rationals import LONGEST, is_readable, is_short
from horae.source.text import is_unicode

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
_INTERVAL = re.compile(r"\s*([\[(])([^,]*),([^,]*)([\])])\s*")
_PAST = ("-inf", "-∞")


def constant(found: object) -> Value | None:
    """The constant for a value with a type; None if it cannot be one."""
    match _plain(found):
        case bool() as truth:
            return "true" if truth else "false"
        case str() as text:
            return text if is_unicode(text) else None
        case int() | Fraction() as number:
            return _whole(Fraction(number)) if is_short(number) else None
        case Decimal() | float() as number if math.isfinite(number):
            return _whole(Fraction(str(number))) if is_readable(str(number)) else None
        case datetime() | date() as moment:
            return moment.isoformat()
        case _:
            return None


def _plain(found: object) -> object:
    """NumPy's numbers as Python's, and its dates as text."""
    if isinstance(found, np.generic):
        return str(found) if isinstance(found, np.datetime64) else found.item()
    return found


def constant_of_text(text: str) -> Value:
    """Text without types, as in CSV: `7` and `2.5` are numbers, `007` and `a1` are not."""
    is_number = len(text) <= LONGEST and _NUMBER.fullmatch(text) is not None
    return _whole(Fraction(text)) if is_number else text


def _whole(number: Fraction) -> Value:
    return number.numerator if number.denominator == 1 else number


def interval_of_text(text: str, clock: Clock) -> Interval | None:
    """`[1,5/2)`, `(-inf,3]`; None if it is none. It may be empty."""
    parts = _INTERVAL.fullmatch(text)
    if parts is None:
        return None
    low, high = parts[2].strip(), parts[3].strip()
    begin, end = clock.exact(low), clock.exact(high)
    if (begin is None and low not in _PAST) or (end is None and not is_future(high)):
        return None
    return Interval(begin, end, parts[1] == "(", parts[4] == ")")


# --- constants as text that is equal iff they are


_quoted = json.JSONEncoder(ensure_ascii=False).encode


def write_constant(value: Value) -> str:
    """`"a1"`, `7`, `5/2`."""
    return _quoted(value) if isinstance(value, str) else str(value)


def read_constant(text: str) -> Value:
    if text[0] == '"':
        return json.loads(text) if "\\" in text else text[1:-1]
    return Fraction(text) if "/" in text else int(text)


def json_text(value: Value) -> str:
    """As JSON has it: of rationals that are not whole, a text."""
    return f'"{value}"' if isinstance(value, Fraction) else write_constant(value)
