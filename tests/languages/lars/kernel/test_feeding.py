"""A kernel that gets facts as it goes answers as one that has them all from the beginning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.languages.lars.plan.simulated import at_points, checked, evaluate, facts_of
from tests.languages.lars.plan.spreadable import spreadable_program
from tests.strategies.lars_programs import random_program

from horae.data.cuts import Cuts
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS
from horae.data.predicate_facts import columns_of_facts
from horae.data.time_points import AtEvents, EvaluationTimes
from horae.languages.lars.answers import lars_answers
from horae.languages.lars.kernel.answers import no_answers
from horae.languages.lars.kernel.codes import Codes
from horae.languages.lars.kernel.facts import encode, time_points_of
from horae.languages.lars.kernel.kernel import LarsKernel
from horae.languages.lars.live import shard
from horae.languages.lars.options import LARSOptions, Mode
from horae.languages.lars.program import Program
from horae.source.errors import InputError

Answers = list[dict[str, Any]] | str


def _fed(program: Program, facts: Sequence[GroundFact], at: EvaluationTimes, mode: Mode) -> Answers:
    try:
        return list(evaluate(program, facts, at, LARSOptions(mode=mode)))
    except InputError as error:
        return error.code


def _all_at_once(
    program: Program, facts: Sequence[GroundFact], times: Sequence[int], mode: Mode
) -> Answers:
    codes = Codes()
    kernel = LarsKernel(program, program.arities, codes, LARSOptions(mode=mode))
    kernel.push(encode(columns_of_facts(facts), codes))
    try:
        parts = [*kernel.evaluate(np.array(times, np.int64))]
    except InputError as error:
        return error.code
    return list(lars_answers(pa.concat_tables([no_answers(), *parts])))


@pytest.fixture
def two_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shard, "AT_ONCE", 2)


def _compare(rng: Random, text: str, facts: str, times: list[int]) -> None:
    program = checked(text)
    given = facts_of(program, facts)
    every = sorted({*times, *range(0, 15, 3)})
    events = sorted({p for f in given if f.interval != ALWAYS for p in time_points_of(f)})
    for mode in Mode:
        fed = _fed(program, given, at_points(every), mode)
        assert fed == _all_at_once(program, given, every, mode)
        at_events = _fed(program, given, AtEvents(), mode)
        assert at_events == _all_at_once(program, given, events, mode)


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
def test_facts_of_the_future_wait_until_they_matter(monkeypatch: pytest.MonkeyPatch):
    program = checked("s(X) :- win[1,2] <> p(X).")
    facts = facts_of(program, "p(a)@2\np(b)@3\np(c)@9")
    plain, sizes = LarsKernel.evaluate, list[int]()

    def watched(kernel: LarsKernel, times: Cuts) -> Iterator[pa.Table]:
        for answers in plain(kernel, times):
            sizes.append(len(kernel.stream.spans["p"]))
            assert answers.num_rows > 0
            yield answers

    monkeypatch.setattr(LarsKernel, "evaluate", watched)
    assert _fed(program, facts, at_points([0, 1, 3, 4]), Mode.STATELESS)
    assert sizes == [2, 2]
