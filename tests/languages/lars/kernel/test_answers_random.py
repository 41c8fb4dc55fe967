"""Random programs with several answers against the reference: all answers, the first ones, and
consequences; with small and with large times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from random import Random
from typing import Any, NamedTuple

import pytest
from tests.languages.lars.kernel.solver_runs import checked, ground_facts
from tests.languages.lars.kernel.test_against_reference import run, run_in_steps
from tests.strategies.lars_programs import random_program, thinned_program
from tests.strategies.shrinking import hold, thinned_lines

from horae.languages.lars.kernel.solver import disjunctions
from horae.languages.lars.options import AnswerCount, Consequences, LARSOptions, Mode
from horae.reference.lars import TooLargeError
from horae.reference.lars import evaluate as reference

Answers = list[dict[str, Any]]
KINDS = ("choices", "solver", "mixed")
COUNTS: tuple[AnswerCount, ...] = (1, 2, 3, 5, "all")
BASES = (0, 0, 1_763_000_000_000, 2**40 - 6, 2**62 - 40)


def shifted(text: str, base: int) -> str:
    """All times behind `@` later."""
    return re.sub(
        r"@(\[?)(\d+)(,(\d+))?",
        lambda m: f"@{m[1]}{int(m[2]) + base}" + (f",{int(m[4]) + base}" if m[4] else ""),
        text,
    )


def first_answers(lines: Answers, count: int) -> Answers:
    return [line for line in lines if line.get("answer", 0) <= count]


class Sample(NamedTuple):
    text: str
    facts: str
    at: list[int]
    mode: Mode
    consequences: Consequences
    most: AnswerCount
    seed: int  # for the steps in which facts arrive


def random_sample(rng: Random, kind: str) -> Sample:
    base, (text, facts, times) = rng.choice(BASES), random_program(rng, kind=kind)
    text, facts = thinned_program(rng, text), thinned_lines(rng, facts)
    mode, consequences = rng.choice([*Mode]), rng.choice([*Consequences])
    most, seed = rng.choice(COUNTS), rng.randrange(1000)
    times = [base + time for time in times]
    return Sample(shifted(text, base), shifted(facts, base), times, mode, consequences, most, seed)


def check(sample: Sample) -> None:
    """Programs that are too large for the reference do not count."""
    text, facts, at, mode, consequences, most, seed = sample
    program = checked(text)
    try:
        expected = reference(
            program, ground_facts(facts), at=at, mode=mode, consequences=consequences
        )
    except TooLargeError:
        return
    count = most if consequences is Consequences.ALL else None
    if isinstance(count, int):
        expected = first_answers(expected, count)
    options = LARSOptions(mode=mode, consequences=consequences, answers=count)
    assert run(program, facts, at, options) == expected
    assert run_in_steps(program, facts, at, options, Random(seed)) == expected


def compare(kind: str, seeds: Iterable[int]) -> None:
    hold(partial(random_sample, kind=kind), check, (f"answers {kind} {seed}" for seed in seeds))


@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str):
    compare(kind, range(30))


@pytest.mark.parametrize("kind", ["choices", "solver"])
def test_disjunctions_that_are_taken_apart(monkeypatch: pytest.MonkeyPatch, kind: str):
    """As long ones are; those with cycles between their atoms are not."""
    monkeypatch.setattr(disjunctions, "LONG", 1)
    compare(kind, range(2000, 2030))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_many_random_programs(kind: str):
    compare(kind, range(30, 1030))


def test_choices_have_many_answers():
    """More than four in a fifth of the programs, and mixed bodies among them."""
    many = 0
    for seed in range(50):
        text, facts, times = random_program(Random(seed), kind="choices")
        lines = run(checked(text), facts, times, LARSOptions())
        many += max((line.get("answer", 0) for line in lines), default=0) >= 4
    assert many >= 10
