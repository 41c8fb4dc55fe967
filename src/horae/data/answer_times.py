"""At which times a rule program is asked: the option `at`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from horae.data import catalogue_facts as catalogue
from horae.data.clock import SECONDS, Clock, is_future
from horae.data.numbers import show
from horae.data.rationals import is_readable

MOST_TIMES = 10**7


@dataclass(frozen=True, slots=True)
class AtFactEnds:
    """At every end of a fact's interval."""


@dataclass(frozen=True, slots=True)
class AtMultiples:
    """At the multiples of `step`, from the first to the last time of the facts or the horizon."""

    step: Fraction


@dataclass(frozen=True, slots=True)
class AtTimes:
    times: tuple[Fraction, ...]


AnswerTimes = AtFactEnds | AtMultiples | AtTimes


def read_at(at: str | Sequence[object] | None) -> AnswerTimes | None:
    """`events`, `every 1/2`, `1,7/2,3` or a list; None (or `all`) for maximal intervals."""
    if at is None or at == "all":
        return None
    if at == "events":
        return AtFactEnds()
    if isinstance(at, str) and at.split()[:1] == ["every"]:
        step = SECONDS.exact(at.strip().removeprefix("every").strip())
        if step is None or step <= 0:
            raise ValueError(f"at: `{at}` needs a time greater than 0, such as `every 1/2`")
        return AtMultiples(step)
    return AtTimes(tuple(map(_time, at.split(",") if isinstance(at, str) else at)))


def _time(written: object) -> Fraction:
    time = SECONDS.exact(written)
    if time is None:
        raise ValueError(
            f"at: `{show(written)}` is not a time; write `events`, `every 1` or times such as `1,7/2`"
        )
    return time


def numbers_in_at(at: AnswerTimes | None) -> tuple[Fraction, ...]:
    """The numbers that ticks must be fine enough for."""
    match at:
        case AtMultiples(step):
            return (step,)
        case AtTimes(times):
            return times
        case _:
            return ()


def answer_times(
    at: AnswerTimes, times: Iterable[Fraction], horizon: Fraction | None
) -> list[Fraction]:
    """The points, given all finite times of the facts (for a grid, the first and the last do)."""
    match at:
        case AtTimes(asked):
            return sorted(set(asked))
        case AtFactEnds():
            return sorted(set(times))
        case AtMultiples(step):
            found = list(times)
            if not found:
                return []
            last = max(found) if horizon is None else horizon
            return _grid(step, min(found), last)


def _grid(step: Fraction, first: Fraction, last: Fraction) -> list[Fraction]:
    begin, end = ceil(first / step), floor(last / step)
    if end - begin >= MOST_TIMES:
        raise catalogue.too_many_times(step, MOST_TIMES, "the answers are then intervals")
    return [number * step for number in range(begin, end + 1)]


def read_horizon(written: object, clock: Clock = SECONDS) -> Fraction | None:
    """A time, as the facts have it: a number, a rational or a date. `inf` is no horizon at all."""
    if written is None or is_future(written):
        return None
    time = clock.exact(written)
    if time is None:
        raise ValueError(
            f"horizon: `{show(written)}` is not a time; write for example `100`, `7/2` or `inf`"
        )
    return time


def read_exact_option(name: str, written: str | float | Fraction | None) -> Fraction | None:
    """An option that is an exact number."""
    if written is None:
        return None
    try:
        text = str(written)
        return Fraction(text if is_readable(text) else "")
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{name}: `{show(written)}` is not a rational number") from None
