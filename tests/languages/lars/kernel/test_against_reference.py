"""Programs through the kernel: the fast path where rules allow it, the solver where they do not.

Against the worked examples, against the reference, against the solver alone, and step by step
against all at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pytest
from tests.case_folders import Case, cases
from tests.languages.lars.kernel.solver_runs import checked, ground_facts
from tests.languages.lars.kernel.solver_runs import evaluate as solve
from tests.languages.lars.plan.simulated import as_a_whole, facts_of
from tests.strategies.lars_large import random_large_program
from tests.strategies.lars_programs import KINDS, random_program, thinned_program
from tests.strategies.shrinking import hold, thinned_lines

from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS
from horae.data.predicate_facts import columns_of_facts
from horae.languages.lars.answers import lars_answers
from horae.languages.lars.kernel.answers import no_answers
from horae.languages.lars.kernel.codes import Codes
from horae.languages.lars.kernel.facts import encode
from horae.languages.lars.kernel.kernel import LarsKernel
from horae.languages.lars.options import Consequences, LARSOptions, Mode
from horae.languages.lars.program import Program
from horae.reference.lars import TooLargeError
from horae.reference.lars import evaluate as reference

Answers = list[dict[str, Any]]


def run(program: Program, facts: str, times: Iterable[int], options: LARSOptions) -> Answers:
    everything = _facts(program, facts)
    return as_a_whole(program, everything, [*times], options)


def _facts(program: Program, facts: str) -> list[GroundFact]:
    return facts_of(program, facts)


def run_in_steps(
    program: Program, facts: str, times: Iterable[int], options: LARSOptions, rng: Random
) -> Answers:
    """Facts arrive no sooner than the evaluations that may look ahead at them allow."""
    everything, codes = _facts(program, facts), Codes()
    kernel = LarsKernel(program, program.arities, codes, options)
    kernel.push(encode(columns_of_facts(f for f in everything if f.interval == ALWAYS), codes))
    waiting = sorted((f for f in everything if f.interval != ALWAYS), key=_begin)
    parts: list[pa.Table] = []
    for step in _cuts(sorted(times), rng):
        ahead = kernel.delay
        ready = [f for f in waiting if ahead is None or _begin(f) <= step[-1] + ahead]
        waiting = [f for f in waiting if f not in ready]
        kernel.push(encode(columns_of_facts(ready), codes))
        parts += kernel.evaluate(np.array(step))
    return list(lars_answers(pa.concat_tables([no_answers(), *parts])))


def _begin(fact: GroundFact) -> int:
    assert fact.interval.low is not None
    return int(fact.interval.low)


def _cuts(times: list[int], rng: Random) -> Iterable[list[int]]:
    while times:
        size = rng.randint(1, len(times))
        yield times[:size]
        times = times[size:]


# --- tests


@pytest.mark.parametrize("case", cases("lars"), ids=lambda case: case.name)
def test_worked_example(case: Case):
    mode = Mode(case.options.get("mode", "stateless"))
    options = LARSOptions(
        mode=mode, consequences=Consequences(case.options.get("consequences", "all"))
    )
    assert run(checked(case.source.text), case.facts, case.options["at"], options) == case.expected


MAKERS = {"small": random_program, "large": random_large_program}
SIZES = pytest.mark.parametrize("size", MAKERS)


class Sample(NamedTuple):
    text: str
    facts: str
    at: list[int]
    mode: Mode
    seed: int  # for the steps in which facts arrive


def random_sample(rng: Random, kind: str, size: str) -> Sample:
    text, facts, times = MAKERS[size](rng, kind=kind)
    text, facts = thinned_program(rng, text), thinned_lines(rng, facts)
    return Sample(text, facts, times, rng.choice(list(Mode)), rng.randrange(1000))


def check(sample: Sample) -> None:
    """Kernel, solver alone and reference; too large a program for the reference does not count."""
    text, facts, at, mode, seed = sample
    program, options = checked(text), LARSOptions(mode=mode)
    try:
        expected = reference(program, ground_facts(facts), at=at, mode=mode)
    except TooLargeError:
        return
    assert run(program, facts, at, options) == expected
    assert run_in_steps(program, facts, at, options, Random(seed)) == expected
    assert solve(program, facts, at=at, mode=mode) == expected


def compare(kind: str, seeds: Iterable[int], size: str) -> None:
    make = partial(random_sample, kind=kind, size=size)
    hold(make, check, (f"kernel {kind} {seed}" for seed in seeds))


@SIZES
@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str, size: str):
    compare(kind, range(25), size)


@SIZES
@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_many_random_programs(kind: str, size: str):
    compare(kind, range(25, 1025), size)
