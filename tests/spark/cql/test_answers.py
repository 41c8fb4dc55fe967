"""CQL on Spark: worked examples, random queries against the kernels, and faults."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from tests.case_folders import Case, cases
from tests.cql_facts import evaluation_times, read_facts
from tests.kernels.cql.driving import answers, checked
from tests.spark.cql.running import on_spark
from tests.strategies.cql_queries import random_queries

from horae.source.errors import InputError

pytestmark = pytest.mark.spark

# One for each operator of the algebra; `long` runs them all.
CASES = cases("cql")
SHORT = (
    "example_6_exp",
    "groups_of_nulls",
    "ints_and_doubles_compare_exactly",
    "istream_in_order",
    "not_in_with_null",
    "partition_by_two_columns",
)


def written(found: Iterable[dict[str, object]]) -> list[str]:
    return [json.dumps(answer) for answer in found]


def check_case(spark: Any, case: Case) -> None:
    program = checked(case.source)
    facts = read_facts(program, case.facts)
    at = evaluation_times(program, facts, case.options.get("at"))
    assert written(on_spark(spark, program, facts, at)) == written(case.expected)


@pytest.mark.parametrize("case", [c for c in CASES if c.name in SHORT], ids=lambda c: c.name)
def test_worked_example(spark: Any, case: Case):
    check_case(spark, case)


@pytest.mark.long
@pytest.mark.parametrize("case", [c for c in CASES if c.name not in SHORT], ids=lambda c: c.name)
def test_other_worked_example(spark: Any, case: Case):
    check_case(spark, case)


def check_random(spark: Any, seed: int) -> None:
    text, data, at = random_queries(Random(f"spark {seed}"), core=False)
    program = checked(text)
    facts = read_facts(program, data)
    expected = written(answers(program, facts, at))
    assert written(on_spark(spark, program, facts, at)) == expected, text


@pytest.mark.parametrize("seed", range(4))
def test_random_queries(spark: Any, seed: int):
    check_random(spark, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4, 40))
def test_many_random_queries(spark: Any, seed: int):
    check_random(spark, seed)
