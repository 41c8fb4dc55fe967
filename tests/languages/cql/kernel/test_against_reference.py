"""Worked examples and random queries against the reference, with evaluation times in any parts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from random import Random

import pytest
from tests.case_folders import Case, cases
from tests.cql_facts import evaluation_times, read_facts
from tests.languages.cql.kernel.driving import answers, checked
from tests.strategies.cql_queries import random_queries
from tests.strategies.cql_tables import SMALL, random_scale

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


def differing(seeds: Iterable[int], *, core: bool, edges: bool = False) -> list[int]:
    return [seed for seed in seeds if not _agrees(seed, core=core, edges=edges)]


def _agrees(seed: int, *, core: bool, edges: bool) -> bool:
    rng = Random(f"cql {seed} {core}")
    scale = random_scale(rng) if edges else SMALL
    text, data, at = random_queries(rng, core=core, scale=scale)
    program = checked(text)
    facts = read_facts(program, data)
    budget = rng.choice(BUDGETS)
    try:
        expected = written(evaluate(program, facts, at=at))
    except RunError:
        return edges or _stops(program, facts, at, budget)
    if edges and _may_stop(text) and _stops(program, facts, at, budget):
        return True
    return written(answers(program, facts, at, budget)) == expected


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
    assert differing(range(60), core=core) == []


def test_random_queries_over_large_times_and_numbers():
    """Where the reference stops, kernels may answer: what cannot fail is tested first."""
    assert differing(range(40), core=False, edges=True) == []


@pytest.mark.long
@pytest.mark.parametrize("core", [True, False])
def test_many_random_queries(core: bool):
    assert differing(range(60, 2000), core=core) == []


@pytest.mark.long
def test_many_random_queries_over_large_times_and_numbers():
    assert differing(range(40, 1000), core=False, edges=True) == []
