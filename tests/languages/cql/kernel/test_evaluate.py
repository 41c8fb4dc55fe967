"""What the random queries do not reach: faults, zeros, `order`, empty input, many evaluation times."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.languages.cql.kernel.driving import answers, checked, tables

from horae.languages.cql.kernel import room
from horae.languages.cql.kernel.evaluate import evaluate, evaluate_parts
from horae.languages.cql.kernel.nodes import Nodes
from horae.languages.cql.plan.make_algebra import make_algebra
from horae.source.errors import InputError

S = "REGISTER STREAM s(A int, B double); REGISTER RELATION r(A int); "


def rows(text: str, facts: list[Any], at: list[int]) -> list[list[Any]]:
    return [answer["row"] for answer in answers(checked(S + text), facts, at)]


def fault(text: str, facts: list[Any], at: list[int]) -> InputError:
    with pytest.raises(InputError) as caught:
        rows(text, facts, at)
    return caught.value


def test_division_by_zero_names_place_and_time():
    error = fault("SELECT A / B FROM s [NOW]", [("s", (1, 0.0), 4), ("s", (1, 0.0), 2)], [1, 2, 4])
    assert error.code == "RUN022"
    assert error.message == "division by zero in `A / B`"
    assert (error.place, error.time) == (f"spec.cql:1:{len(S) + 8}", "2")


def test_overflow():
    facts = [("s", (2**62, 1e308), 1)]
    assert fault("SELECT A + A FROM s [NOW]", facts, [1]).code == "RUN021"
    assert fault("SELECT B * 10 FROM s [NOW]", facts, [1]).code == "RUN023"
    assert fault("SELECT SUM(A) FROM s [NOW]", facts * 2, [1]).code == "RUN021"
    assert fault("SELECT SUM(B) FROM s [NOW]", facts * 2, [1]).code == "RUN023"
    assert rows("SELECT AVG(A), AVG(B) FROM s [NOW]", facts * 2, [1]) == [[2.0**62, 1e308]]


def test_and_or_protect_what_stands_right_of_them():
    facts = [("s", (0, 1.0), 1), ("s", (2, 1.0), 1)]
    assert rows("SELECT A FROM s [NOW] WHERE A != 0 AND 4 / A = 2", facts, [1]) == [[2]]
    assert rows("SELECT A FROM s [NOW] WHERE A = 0 OR 4 / A = 2", facts, [1]) == [[0], [2]]
    assert fault("SELECT A FROM s [NOW] WHERE 4 / A = 2 OR A = 0", facts, [1]).code == "RUN022"


def test_and_or_protect_the_values_of_in():
    facts = [("s", (0, 1.0), 1), ("s", (2, 1.0), 1), ("r", (2,), None)]
    among = "4 / A IN (SELECT A FROM r)"
    assert rows(f"SELECT A FROM s [NOW] WHERE A = 0 OR {among}", facts, [1]) == [[0], [2]]
    assert rows(f"SELECT A FROM s [NOW] WHERE A != 0 AND {among}", facts, [1]) == [[2]]
    assert fault(f"SELECT A FROM s [NOW] WHERE {among} OR A = 0", facts, [1]).code == "RUN022"


def test_faults_count_only_for_rows_that_satisfy_what_cannot_fail():
    """The row with A = 0 finds no partner, so nothing is divided by it, in any order of the parts."""
    facts = [("s", (0, 1.0), 1), ("s", (2, 1.0), 1), ("r", (2,), None)]
    query = "SELECT s.A FROM s [NOW], r WHERE 4 / s.A = 2 AND s.A = r.A"
    assert rows(query, facts, [1]) == [[2]]


def test_one_zero():
    facts = [("s", (1, -0.0), 1), ("s", (1, 0.0), 1)]
    assert rows("SELECT B, COUNT(*) FROM s [NOW] GROUP BY B", facts, [1]) == [[0.0, 2]]
    (answer,) = answers(checked(S + "SELECT DISTINCT 0 * -B FROM s [NOW]"), facts, [1])
    assert str(answer["row"]) == "[0.0]"


def test_order_tells_the_newest():
    facts = [("s", (1, 0.0), 1, 2), ("s", (2, 0.0), 1, 1)]
    assert rows("SELECT A FROM s [ROWS 1]", facts, [1]) == [[1]]
    assert rows("SELECT A FROM s [ROWS 1]", [fact[:3] for fact in facts], [1]) == [[2]]


def test_the_order_column_may_be_missing():
    program = checked(S + "SELECT A FROM s [ROWS 1]")
    given = tables(program, [("s", (1, 0.0), 1), ("s", (2, 0.0), 1)])
    given["s"] = given["s"].drop_columns("order")
    found = evaluate(make_algebra(program), given, np.array([1]))
    assert found.column("0:int").to_pylist() == [2]


def test_without_rows_and_without_times():
    text = "SELECT COUNT(*), SUM(A) FROM s [RANGE 3]"
    assert rows(text, [], [1, 2]) == [[0, None], [0, None]]
    assert rows(text, [("s", (1, 0.0), 1)], []) == []
    assert rows("SELECT s.A FROM s [RANGE 3], r WHERE s.A = r.A", [], [1]) == []


def test_in_compares_ints_with_doubles_exactly():
    """2⁵³ + 1 is no double: rounded it would be 2⁵³."""
    facts = [("s", (0, 2.0**53), 1), ("r", (2**53 + 1,), None), ("r", (2**53,), None)]
    assert rows("SELECT A FROM r WHERE A IN (SELECT B FROM s [NOW])", facts, [1]) == [[2**53]]
    assert rows("SELECT r.A FROM s [NOW], r WHERE s.B = r.A", facts, [1]) == [[2**53]]


def test_evaluation_times_in_parts():
    """A part costs its times and the rows that come; changes are found across parts."""
    program = checked(
        S + "SELECT A FROM s [RANGE 1]; SELECT A FROM r; d: DSTREAM(SELECT A FROM s [NOW])"
    )
    facts = [("s", (time, 0.0), time) for time in range(100)]
    given, times = tables(program, facts), np.arange(100)
    found = list(evaluate_parts(make_algebra(program), given, times, budget=40))
    costs = [len(np.unique(t.column("time").to_numpy())) for t in found if t.num_rows]
    assert max(costs) == 40 // 3  # a time costs 1, and 1 + 1 rows that come
    whole = evaluate(make_algebra(program), given, times)
    assert pa.concat_tables(found).sort_by("time").num_rows == whole.num_rows == 199 + 99


def test_answers_of_queries_stay_while_a_window_sees_them():
    text = "a: ISTREAM(SELECT A FROM s [RANGE 100]); "
    text += "b: SELECT A FROM a [ROWS 2]; c: SELECT A FROM a [RANGE 2]"
    facts = [("s", (time, 0.0), time) for time in range(0, 20, 2)]
    program = checked(S + text)
    times = list(range(20))
    for budget in (1, 10, 10**6):
        found = answers(program, facts, times, budget)
        at_19 = [(a["query"], a["row"]) for a in found if a["time"] == 19]
        assert at_19 == [("b", [16]), ("b", [18]), ("c", [18])]


def test_a_join_that_is_too_large_names_the_query(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(room, "MOST_PAIRS", 99)
    facts = [("s", (number, 0.0), number) for number in range(1, 11)]
    error = fault("big: SELECT x.A FROM s [ROWS 10] x, s [RANGE 20] y", facts, list(range(1, 15)))
    assert (error.code, error.time) == ("RUN060", "10")
    assert error.message == "`big` joins `s` with `s`: more than 99 pairs of rows"
    assert "`a.id = b.id`" in error.help


def test_joins_that_are_too_large_for_a_part_are_computed_in_several(
    monkeypatch: pytest.MonkeyPatch,
):
    text = "a: ISTREAM(SELECT x.A FROM s [ROWS 3] x, s [ROWS 2] y); "
    text += "b: SELECT COUNT(*) FROM a [RANGE 5]; c: DSTREAM(SELECT COUNT(*) FROM a [ROWS 7])"
    facts = [("s", (number % 4, 0.0), number) for number in range(40)]
    whole = answers(checked(S + text), facts, range(45))
    monkeypatch.setattr(room, "MOST_PAIRS", 8)
    assert answers(checked(S + text), facts, range(45)) == whole


def test_tables_of_a_part_go_with_it():
    """Without waiting for the garbage collector: they are large."""
    gc.collect()
    gc.disable()
    try:
        assert rows("SELECT SUM(A) FROM s [RANGE 5]", [("s", (7, 1.0), 1)], [1, 2]) == [[7], [7]]
        # `isinstance` would ask proxies for the class of what is gone.
        assert not any(type(found) is Nodes for found in gc.get_objects())
    finally:
        gc.enable()
