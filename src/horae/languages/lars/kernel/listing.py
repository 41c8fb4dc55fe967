"""What an evaluation time tells of its answers: all of them, the first ones, or their consequences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from horae.languages.lars import catalogue
from horae.languages.lars.kernel.options import Options
from horae.languages.lars.kernel.solver import AnswerSet, AnswerSets, Taken
from horae.languages.lars.options import Consequences

MOST = 10_000
"""So many answers are listed at one evaluation time without being asked for."""


def list_answers(answers: AnswerSets, options: Options, time: int) -> Iterator[AnswerSet]:
    """In their order, as they are found; consequences are one. Nothing: there is no answer."""
    match options.consequences:
        case Consequences.ALL:
            return _listed(answers, options, time)
        case Consequences.BRAVE:
            return _consequences(answers, Taken.BRAVE)
        case Consequences.CAUTIOUS:
            return _consequences(answers, Taken.CAUTIOUS)


def _listed(answers: AnswerSets, options: Options, time: int) -> Iterator[AnswerSet]:
    found = answers.in_order()
    match options.answers:
        case int(most):
            return islice(found, most)
        case "all":
            return found
        case None:
            return _guarded(found, time)


def _guarded(found: Iterator[AnswerSet], time: int) -> Iterator[AnswerSet]:
    for number, answer in enumerate(found):
        if number == MOST:
            raise catalogue.TOO_MANY_ANSWER_SETS(most=MOST, time=str(time))
        yield answer


def _consequences(answers: AnswerSets, taken: Taken) -> Iterator[AnswerSet]:
    found = answers.consequences(taken)
    if found is not None:
        yield found
