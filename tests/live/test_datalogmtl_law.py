"""A stream gives the answers that batch gives, each once, and as soon as it can."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import pytest
from tests.live.datalogmtl_streams import (
    Answers,
    Case,
    answers_of,
    in_batch,
    is_spread,
    random_case,
    same,
)
from tests.live.driving import Step

from horae.data.answer_times import AtFactEnds, AtMultiples, AtTimes, answer_times
from horae.data.ground_facts import times_of
from horae.languages.datalogmtl.analysis.delays import find_delays
from horae.languages.datalogmtl.check.facts import ground
from horae.languages.datalogmtl.kernel import kernel
from horae.languages.datalogmtl.kernel.forward import bounded_delays
from horae.reference.datalogmtl import EndlessError
from horae.reference.datalogmtl import evaluate as reference
from horae.source.errors import InputError


def _batch(case: Case) -> Answers | str:
    try:
        return in_batch(case.normal, case.facts, case.at, case.horizon)
    except InputError as error:
        return error.code


def _stream(case: Case, rng: Random) -> list[Step] | str:
    try:
        return case.run(rng)
    except InputError as error:
        return error.code


class _Clock:
    """When answers are known, by the analysis."""

    def __init__(self, case: Case) -> None:
        timeline, delays = case.live().timeline, bounded_delays(case.normal)
        self._delays = {name: timeline.ticks(delay) for name, delay in delays.items()}
        self._limit = None if case.horizon is None else 2 * timeline.ticks(case.horizon) + 1

    def is_known(self, row: dict[str, Any], until: int) -> bool:
        """A point is known once it is decided, an interval once a bit more than it is, or all is."""
        decided = until - self._delays.get(row["predicate"], 0)
        if "hi" not in row:
            return bool(decided >= row["ticks"])
        end = 2 * decided + 1
        return bool(end > row["hi"] or (self._limit is not None and end >= self._limit))


def _is_on_time(case: Case, steps: Sequence[Step]) -> bool:
    """An answer comes with the first decision that knows it, else at the end."""
    clock, reached = _Clock(case), None
    for step in steps:
        for row in step.answers.to_pylist():
            if reached is not None and clock.is_known(row, reached):
                return False
            if step.until is not None and not clock.is_known(row, step.until):
                return False
        reached = reached if step.until is None else step.until
    return True


def agrees_with_the_reference(case: Case, found: Answers) -> bool:
    facts = [(f.predicate, f.arguments, f.interval) for f in case.facts]
    known = times_of([*ground(case.normal.facts), *case.facts])
    at = None if case.at is None else answer_times(case.at, known, case.horizon)
    try:
        expected = reference(case.normal.program, facts, horizon=case.horizon, at=at)
    except EndlessError:
        return True
    return same(expected, found)


def _holds(seed: int, *, with_reference: bool) -> bool:
    rng = Random(f"live {seed}")
    case = random_case(rng)
    expected, steps = _batch(case), _stream(case, rng)
    if isinstance(steps, str) or isinstance(expected, str):
        return steps == expected
    found = answers_of(steps)
    if not same(found, expected) or not _is_on_time(case, steps):
        return False
    return not with_reference or agrees_with_the_reference(case, found)


def breaking(seeds: Iterable[int], *, with_reference: bool = False) -> list[int]:
    return [seed for seed in seeds if not _holds(seed, with_reference=with_reference)]


def test_random_streams():
    assert breaking(range(40)) == []


def test_with_constants_numbered_anew_all_the_time(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kernel, "_FEW", -(10**9))
    assert breaking(range(15)) == []


@pytest.mark.long
@pytest.mark.parametrize("block", range(6))
def test_many_random_streams(block: int):
    assert breaking(range(40 + 50 * block, 90 + 50 * block), with_reference=True) == []


def test_cases_are_of_all_kinds():
    """Spread and not, with and without delay, intervals and points."""
    cases = [random_case(Random(f"live {seed}")) for seed in range(40)]
    assert {type(case.at) for case in cases} == {type(None), AtFactEnds, AtMultiples, AtTimes}
    assert sum(case.shards > 1 and is_spread(case.normal) for case in cases) > 5
    assert sum(len(case.live().stages) > 1 for case in cases) > 3
    assert sum(bool(find_delays(case.normal)) for case in cases) > 5
    assert sum(isinstance(_batch(case), list) for case in cases) > 30
