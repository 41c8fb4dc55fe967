"""Programs over streams, time point by time point, with a look at what the engine keeps."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from horae.data.cuts import FUTURE
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS
from horae.data.predicate_facts import columns_of_facts
from horae.languages.lars.analysis.reach import find_reach
from horae.languages.lars.answers import lars_answers
from horae.languages.lars.check.check import load
from horae.languages.lars.kernel.codes import Codes
from horae.languages.lars.kernel.facts import encode, time_points_of
from horae.languages.lars.kernel.kernel import LarsKernel
from horae.languages.lars.kernel.stream import HeldStream
from horae.languages.lars.options import LARSOptions
from horae.languages.lars.program import Program
from horae.source.text import Source

Answer = dict[str, Any]
Watch = Callable[[int, HeldStream], None]


def checked(text: str, name: str = "test.lars") -> Program:
    program, found = load(Source(name, text))
    assert program is not None, [d.message for d in found]
    return program


def run_as_stream(
    program: Program,
    facts: Sequence[GroundFact],
    times: range,
    options: LARSOptions | None = None,
    watch: Watch = lambda time, stream: None,
    step: int = 1,
) -> list[Answer]:
    """Facts come at their time; an evaluation waits as long as the analysis says, and no longer.

    `step` evaluation times are evaluated at once.
    """
    codes = Codes()
    kernel = LarsKernel(program, program.arities, codes, options)
    delay = find_reach(program).delay
    waiting = deque(sorted(((_arrival(fact), fact) for fact in facts), key=itemgetter(0)))
    answers: list[Answer] = []
    for start in range(0, len(times), step):
        now = times[start : start + step]
        until = FUTURE if delay is None else now[-1] + delay
        kernel.push(encode(columns_of_facts(_arrived(waiting, until)), codes))
        for table in kernel.evaluate(np.array(now)):
            answers += lars_answers(table)
        watch(now[-1], kernel.stream)
    return answers


def _arrived(waiting: deque[tuple[int, GroundFact]], until: int) -> Iterator[GroundFact]:
    while waiting and waiting[0][0] <= until:
        yield waiting.popleft()[1]


def _arrival(fact: GroundFact) -> int:
    return -1 if fact.interval == ALWAYS else time_points_of(fact)[0]
