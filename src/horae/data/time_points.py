"""At which time points a program of LARS or CQL is evaluated: the option `at`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from horae.data.clock import LAST, Clock
from horae.data.durations import UNITS, whole_points
from horae.data.numbers import show


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


def read_evaluation_times(
    at: str | Sequence[object] | None, precision: str = "s"
) -> EvaluationTimes:
    """`events` (also None), `all`, `every 5`, `every 500 ms`, `3,8,40`, or a list; also of dates."""
    if at is None or at == "events":
        return AtEvents()
    if at == "all":
        return AtEvery(1)
    if isinstance(at, str) and at.split()[:1] == ["every"]:
        step = _step(at, precision)
        if step < 1:
            raise ValueError(f"at: `{at}` needs a step of at least 1, such as `every 5`")
        return AtEvery(step)
    written = at.split(",") if isinstance(at, str) else at
    return AtPoints(tuple(sorted({_point(time, precision) for time in written})))


def write_at(at: EvaluationTimes) -> str | list[int]:
    """The option as it is written, in time points whatever their precision."""
    match at:
        case AtEvents():
            return "events"
        case AtEvery(step):
            return f"every {step}"
        case AtPoints(points):
            return list(points)


def _step(at: str, precision: str) -> int:
    written = at.strip().removeprefix("every").strip()
    is_duration = any(written.lower().endswith(unit) for unit in UNITS)
    return whole_points("at", written, precision) if is_duration else _point(written, precision, at)


def _point(written: object, precision: str, shown: object = None) -> int:
    time = Clock(precision=precision, natural=True).exact(written)
    text = show(written if shown is None else shown)
    if time is None or time.denominator != 1 or time < 0:
        raise ValueError(
            f"at: `{text}` is no time point; write `events`, `all`, `every 5` or numbers such as `3,8`"
        )
    if time > LAST:
        raise ValueError(f"at: `{text}` is too large; the last time point is {LAST} (2^62)")
    return time.numerator
