"""What an evaluation time tells of its answers: all of them, the first ones, or their consequences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from horae.languages.lars import catalogue
from horae.languages.lars.kernel.options import Options
from horae.languages.lars.kernel.solver import Answer, Answers, Taken
from horae.languages.lars.options import Consequences

MOST = 10_000
"""So many answers are listed at one evaluation time without being asked for."""


def list_answers(answers: Answers, options: Options, time: int) -> Iterator[Answer]:
    """In their order, as they are found; consequences are one. Nothing: there is no answer."""
    match options.consequences:
        case Consequences.ALL:
            return _listed(answers, options, time)
        case Consequences.BRAVE:
            return _consequences(answers, Taken.BRAVE)
        case Consequences.CAUTIOUS:
            return _consequences(answers, Taken.CAUTIOUS)


def _listed(answers: Answers, options: Options, time: int) -> Iterator[Answer]:
    found = answers.in_order()
    match options.answers:
        case int(most):
            return islice(found, most)
        case "all":
            return found
        case None:
            return _guarded(found, time)


def _guarded(found: Iterator[Answer], time: int) -> Iterator[Answer]:
    for number, answer in enumerate(found):
        if number == MOST:
            raise catalogue.TOO_MANY_ANSWER_SETS(most=MOST, time=str(time))
        yield answer


def _consequences(answers: Answers, taken: Taken) -> Iterator[Answer]:
    found = answers.consequences(taken)
    if found is not None:
        yield found
