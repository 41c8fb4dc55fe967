"""At which time points a program of LARS or CQL is evaluated: the option `at`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from horae.data.clock import LAST, SECONDS


@dataclass(frozen=True, slots=True)
class AtEvents:
    """At each time point with input."""


@dataclass(frozen=True, slots=True)
class AtEvery:
    """At the multiples of `step` from the first to the last time point with input."""

    step: int


@dataclass(frozen=True, slots=True)
class AtPoints:
    points: tuple[int, ...]


EvaluationTimes = AtEvents | AtEvery | AtPoints


def read_evaluation_times(at: str | Sequence[object] | None) -> EvaluationTimes:
    """`events` (also None), `all`, `every 5`, `3,8,40`, or a list."""
    if at is None or at == "events":
        return AtEvents()
    if at == "all":
        return AtEvery(1)
    if isinstance(at, str) and at.split()[:1] == ["every"]:
        step = _point(at.strip().removeprefix("every").strip(), at)
        if step < 1:
            raise ValueError(f"at: `{at}` needs a step of at least 1, such as `every 5`")
        return AtEvery(step)
    written = at.split(",") if isinstance(at, str) else at
    return AtPoints(tuple(sorted({_point(time, time) for time in written})))


def _point(written: object, shown: object) -> int:
    time = SECONDS.exact(written)
    if time is None or time.denominator != 1 or time < 0:
        raise ValueError(
            f"at: `{shown}` is no time point; write `events`, `all`, `every 5` or numbers such as `3,8`"
        )
    if time > LAST:
        raise ValueError(f"at: `{shown}` is too large; the last time point is {LAST} (2^62)")
    return time.numerator
