"""The options of a run of a LARS program."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from math import floor
from typing import ClassVar, Literal

from horae.data.answer_times import read_horizon
from horae.data.clock import Clock
from horae.data.numbers import show
from horae.engine.options import OptionError, PointOptions, PointReader, choice, horizon, option

AnswerCount = int | Literal["all"] | None
"""How many answers an evaluation time gives at most.

None: all, but so many that it must be a mistake are refused; `all`: all, however many.
"""


class Mode(StrEnum):
    """Whether what was derived at earlier evaluation times stays visible."""

    STATELESS = "stateless"
    HISTORY = "history"


class Consequences(StrEnum):
    """Which answers are given: all of them, or what some or all of them have."""

    ALL = "all"
    BRAVE = "brave"
    CAUTIOUS = "cautious"


def _read_answers(name: str, written: object) -> AnswerCount:
    text = "" if isinstance(written, bool) else str(written).strip()
    if text == "all":
        return "all"
    if not re.fullmatch(r"\d{1,18}", text, re.ASCII) or int(text) == 0:
        problem = f"`{show(written)}` is not a number of answers; write 1, 2, … or `all`"
        raise OptionError(name, problem)
    return int(text)


def _read_last_point(written: object, precision: str = "s") -> int | None:
    """The last time point up to a time."""
    time = read_horizon(written, Clock(precision=precision, natural=True))
    return None if time is None else floor(time)


@dataclass(frozen=True, kw_only=True)
class LARSOptions(PointOptions):
    """When, how far and what kind of answers a program gives."""

    horizon: int | None = horizon(_read_last_point)
    in_points: ClassVar[dict[str, PointReader]] = {
        **PointOptions.in_points,
        "horizon": lambda _, written, precision: _read_last_point(written, precision),
    }
    mode: Mode = choice(Mode.STATELESS, "whether earlier evaluations stay visible")
    consequences: Consequences = choice(
        Consequences.ALL, "all answers, or what some or all of them have"
    )
    answers: AnswerCount = option(
        None,
        "the first N answers of each evaluation time",
        _read_answers,
        metavar="N|all",
        shown="all; more than 10,000 only if asked for",
    )

    @property
    def for_answers(self) -> tuple[object, ...]:
        """What the answers depend on, besides the program and its facts."""
        return self.at, self.mode, self.consequences, self.horizon, self.answers

    def __post_init__(self) -> None:
        if self.answers is not None and self.consequences is not Consequences.ALL:
            kind = f"{self.consequences} consequences"
            raise OptionError("answers", f"{kind} are those of all answers; leave it out")
