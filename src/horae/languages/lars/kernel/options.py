"""The options of an evaluation."""

from __future__ import annotations

from dataclasses import dataclass

from horae.languages.lars.options import AnswerCount, Consequences, Mode


@dataclass(frozen=True, slots=True)
class Options:
    """What the answers depend on, besides the program and its facts."""

    mode: Mode = Mode.STATELESS
    consequences: Consequences = Consequences.ALL
    horizon: int | None = None
    answers: AnswerCount = None
