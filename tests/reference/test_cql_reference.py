"""The reference semantics of CQL against examples worked out by hand, and against itself."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from tests.case_folders import Case, cases
from tests.cql_facts import evaluation_times, read_facts
from tests.strategies.cql_queries import random_queries

from horae.languages.cql.check.check import load
from horae.languages.cql.program import Program
from horae.reference.cql import (
    DivisionByZeroError,
    Fact,
    IntegerOverflowError,
    NotFiniteError,
    evaluate,
)
from horae.source.text import Source


def checked(text: str) -> Program:
    program, found = load(Source("spec.cql", text))
    assert program is not None, [d.message for d in found]
    return program


def answers(text: str, data: str, at: str | None = None) -> list[dict[str, Any]]:
    program = checked(text)
    facts = read_facts(program, data)
    return evaluate(program, facts, at=evaluation_times(program, facts, at))


def rows(text: str, data: str, at: str | None = None) -> list[list[Any]]:
    return [answer["row"] for answer in answers(text, data, at)]


def written(found: list[dict[str, Any]]) -> list[str]:
    """As JSON, where 2 and 2.0 differ, and true and 1."""
    return [json.dumps(answer) for answer in found]


@pytest.mark.parametrize("case", cases("cql"), ids=lambda case: case.name)
def test_worked_example(case: Case):
    found = answers(case.source.text, case.facts, case.options.get("at"))
    assert written(found) == written(case.expected)


# --- what cannot be computed

S = "REGISTER STREAM s(A int, B double); "
GREATEST = 2**63 - 1


def test_division_by_zero():
    for text in ("1 / A", "B / 0", "A / (B - B)"):
        with pytest.raises(DivisionByZeroError):
            answers(f"{S} SELECT {text} AS x FROM s [NOW]", "s(0,1)@1")


def test_nothing_divided_by_zero_is_null():
    text = f"{S} m: SELECT MAX(A) AS M FROM s [NOW]; n: SELECT M / 0 AS x FROM m"
    assert rows(text, "s(1,1)@1", at="2") == [[None], [None]]


@pytest.mark.parametrize("text", ["A + 1", "A * 2", "0 - A - 2", "SUM(A)"])
def test_ints_have_64_bits(text: str):
    data = f"s({GREATEST},1)@1\ns({GREATEST},2)@1"
    with pytest.raises(IntegerOverflowError):
        answers(f"{S} SELECT {text} AS x FROM s [NOW]", data)


def test_the_greatest_and_the_smallest_int():
    text = f"{S} SELECT A - 1 + 1 AS x, 0 - A - 1 AS y FROM s [NOW]"
    assert rows(text, f"s({GREATEST},1)@1") == [[GREATEST, -GREATEST - 1]]


def test_the_mean_of_large_ints_is_rounded_once():
    text = f"{S} SELECT AVG(A) AS x FROM s [NOW]"
    data = f"s({GREATEST},1)@1\ns({GREATEST},2)@1\ns(0,1)@1"
    assert rows(text, data) == [[2 * GREATEST / 3]]


def test_doubles_that_become_too_large():
    data = f"s(0,1{'0' * 308})@1"
    for text in ("B * 10", "SUM(B * 1) + SUM(B) * 100"):
        with pytest.raises(NotFiniteError):
            answers(f"{S} SELECT {text} AS x FROM s [NOW]", data)


def test_what_no_row_needs_is_not_computed():
    assert answers(f"{S} SELECT 1 / A AS x FROM s [NOW] WHERE A > 0", "s(0,1)@1") == []


def test_there_is_one_zero():
    found = answers(f"{S} SELECT 0 * (0 - B) AS x FROM s [NOW] GROUP BY 0 * (0 - B)", "s(0,1)@1")
    assert str(found[0]["row"]) == "[0.0]"


# --- input


def test_rows_at_the_same_time_are_ordered_by_their_order():
    program = checked(f"{S} SELECT A FROM s [ROWS 1]")
    facts: list[Fact] = [("s", (7, 0.0), 1, 1), ("s", (3, 0.0), 1, 2), ("s", (5, 0.0), 1, 0)]
    assert [answer["row"] for answer in evaluate(program, facts, at=[1])] == [[3]]


def test_names_of_facts_are_the_same_in_any_case_and_strange_ones_have_no_meaning():
    program = checked(f"{S} SELECT A FROM s [NOW]")
    facts: list[Fact] = [("S", (7, 0.0), 1), ("other", (8, 0.0), 1)]
    assert [answer["row"] for answer in evaluate(program, facts, at=[1])] == [[7]]


def test_rows_of_streams_have_a_time():
    with pytest.raises(ValueError, match="have a time"):
        evaluate(checked(f"{S} SELECT A FROM s [NOW]"), [("s", (7, 0.0), None)], at=[1])


def test_an_int_in_a_double_column_is_a_double():
    found = evaluate(checked(f"{S} SELECT B FROM s [NOW]"), [("s", (7, 2), 1)], at=[1])
    assert str(found[0]["row"]) == "[2.0]"


def test_evaluation_times_are_a_set():
    program = checked(f"{S} ISTREAM(SELECT A FROM s [RANGE 9])")
    facts: list[Fact] = [("s", (1, 0.0), 1), ("s", (2, 0.0), 2)]
    found = evaluate(program, facts, at=[2, 1, 2])
    assert [(answer["time"], answer["row"]) for answer in found] == [(1, [1]), (2, [2])]


# --- what must not matter

SEEDS = range(30)


def test_the_order_of_facts_does_not_matter():
    for seed in SEEDS:
        rng = Random(seed)
        text, data, times = random_queries(rng, core=False)
        program = checked(text)
        facts = read_facts(program, data)
        turned = rng.sample(facts, len(facts))
        assert evaluate(program, turned, at=times) == evaluate(program, facts, at=times)


def test_rows_of_the_future_do_not_matter():
    for seed in SEEDS:
        text, data, times = random_queries(Random(seed), core=False)
        program = checked(text)
        facts = read_facts(program, data)
        known = [fact for fact in facts if fact[2] is None or fact[2] <= times[1]]
        found = evaluate(program, facts, at=times)
        early = [answer for answer in found if answer["time"] <= times[1]]
        assert evaluate(program, known, at=times[:2]) == early


def test_changes_add_up():
    """What came before, without what left, with what came, is what is there now."""
    for seed in SEEDS:
        text, data, times = random_queries(Random(seed), core=True)
        program = checked(text + "".join(_changes(text)))
        found = evaluate(program, read_facts(program, data), at=times)
        for name in (query.name for query in checked(text).queries):
            _check_changes(found, name, times)


def _changes(text: str) -> list[str]:
    bodies = [line.partition(": ") for line in text.splitlines() if line.startswith("q")]
    return [
        f"{operator}_{name}: {operator}({body.rstrip(';')});\n"
        for name, _, body in bodies
        for operator in ("ISTREAM", "DSTREAM")
    ]


def _check_changes(found: list[dict[str, Any]], name: str, times: list[int]) -> None:
    def bag(query: str, time: int) -> list[str]:
        wanted = (answer for answer in found if answer["query"] == query)
        return sorted(str(answer["row"]) for answer in wanted if answer["time"] == time)

    before: list[str] = []
    for time in times:
        now, came, left = (bag(f"{kind}{name}", time) for kind in ("", "ISTREAM_", "DSTREAM_"))
        assert sorted(before + came) == sorted(now + left)
        assert not set(came) & set(left)
        before = now
