"""Random programs through the solver alone, against the reference."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from random import Random
from typing import NamedTuple

import pytest
from tests.languages.lars.kernel.solver_runs import checked, evaluate, ground_facts
from tests.strategies.lars_programs import KINDS, random_program, thinned_program
from tests.strategies.shrinking import hold, thinned_lines

from horae.reference.lars import TooLargeError
from horae.reference.lars import evaluate as reference


class Sample(NamedTuple):
    text: str
    facts: str
    at: list[int]
    mode: str


def random_sample(rng: Random, kind: str) -> Sample:
    text, facts, times = random_program(rng, kind=kind)
    text, facts = thinned_program(rng, text), thinned_lines(rng, facts)
    return Sample(text, facts, times, rng.choice(["stateless", "history"]))


def check(sample: Sample) -> None:
    """Programs that are too large for the reference do not count."""
    text, facts, at, mode = sample
    program = checked(text)
    try:
        expected = reference(program, ground_facts(facts), at=at, mode=mode)
    except TooLargeError:
        return
    assert evaluate(program, facts, at=at, mode=mode) == expected


def compare(kind: str, seeds: Iterable[int]) -> None:
    hold(partial(random_sample, kind=kind), check, (f"{kind} {seed}" for seed in seeds))


@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str):
    compare(kind, range(20))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_many_random_programs(kind: str):
    compare(kind, range(20, 1020))
