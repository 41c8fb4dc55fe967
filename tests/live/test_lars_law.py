"""A stream gives the answers that batch gives, each once, and as soon as it can."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

import pytest
from tests.languages.lars.kernel.test_answers_random import first_answers
from tests.live.driving import Step
from tests.live.lars_streams import Answers, Case, answers_of, in_batch, random_case, times_of

from horae.data.constants import Value
from horae.data.intervals import Interval
from horae.languages.lars.analysis.reach import find_reach
from horae.languages.lars.answers import lars_answers
from horae.languages.lars.live import shard
from horae.languages.lars.options import Consequences
from horae.reference.lars import TooLargeError
from horae.reference.lars import evaluate as reference
from horae.source.errors import InputError


def _batch(case: Case) -> Answers | str:
    try:
        return in_batch(case.program, case.facts, case.options)
    except InputError as error:
        return error.code


def _stream(case: Case, rng: Random) -> list[Step] | str:
    try:
        return case.run(rng)
    except InputError as error:
        return error.code


def _is_on_time(case: Case, steps: Sequence[Step]) -> bool:
    """An answer at t comes with the first decision that reaches t + delay, else at the end."""
    delay = find_reach(case.program).delay
    assert delay is not None
    reached = -1
    for step in steps:
        until = step.until
        for answer in lars_answers(step.answers):
            known = answer["time"] + delay
            if known <= reached or (until is not None and known > until):
                return False
        reached = reached if until is None else max(reached, until)
    return True


def agrees_with_the_reference(case: Case, found: Answers) -> bool:
    """Where that is cheap; the reference knows no `order`."""
    if any(fact.order is not None for fact in case.facts):
        return True
    facts: list[tuple[str, tuple[Value, ...], Interval]] = [
        (fact.predicate, fact.arguments, fact.interval) for fact in case.facts
    ]
    options, times = case.options, times_of(case.program, case.facts, case.options.at)
    try:
        expected = reference(
            case.program,
            facts,
            at=times,
            mode=options.mode,
            consequences=options.consequences,
            horizon=options.horizon,
        )
    except TooLargeError:
        return True
    if isinstance(options.answers, int):
        expected = first_answers(expected, options.answers)
    return found == expected


def _holds(seed: int, *, with_reference: bool) -> bool:
    rng = Random(f"live {seed}")
    case = random_case(rng)
    expected, steps = _batch(case), _stream(case, rng)
    if isinstance(steps, str) or isinstance(expected, str):
        return steps == expected
    if answers_of(steps) != expected or not _is_on_time(case, steps):
        return False
    return not with_reference or agrees_with_the_reference(case, expected)


def breaking(seeds: Iterable[int], *, with_reference: bool) -> list[int]:
    return [seed for seed in seeds if not _holds(seed, with_reference=with_reference)]


def test_random_streams():
    assert breaking(range(36), with_reference=False) == []


def test_with_constants_numbered_anew_all_the_time(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shard, "SPARE", -(10**9))
    assert breaking(range(10), with_reference=False) == []


@pytest.mark.long
def test_many_random_streams():
    assert breaking(range(36, 336), with_reference=True) == []


def test_cases_are_of_all_kinds():
    """Spread and not, fast and solved, with and without delay, with all sorts of options."""
    cases = [random_case(Random(f"live {seed}")) for seed in range(40)]
    delays = {find_reach(case.program).delay for case in cases}
    assert len(delays) > 2
    assert {case.options.answers for case in cases} == {None, 1, 2, "all"}
    assert {case.options.consequences for case in cases} == {*Consequences}
