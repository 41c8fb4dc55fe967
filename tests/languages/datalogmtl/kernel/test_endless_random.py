"""Random programs that go on for ever on both sides of time: exact up to a horizon, or refused.

Where the reference has the answers, the kernel must have the same. Where it has none, what holds in a
finite part of time encloses them: the kernel's answers lie between what certainly and what possibly
holds there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from random import Random

import pytest
from tests.languages.datalogmtl.kernel.driving import Answer, at_once, facts, grounded, prepared
from tests.strategies.datalogmtl_loops import random_loops
from tests.strategies.datalogmtl_programs import random_facts, random_program

from horae.data.ground_facts import GroundFact
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.reference.datalogmtl import EndlessError, enclose, evaluate
from horae.source.errors import InputError

REFUSED = ("RUN011", "RUN041")
Sample = tuple[NormalProgram, list[GroundFact], Fraction]


def draw(kind: str, seed: int) -> Sample:
    rng = Random(f"{kind} {seed}")
    if kind == "loops":
        text, data = random_loops(rng)
        normal = prepared(text)
        known = [fact for fact in facts(data) if fact.predicate in normal.program.arities]
        return normal, known, Fraction(rng.choice((4, 12, 25)))
    normal = prepared(random_program(rng, kind))
    given = random_facts(rng, normal.program, unbounded=rng.random() < 0.5)
    return normal, grounded(given), Fraction(12)


def outcome(normal: NormalProgram, data: list[GroundFact], horizon: Fraction) -> str:
    """How the kernel's answers compare: same, enclosed, refused; else something is wrong."""
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
    return Counter(outcome(*draw(kind, seed)) for seed in seeds)


@pytest.mark.parametrize("kind", ["loops", "endless"])
def test_random_programs_without_end(kind: str):
    counts = outcomes(kind, range(8))
    assert counts.keys() <= {"same", "enclosed", "refused"}
    assert counts["refused"] <= 4


@pytest.mark.long
@pytest.mark.parametrize("kind", ["loops", "endless"])
@pytest.mark.parametrize("block", range(1, 7))
def test_many_random_programs_without_end(kind: str, block: int):
    counts = outcomes(kind, range(50 * block, 50 * block + 50))
    assert counts.keys() <= {"same", "enclosed", "refused"}
    assert counts["refused"] <= 20


def test_times_alone_are_a_horizon():
    """Answers at times are those up to a horizon behind them."""
    times = [Fraction(n, 2) for n in range(-4, 9)]
    for seed in range(30):
        normal, data, _ = draw("loops", seed)
        try:
            expected = _points(at_once(normal, data, Fraction(4)), times)
        except InputError:
            continue
        assert _keys(at_once(normal, data, None, times)) == expected
