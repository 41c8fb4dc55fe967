"""How durations, rates and sizes are written, in the syntax of the language where it has one."""

from __future__ import annotations

from fractions import Fraction

_UNITS = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))


def duration(seconds: int | Fraction) -> str:
    """In the largest unit that gives a whole number: `2h`, `90s`, `250ms`; else `1/3s`."""
    if seconds == 0:
        return "0s"
    for name, size in _UNITS:
        if seconds % size == 0:
            return f"{seconds // size}{name}"
    milliseconds = seconds * 1000
    return f"{milliseconds}ms" if milliseconds.denominator == 1 else f"{seconds}s"


def frequency(hertz: Fraction) -> str:
    """`1Hz`, `0.1Hz`; a rate without a short decimal stays a quotient: `2/3Hz`."""
    if (hertz * 1000).denominator == 1:
        return f"{float(hertz):g}Hz" if hertz < 10**6 else f"{hertz}Hz"
    return f"{hertz}Hz"


def extend_rate(period: Fraction) -> str:
    """A period as people write it behind `extend:`: `1Hz`, `10Hz`, but `10min`."""
    hertz = 1 / period
    return frequency(hertz) if hertz.denominator == 1 else duration(period)


def exact(number: int | Fraction) -> object:
    """An integer where it is one, else the quotient as text: JSON has no rationals."""
    return number.numerator if number.denominator == 1 else str(number)


def counted(amount: int | Fraction, noun: str) -> str:
    """`1 value`, `10 values`, `5/2 units of time`: what stands before `of` is counted."""
    shown = f"{amount.numerator:,}" if amount.denominator == 1 else str(amount)
    return f"{shown} {noun if amount == 1 else _plural(noun)}"


def _plural(noun: str) -> str:
    first, of, rest = noun.partition(" of ")
    return f"{first}s{of}{rest}"
