"""Random programs that go on for ever on both sides of time: exact up to a horizon, or refused.

Where the reference has the answers, the kernel must have the same. Where it has none, what holds in a
finite part of time encloses them: the kernel's answers lie between what certainly and what possibly
holds there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from random import Random
from typing import NamedTuple

import pytest
from tests.languages.datalogmtl.kernel.driving import Answer, at_once, facts, grounded, prepared
from tests.strategies.datalogmtl_loops import random_loops
from tests.strategies.datalogmtl_programs import random_facts, random_program, thinned_program
from tests.strategies.shrinking import hold, thinned

from horae.data.ground_facts import GroundFact
from horae.reference.datalogmtl import EndlessError, enclose, evaluate
from horae.source.errors import InputError

REFUSED = ("RUN011", "RUN041")
RIGHT = ("same", "enclosed", "refused")


class Sample(NamedTuple):
    text: str
    data: list[GroundFact]
    horizon: Fraction


def random_sample(rng: Random, kind: str) -> Sample:
    if kind == "loops":
        text, data = random_loops(rng)
        program = thinned_program(rng, text)
        known = [fact for fact in facts(data) if fact.predicate in program.arities]
        horizon = Fraction(rng.choice((4, 12, 25)))
    else:
        program, horizon = thinned_program(rng, random_program(rng, kind)), Fraction(12)
        known = grounded(random_facts(rng, program, unbounded=rng.random() < 0.5))
    return Sample(program.source.text, thinned(rng, known), horizon)


def outcome(sample: Sample) -> str:
    """How the kernel's answers compare: same, enclosed, refused; else something is wrong."""
    normal, (_, data, horizon) = prepared(sample.text), sample
    try:
        found = at_once(normal, data, horizon)
    except InputError as error:
        return "refused" if error.code in REFUSED else error.code
    given = [(fact.predicate, fact.arguments, fact.interval) for fact in data]
    try:
        same = found == evaluate(normal.program, given, horizon=horizon)
        return "same" if same else "different"
    except EndlessError:
        grain = 6 if "/3" in normal.program.source.text else 4
        times = [Fraction(n, grain) for n in range(-2 * grain, grain * int(horizon) + 1)]
        certain, possible = (_keys(part) for part in enclose(normal.program, given, times))
        return "enclosed" if certain <= _points(found, times) <= possible else "different"


def _keys(answers: Iterable[Answer]) -> set[tuple[object, ...]]:
    return {(Fraction(a["time"]), a["predicate"], *a["args"]) for a in answers}


def _points(answers: Iterable[Answer], times: Sequence[Fraction]) -> set[tuple[object, ...]]:
    """Intervals as what holds at some times."""
    found: set[tuple[object, ...]] = set()
    for answer in answers:
        (fact,) = facts(f"p@{answer['interval']}")
        inside = [time for time in times if time in fact.interval]
        found |= {(time, answer["predicate"], *answer["args"]) for time in inside}
    return found


def outcomes(kind: str, seeds: Iterable[int]) -> Counter[str]:
    counts: Counter[str] = Counter()

    def check(sample: Sample) -> None:
        found = outcome(sample)
        assert found in RIGHT
        counts[found] += 1

    hold(partial(random_sample, kind=kind), check, (f"{kind} {seed}" for seed in seeds))
    return counts


@pytest.mark.parametrize("kind", ["loops", "endless"])
def test_random_programs_without_end(kind: str):
    assert outcomes(kind, range(8))["refused"] <= 4


@pytest.mark.long
@pytest.mark.parametrize("kind", ["loops", "endless"])
@pytest.mark.parametrize("block", range(1, 7))
def test_many_random_programs_without_end(kind: str, block: int):
    assert outcomes(kind, range(50 * block, 50 * block + 50))["refused"] <= 20


def test_times_alone_are_a_horizon():
    """Answers at times are those up to a horizon behind them."""
    times = [Fraction(n, 2) for n in range(-4, 9)]
    for seed in range(30):
        text, data, _ = random_sample(Random(f"loops {seed}"), "loops")
        normal = prepared(text)
        try:
            expected = _points(at_once(normal, data, Fraction(4)), times)
        except InputError:
            continue
        assert _keys(at_once(normal, data, None, times)) == expected
