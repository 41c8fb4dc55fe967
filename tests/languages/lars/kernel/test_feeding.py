"""A kernel that gets facts as it goes answers as one that has them all from the beginning."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.languages.lars.plan.simulated import checked, facts_of
from tests.languages.lars.plan.spreadable import spreadable_program
from tests.strategies.lars_programs import random_program

from horae.data.ground_facts import GroundFact
from horae.languages.lars.answers import lars_answers
from horae.languages.lars.kernel import feeding
from horae.languages.lars.kernel.answers import no_answers
from horae.languages.lars.kernel.codes import Codes
from horae.languages.lars.kernel.evaluate import arities_of
from horae.languages.lars.kernel.facts import encode
from horae.languages.lars.kernel.feeding import evaluate_over
from horae.languages.lars.kernel.kernel import LarsKernel
from horae.languages.lars.kernel.options import Options
from horae.languages.lars.options import Mode
from horae.languages.lars.program import Program
from horae.source.errors import InputError


def _answers(
    program: Program, facts: Sequence[GroundFact], times: Sequence[int], mode: Mode, *, fed: bool
) -> list[dict[str, Any]] | str:
    codes = Codes()
    kernel = LarsKernel(program, arities_of(program, facts), codes, Options(mode))
    given, points = encode(facts, codes), np.array(times, np.int64)
    try:
        if fed:
            parts = [*evaluate_over(kernel, given, points)]
        else:
            kernel.push(given)
            parts = [*kernel.evaluate(points)]
    except InputError as error:
        return error.code
    return list(lars_answers(pa.concat_tables([no_answers(), *parts])))


@pytest.fixture
def two_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeding, "AT_ONCE", 2)


def _compare(rng: Random, text: str, facts: str, times: list[int]) -> None:
    program = checked(text)
    given = facts_of(program, facts)
    every = sorted({*times, *range(0, 15, 3)})
    for mode in Mode:
        fed = _answers(program, given, every, mode, fed=True)
        assert fed == _answers(program, given, every, mode, fed=False)


@pytest.mark.usefixtures("two_at_once")
@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed: int):
    rng = Random(seed)
    _compare(rng, *random_program(rng, kind="fast"))
    _compare(rng, *spreadable_program(rng))


@pytest.mark.usefixtures("two_at_once")
@pytest.mark.parametrize("kind", ["solver", "mixed"])
@pytest.mark.parametrize("seed", range(8))
def test_random_programs_for_the_solver(kind: str, seed: int):
    rng = Random(f"{kind} {seed}")
    _compare(rng, *random_program(rng, kind=kind))


@pytest.mark.usefixtures("two_at_once")
def test_facts_of_the_future_wait_until_they_matter():
    program = checked("s(X) :- win[1,2] <> p(X).")
    facts = facts_of(program, "p(a)@2\np(b)@3\np(c)@9")
    kernel = LarsKernel(program, program.arities, codes := Codes())
    sizes = []
    for answers in evaluate_over(kernel, encode(facts, codes), np.array([0, 1, 3, 4])):
        sizes.append(len(kernel.stream.spans["p"]))
        assert answers.num_rows > 0
    assert sizes == [2, 2]
