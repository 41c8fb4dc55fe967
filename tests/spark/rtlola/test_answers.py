"""Spark gives the answers that were worked out by hand, and those of the reference."""

from __future__ import annotations

from random import Random

import pytest
from tests.case_folders import Case, cases
from tests.spark.rtlola.frames import answers_on
from tests.strategies.rtlola_specs import random_program
from tests.strategies.rtlola_spreadable import spreadable_program
from tests.strategies.rtlola_traces import random_trace

import horae
from horae.languages.rtlola.plan.spread import make_partition
from horae.reference.rtlola import evaluate as evaluate_reference
from horae.source.errors import InputError

pytestmark = pytest.mark.spark

# One case per way through Spark that the templates do not take.
_OTHERS = ("discrete_future", "rows_are_positions", "strings", "ticks_from_an_origin", "timeinput")


def _is_of_interest(case: Case) -> bool:
    text = case.source.text
    templates = any(word in text for word in ("invoke:", "any(", "all(", "count("))
    return bool(case.rows) and (templates or case.name in _OTHERS)


_CASES = [case for case in cases() if _is_of_interest(case)]


@pytest.mark.parametrize("case", _CASES[::5], ids=lambda c: c.name)
def test_worked_example(spark, case: Case):
    _check_case(spark, case)


@pytest.mark.long
@pytest.mark.parametrize("case", _CASES, ids=lambda c: c.name)
def test_every_worked_example(spark, case: Case):
    _check_case(spark, case)


def _check_case(spark, case: Case) -> None:
    program = horae.compile(case.source.text)
    shards = (1, 3) if program.plan.is_spread else (2,)
    for count in shards:
        assert answers_on(spark, program, case.rows, shards=count, **case.options) == case.expected


def _check_random(spark, seed: int) -> None:
    rng = Random(seed)
    checked = (random_program if seed % 6 == 0 else spreadable_program)(rng)
    rows = random_trace(rng, checked)
    emit = rng.choice(("all", "changes", "triggers"))
    program = horae.compile(checked.source.text)
    expected = _answers(lambda: evaluate_reference(checked, rows, emit=emit))
    shards = rng.randint(2, 5) if make_partition(checked).is_spread else 1
    found = _answers(lambda: answers_on(spark, program, rows, shards=shards, emit=emit))
    assert found == expected


@pytest.mark.parametrize("seed", range(3))
def test_random_specification(spark, seed):
    _check_random(spark, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3, 40))
def test_more_random_specifications(spark, seed):
    _check_random(spark, seed)


def _answers(evaluate):
    try:
        return evaluate()
    except InputError as error:
        return error.code
