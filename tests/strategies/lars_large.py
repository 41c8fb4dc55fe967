"""Random programs with large times, large numbers and long recursion, made from small ones."""

from __future__ import annotations

import re
from random import Random

from tests.strategies.lars_data import LAST
from tests.strategies.lars_programs import random_program

from horae.data.natural_times import LAST as LAST_TIME_POINT

_BEGINNINGS = (
    0,
    997,
    2**31 - 7,
    2**40 - 5,
    1_763_000_000_000,  # milliseconds since 1970
    2**53 - 3,
    1_763_000_000_000_000_000,  # nanoseconds
    2**61,
    LAST_TIME_POINT - 80,
)
_NUMBERS = ("7", "-3", str(2**40), str(2**62), str(2**63), str(-(2**62)), str(10**30))
_FAR = 40  # time points until which recursion may go

_TIME = re.compile(r"(?<=@)(\d+)|(?<=@\[)(\d+),(\d+)|(?<=\b)(T\d? (?:<|>|!=|<=|>=) )(\d+)")
_CONSTANT = re.compile(r"(?<=[(,])([abc])(?=[,)])")
_RECURSION = f"T <= {LAST}"


Sample = tuple[str, str, list[int]]
"""The program, the facts, and the evaluation times."""


def random_large_program(rng: Random, *, kind: str) -> Sample:
    """As `random_program`, but everything happens later, and some constants are numbers."""
    sample = random_program(rng, kind=kind)
    return enlarged(rng, sample, random_beginning(rng))


def random_beginning(rng: Random) -> int:
    """A time point to which 0 is moved."""
    return rng.choice(_BEGINNINGS) + rng.randint(0, 5)


def enlarged(rng: Random, sample: Sample, begin: int) -> Sample:
    text, facts, times = sample
    far = _FAR if rng.random() < 0.3 else LAST
    text = text.replace(_RECURSION, f"T <= {far}, T >= 0")  # it is far to the first time point
    numbers = {name: rng.choice(_NUMBERS) for name in "abc" if rng.random() < 0.4}
    text, facts = (_renamed(_later(each, begin), numbers) for each in (text, facts))
    return text, facts, [time + begin for time in times]


def _later(text: str, begin: int) -> str:
    return _TIME.sub(lambda found: _moved(found, begin), text)


def _moved(found: re.Match[str], begin: int) -> str:
    point, low, high, comparison, number = found.groups()
    if point is not None:
        return str(int(point) + begin)
    if low is not None:
        return f"{int(low) + begin},{int(high) + begin}"
    return f"{comparison}{int(number) + begin}"


def _renamed(text: str, numbers: dict[str, str]) -> str:
    return _CONSTANT.sub(lambda found: numbers.get(found[1], found[1]), text)
