"""CQL on Spark, by kernels in shards: worked examples, random queries against one process, faults."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from tests.case_folders import Case, cases
from tests.cql_facts import evaluation_times, read_facts
from tests.languages.cql.kernel.driving import answers, checked
from tests.spark.cql.running import on_spark
from tests.strategies.cql_queries import random_queries

from horae.data.time_points import AtEvents
from horae.source.errors import InputError

pytestmark = pytest.mark.spark

CASES = cases("cql")
SHORT = (
    "example_6_exp",
    "groups_of_nulls",
    "ints_and_doubles_compare_exactly",
    "istream_in_order",
    "not_exists_correlated",
    "not_in_with_null",
    "partition_by_two_columns",
    "queries_as_streams",
    "relations_alone",
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


@pytest.mark.parametrize("seed", [0])
def test_random_queries(spark: Any, seed: int):
    check_random(spark, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 40))
def test_many_random_queries(spark: Any, seed: int):
    check_random(spark, seed)


# --- many rows

S = "REGISTER STREAM s(A int, B double); REGISTER RELATION r(A int); "


def test_many_rows_in_long_windows(spark: Any):
    """Some queries are spread, some are not, and one reads another."""
    text = """a: SELECT A, COUNT(*) AS n, SUM(B) AS b FROM s [RANGE UNBOUNDED] GROUP BY A;
        b: SELECT COUNT(*), MAX(B) FROM s [ROWS 700];
        c: ISTREAM(SELECT s.A, B FROM s [RANGE UNBOUNDED], r WHERE s.A = r.A);
        d: SELECT MAX(n) FROM a;"""
    program = checked(S + text)
    facts: list[Any] = [("s", (time % 5, time / 4), time) for time in range(1000)]
    facts += [("r", (2,), None), ("r", (3,), None)]
    expected = answers(program, facts, range(1000))
    assert on_spark(spark, program, facts, AtEvents()) == expected
    assert on_spark(spark, program, facts, AtEvents(), shards=1) == expected


# --- faults


def fault(spark: Any, text: str, facts: list[Any], at: list[int]) -> InputError:
    with pytest.raises(InputError) as caught:
        on_spark(spark, checked(S + text), facts, at)
    return caught.value


def test_faults_are_those_of_the_kernels(spark: Any):
    facts = [("s", (2**62, 0.0), 4)] * 2
    for text in ("A / B", "A + A", "SUM(A)"):
        query = f"SELECT {text} FROM s [NOW]"
        found = fault(spark, query, facts, [1, 4])
        with pytest.raises(InputError) as caught:
            answers(checked(S + query), facts, [1, 4])
        assert vars(found) == vars(caught.value)


def test_the_first_fault_of_all_shards_is_told(spark: Any):
    facts = [("s", (3 - time, 0.0), time) for time in range(6)]
    found = fault(spark, "SELECT 6 / A FROM s [RANGE UNBOUNDED]", facts, list(range(6)))
    assert (found.code, found.time) == ("RUN022", "3")


def test_faults_count_only_where_the_value_is_needed(spark: Any):
    """The row with A = 0 finds no partner: nothing divides before the join."""
    facts = [("s", (0, 1.0), 1), ("s", (2, 1.0), 1), ("r", (2,), None)]
    text = "a: SELECT s.A FROM s [NOW], r WHERE 4 / s.A = 2 AND s.A = r.A; "
    text += "b: SELECT A FROM s [NOW] WHERE A = 0 OR 4 / A = 2; "
    text += "c: SELECT A FROM s [NOW] WHERE A = 0 OR 4 / A IN (SELECT A FROM r)"
    found = on_spark(spark, checked(S + text), facts, [1])
    rows = [(each["query"], *each["row"]) for each in found]
    assert rows == [("a", 2), ("b", 0), ("b", 2), ("c", 0), ("c", 2)]


def test_a_value_that_nobody_reads_fails_too(spark: Any):
    """As in one process."""
    text = "SELECT n.A FROM (SELECT A, A / B AS C FROM s [NOW]) AS n"
    assert fault(spark, text, [("s", (1, 0.0), 1)], [1]).code == "RUN022"


def test_sums_of_doubles_are_rounded_once(spark: Any):
    values = [1e16, 1.0, -1e16, 1e-3, 0.1, 0.2, 0.3]
    facts = [("s", (2**62 + i, value), i) for i, value in enumerate(values)]
    text = "SELECT SUM(B), AVG(B), AVG(A), SUM(DISTINCT B) FROM s [RANGE 100]"
    program = checked(S + text)
    assert on_spark(spark, program, facts, [9]) == answers(program, facts, [9])
