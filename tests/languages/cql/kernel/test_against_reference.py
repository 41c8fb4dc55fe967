"""Worked examples and random queries against the reference, with evaluation times in any parts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

import pytest
from tests.case_folders import Case, cases
from tests.cql_facts import evaluation_times, read_facts
from tests.languages.cql.kernel.driving import answers, checked
from tests.strategies.cql_queries import random_queries, thinned_queries
from tests.strategies.cql_tables import SMALL, random_scale
from tests.strategies.shrinking import hold, thinned_lines

from horae.languages.cql.program import Program
from horae.reference.cql import Fact, RunError, evaluate
from horae.source.errors import InputError

BUDGETS = (1, 40, 10**6)


def written(found: Iterable[dict[str, object]]) -> list[str]:
    """As JSON, where 2 and 2.0 differ."""
    return [json.dumps(answer) for answer in found]


@pytest.mark.parametrize("case", cases("cql"), ids=lambda case: case.name)
def test_worked_example(case: Case):
    program = checked(case.source)
    facts = read_facts(program, case.facts)
    at = evaluation_times(program, facts, case.options.get("at"))
    for budget in BUDGETS:
        assert written(answers(program, facts, at, budget)) == written(case.expected)


class Sample(NamedTuple):
    text: str
    facts: str
    at: list[int]
    budget: int


def random_sample(rng: Random, *, core: bool, edges: bool = False) -> Sample:
    scale = random_scale(rng) if edges else SMALL
    text, facts, at = random_queries(rng, core=core, scale=scale)
    return Sample(thinned_queries(rng, text), thinned_lines(rng, facts), at, rng.choice(BUDGETS))


def check(sample: Sample, *, edges: bool = False) -> None:
    program = checked(sample.text)
    facts = read_facts(program, sample.facts)
    try:
        expected = written(evaluate(program, facts, at=sample.at))
    except RunError:
        assert edges or _stops(program, facts, sample.at, sample.budget)
        return
    if edges and _may_stop(sample.text) and _stops(program, facts, sample.at, sample.budget):
        return
    assert written(answers(program, facts, sample.at, sample.budget)) == expected


def compare(seeds: Iterable[int], *, core: bool, edges: bool = False) -> None:
    make = partial(random_sample, core=core, edges=edges)
    hold(make, partial(check, edges=edges), (f"cql {seed} {core}" for seed in seeds))


def _may_stop(text: str) -> bool:
    """Kernels compute all aggregates and subqueries; the reference those that are needed."""
    return any(word in text for word in ("HAVING", "EXISTS", "IN (SELECT"))


def _stops(program: Program, facts: Sequence[Fact], at: Sequence[int], budget: int) -> bool:
    try:
        answers(program, facts, at, budget)
    except InputError:
        return True
    return False


@pytest.mark.parametrize("core", [True, False])
def test_random_queries(core: bool):
    compare(range(60), core=core)


def test_random_queries_over_large_times_and_numbers():
    """Where the reference stops, kernels may answer: what cannot fail is tested first."""
    compare(range(40), core=False, edges=True)


@pytest.mark.long
@pytest.mark.parametrize("core", [True, False])
def test_many_random_queries(core: bool):
    compare(range(60, 2000), core=core)


@pytest.mark.long
def test_many_random_queries_over_large_times_and_numbers():
    compare(range(40, 1000), core=False, edges=True)
