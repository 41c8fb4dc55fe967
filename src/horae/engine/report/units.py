"""How durations, rates and sizes are written, in the syntax of the language where it has one."""

from __future__ import annotations

from fractions import Fraction

_UNITS = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))


def duration(seconds: Fraction) -> str:
    """In the largest unit that gives a whole number: `2h`, `90s`, `250ms`; else `1/3s`."""
    if seconds == 0:
        return "0s"
    for name, size in _UNITS:
        if (seconds / size).denominator == 1:
            return f"{seconds / size}{name}"
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


def counted(amount: int | Fraction, noun: str) -> str:
    """`1 value`, `10 values`."""
    return f"{amount:,} {noun}" if amount == 1 else f"{amount:,} {noun}s"
