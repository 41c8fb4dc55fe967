"""A solution as answers: the dictionaries of the JSON Lines, in their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from horae.data.constants import Value
from horae.data.intervals import Interval
from horae.languages.datalogmtl.program import Program
from horae.reference.datalogmtl.formulas import GroundAtom
from horae.reference.datalogmtl.solution import Solution

Answer = dict[str, Any]
Keyed = tuple[tuple[Any, ...], Answer]


def list_intervals(program: Program, solution: Solution) -> list[Answer]:
    """Maximal intervals: by their start, then predicate, then arguments."""
    return _sorted(
        ((*_start(interval), *_key(atom)), {**_named(atom), "interval": str(interval)})
        for atom, mask in _wanted(program, solution)
        for interval in solution.timeline.intervals(mask)
    )


def list_points(program: Program, solution: Solution, times: Iterable[Fraction]) -> list[Answer]:
    """What holds at each of the times. A time is written as text, also a whole one."""
    regions = {time: 1 << solution.timeline.region_of(time) for time in times}
    return _sorted(
        ((time, *_key(atom)), {"time": str(time), **_named(atom)})
        for atom, mask in _wanted(program, solution)
        for time, region in regions.items()
        if mask & region
    )


def _sorted(keyed: Iterable[Keyed]) -> list[Answer]:
    return [answer for _, answer in sorted(keyed, key=lambda pair: pair[0])]


def _wanted(program: Program, solution: Solution) -> Iterator[tuple[GroundAtom, int]]:
    return (pair for pair in solution.truth.items() if pair[0][0] in program.queries)


def _named(atom: GroundAtom) -> Answer:
    predicate, arguments = atom
    return {"predicate": predicate, "args": [_written(value) for value in arguments]}


def _written(value: Value) -> str | int:
    return str(value) if isinstance(value, Fraction) else value


def _start(interval: Interval) -> tuple[bool, Fraction, bool]:
    """−∞ comes first; at the same number a closed end starts earlier than an open one."""
    bounded = interval.low is not None
    return bounded, interval.low or Fraction(0), interval.low_open


def _key(atom: GroundAtom) -> tuple[Any, ...]:
    """Numbers come before text."""
    predicate, arguments = atom
    texts = (isinstance(value, str) for value in arguments)
    return predicate, tuple(zip(texts, arguments, strict=True))
