"""Random programs with several answers against the reference: all answers, the first ones, and
consequences; with small and with large times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from tests.languages.lars.kernel.solver_runs import checked, ground_facts
from tests.languages.lars.kernel.test_against_reference import run, run_in_steps
from tests.strategies.lars_programs import random_program

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


def differing(kind: str, seeds: Iterable[int]) -> list[int]:
    return [seed for seed in seeds if _differs(Random(f"answers {kind} {seed}"), kind)]


def _differs(rng: Random, kind: str) -> bool:
    """Programs that are too large for the reference do not count."""
    base, (text, facts, times) = rng.choice(BASES), random_program(rng, kind=kind)
    program, facts = checked(shifted(text, base)), shifted(facts, base)
    times = [base + time for time in times]
    mode, consequences = rng.choice([*Mode]), rng.choice([*Consequences])
    try:
        expected = reference(
            program, ground_facts(facts), at=times, mode=mode, consequences=consequences
        )
    except TooLargeError:
        return False
    count = rng.choice(COUNTS) if consequences is Consequences.ALL else None
    options = LARSOptions(mode=mode, consequences=consequences, answers=count)
    found = run(program, facts, times, options)
    in_steps = run_in_steps(program, facts, times, options, rng)
    wanted = first_answers(expected, count) if isinstance(count, int) else expected
    return not (found == in_steps == wanted)


@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str):
    assert differing(kind, range(30)) == []


@pytest.mark.parametrize("kind", ["choices", "solver"])
def test_disjunctions_that_are_taken_apart(monkeypatch: pytest.MonkeyPatch, kind: str):
    """As long ones are; those with cycles between their atoms are not."""
    monkeypatch.setattr(disjunctions, "LONG", 1)
    assert differing(kind, range(2000, 2030)) == []


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_many_random_programs(kind: str):
    assert differing(kind, range(30, 1030)) == []


def test_choices_have_many_answers():
    """More than four in a fifth of the programs, and mixed bodies among them."""
    many = 0
    for seed in range(50):
        text, facts, times = random_program(Random(seed), kind="choices")
        lines = run(checked(text), facts, times, LARSOptions())
        many += max((line.get("answer", 0) for line in lines), default=0) >= 4
    assert many >= 10
