"""The options of an evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class Mode(StrEnum):
    STATELESS = "stateless"
    HISTORY = "history"


class Consequences(StrEnum):
    ALL = "all"
    BRAVE = "brave"
    CAUTIOUS = "cautious"


@dataclass(frozen=True, slots=True)
class Options:
    """`answers`: how many answers an evaluation time gives at most.

    None: all, but so many that it must be a mistake are refused; `all`: all, however many.
    """

    mode: Mode = Mode.STATELESS
    consequences: Consequences = Consequences.ALL
    horizon: int | None = None
    answers: int | Literal["all"] | None = None
