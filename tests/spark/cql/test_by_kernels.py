"""Queries whose windows hold rows for long: by kernels, with the answers of Spark's own joins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.case_folders import Case, cases
from tests.cql_facts import evaluation_times, read_facts
from tests.languages.cql.kernel.driving import answers, checked, tables
from tests.spark.cql.running import frames

from horae.data.time_points import AtEvents
from horae.languages.cql.plan.make_algebra import make_algebra
from horae.languages.cql.syntax.tree import Now, Range, Rows, StreamWindow
from horae.source.errors import InputError
from horae.source.text import Span
from horae.spark.cql.answers import collect_answers
from horae.spark.cql.batch import answer_frame
from horae.spark.cql.by_kernels import answers_by_kernels
from horae.spark.cql.long_windows import stay_long, times_in
from horae.spark.failures import unmarked

pytestmark = pytest.mark.spark
HERE = Span(0, 0)
S = "REGISTER STREAM s(A int, B double); REGISTER RELATION r(A int); "
CASES = ("queries_as_streams", "istream_in_order", "not_exists_correlated", "relations_alone")


@pytest.mark.parametrize("case", [c for c in cases("cql") if c.name in CASES], ids=lambda c: c.name)
def test_worked_example(spark: Any, case: Case):
    program = checked(case.source)
    facts = read_facts(program, case.facts)
    at = np.array(evaluation_times(program, facts, case.options.get("at")), np.int64)
    given = frames(spark, program, tables(program, facts))
    assert (
        collect_answers(answers_by_kernels(make_algebra(program), given, at, spark))
        == case.expected
    )


def test_many_rows_in_long_windows(spark: Any):
    """Some queries are spread, some are not, and one reads another."""
    text = (
        S
        + """a: SELECT A, COUNT(*) AS n, SUM(B) AS b FROM s [RANGE UNBOUNDED] GROUP BY A;
        b: SELECT COUNT(*), MAX(B) FROM s [ROWS 700];
        c: ISTREAM(SELECT s.A, B FROM s [RANGE UNBOUNDED], r WHERE s.A = r.A);
        d: SELECT MAX(n) FROM a;"""
    )
    program = checked(text)
    facts: list[Any] = [("s", (time % 5, time / 4), time) for time in range(1000)]
    facts += [("r", (2,), None), ("r", (3,), None)]
    plan = make_algebra(program)
    assert stay_long(plan, np.arange(1000))
    frame = answer_frame(plan, frames(spark, program, tables(program, facts)), AtEvents())
    assert collect_answers(frame) == answers(program, facts, range(1000))


def test_faults_are_those_of_one_process(spark: Any):
    program = checked(S + "SELECT 6 / A FROM s [RANGE UNBOUNDED]")
    facts = [("s", (3 - time, 0.0), time) for time in range(6)]
    given, times = frames(spark, program, tables(program, facts)), np.arange(6)
    with pytest.raises(InputError, match="RUN022") as caught, unmarked():
        answers_by_kernels(make_algebra(program), given, times, spark).collect()
    assert caught.value.time == "3"


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (Now(span=HERE), 1),
        (Range(None, 1, span=HERE), 50),
        (Range(9, 1, span=HERE), 10.5),
        (Rows(7, (), span=HERE), 7),
        (Rows(700, (), span=HERE), 50),
    ],
)
def test_how_long_rows_stay(window: StreamWindow, expected: float):
    assert times_in(window, np.arange(100)) == pytest.approx(expected, rel=0.1)
