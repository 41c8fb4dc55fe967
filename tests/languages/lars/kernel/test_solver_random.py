"""Random programs through the solver alone, against the reference."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from tests.languages.lars.kernel.solver_runs import checked, evaluate, ground_facts
from tests.strategies.lars_programs import KINDS, random_program

from horae.reference.lars import TooLargeError
from horae.reference.lars import evaluate as reference


def differing(kind: str, seeds: Iterable[int]) -> list[int]:
    """The seeds whose answers differ; programs that are too large for the reference do not count."""
    return [seed for seed in seeds if _differs(Random(f"{kind} {seed}"), kind)]


def _differs(rng: Random, kind: str) -> bool:
    text, facts, times = random_program(rng, kind=kind)
    program, mode = checked(text), rng.choice(["stateless", "history"])
    try:
        expected = reference(program, ground_facts(facts), at=times, mode=mode)
    except TooLargeError:
        return False
    return evaluate(program, facts, at=times, mode=mode) != expected


@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str):
    assert differing(kind, range(20)) == []


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_many_random_programs(kind: str):
    assert differing(kind, range(20, 1020)) == []
