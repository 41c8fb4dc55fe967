"""The options of a run of a DatalogMTL program."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from horae.data.answer_times import AnswerTimes, read_at, read_exact_option, read_horizon
from horae.data.clock import DECIMALS
from horae.data.numbers import show
from horae.engine.options import OptionError, RunOptions, Scope, at, horizon, option


def _read_precision(name: str, written: str | float | Fraction) -> Fraction:
    """The size of a tick as a part of a second: `ms`, or a number."""
    if isinstance(written, str) and written in DECIMALS:
        return Fraction(1, 10 ** DECIMALS[written])
    number = read_exact_option(name, written)
    if number is None or number <= 0:
        raise OptionError(name, f"`{show(written)}` must be greater than 0, such as 1/1000")
    return number


@dataclass(frozen=True, kw_only=True)
class DatalogMTLOptions(RunOptions):
    """Without `at`, the answers are maximal intervals."""

    at: AnswerTimes | None = at(read_at, None, shown="maximal intervals")
    horizon: Fraction | None = horizon(read_horizon)
    precision: Fraction = option(
        Fraction(1, 10**6),
        "the finest difference between times of facts, also a number such as 1/3",
        _read_precision,
        metavar="|".join(DECIMALS),
        shown="us",
        scope=Scope.STREAMS,
    )
