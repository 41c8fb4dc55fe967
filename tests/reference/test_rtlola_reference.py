"""The reference semantics against examples worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
from tests.case_folders import Case, cases

from horae.languages.rtlola.check.check import load
from horae.languages.rtlola.program import Program
from horae.reference.rtlola import evaluate
from horae.source.errors import InputError
from horae.source.text import Source


def checked(source: Source) -> Program:
    program, found = load(source)
    assert program is not None, [d.message for d in found]
    return program


def answers(text: str, rows: Sequence[Mapping[str, object]], **options: Any):
    return evaluate(checked(Source("spec.lola", text)), rows, **options)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_worked_example(case: Case):
    origin = Fraction(case.options.get("origin", 0))
    emit = case.options.get("emit", "all")
    found = evaluate(checked(case.source), case.rows, emit=emit, origin=origin)
    assert found == case.expected
    assert [_types(answer) for answer in found] == [_types(answer) for answer in case.expected]


def _types(answer: dict[str, object]) -> list[type]:
    """1 and 1.0 and true are equal in Python, but they are not the same answer."""
    return [type(value) for value in answer.values()]


FAILURES = [
    ("output int n := a / b", {"a": 1, "b": 0}, "RUN001"),
    ("output int n := a % b", {"a": 1, "b": 0}, "RUN001"),
    ("output double n := x / 0.0", {"x": 1.0}, "RUN001"),
    ("output int n := a + b", {"a": 2**63 - 1, "b": 1}, "RUN002"),
    ("output int n := -a", {"a": -(2**63)}, "RUN002"),
    ("output int n := abs(a)", {"a": -(2**63)}, "RUN002"),
    ("output int n := a / b", {"a": -(2**63), "b": -1}, "RUN002"),
    ("output int n := a ^ b", {"a": 2, "b": 63}, "RUN002"),
    ("output int n := floor(x)", {"x": 1e300}, "RUN002"),
    ("output double n := x * x", {"x": 1e200}, "RUN003"),
    ("output double n := x - x * x * x", {"x": 1e200}, "RUN003"),
    ("output double n := exp(x)", {"x": 1000.0}, "RUN003"),
    ("output double n := sqrt(x)", {"x": -1.0}, "RUN003"),
    ("output double n := log(x)", {"x": 0.0}, "RUN003"),
    ("output double n := x ^ 0.5", {"x": -1.0}, "RUN003"),
    ("output int n := int(s)", {"s": "1.5"}, "RUN004"),
    ("output int n := int(s)", {"s": "9223372036854775808"}, "RUN004"),
    ("output int n := int(x)", {"x": 1e19}, "RUN004"),
    ("output double n := double(s)", {"s": "nan"}, "RUN004"),
    ("output int n := a ^ b", {"a": 2, "b": -1}, "RUN005"),
    ("output bool n := matches(s, s)", {"s": "("}, "RUN006"),
    ("output bool n\n extend: a / b = 1\n := true", {"a": 1, "b": 0}, "RUN001"),
    ("trigger a / b = 1", {"a": 1, "b": 0}, "RUN001"),
]


@pytest.mark.parametrize(("line", "row", "code"), FAILURES)
def test_failures_name_the_code_the_row_and_the_time(line, row, code):
    text = f"input int a, b\ninput double x\ninput string s\n{line}"
    rows = [{"time": 1}, {"time": 2.5} | row]
    with pytest.raises(InputError) as caught:
        answers(text, rows)
    assert (caught.value.code, caught.value.row, caught.value.time) == (code, 2, "5/2")


def test_an_int_sum_overflows_by_its_result_only():
    text = "input int a\noutput int n\n extend: a = 0\n := a[9 s, 0, sum]"
    greatest: dict[str, object] = {"time": 0, "a": 2**63 - 1}
    rows: list[dict[str, object]] = [
        greatest,
        greatest,
        {"time": 0, "a": -(2**63 - 1)},
        {"time": 1, "a": 0},
    ]
    assert answers(text, rows)[0]["value"] == 2**63 - 1
    with pytest.raises(InputError, match="RUN002"):
        answers(text, [greatest, *rows])


def test_infinite_intermediate_results_are_fine():
    found = answers("input double x\noutput double n := 1.0 / exp(x)", [{"time": 0, "x": 1000.0}])
    assert found[0]["value"] == 0.0


def test_no_rows_no_answers():
    assert answers("input int a\noutput int n\n extend: 1s\n := 1\noutput int m := a", []) == []


def test_times_may_be_rational_and_unsorted():
    rows: list[dict[str, object]] = [
        {"time": "7/2", "a": 3},
        {"time": Fraction(1, 2), "a": 1},
        {"time": 2, "a": 2},
    ]
    found = answers("input int a\noutput int n := a", rows)
    assert [(answer["time"], answer["value"]) for answer in found] == [(0.5, 1), (2, 2), (3.5, 3)]


def test_the_time_column_may_have_another_name():
    rows = [{"when": 3, "a": 1, "time": 99}]
    assert answers("input int a\noutput int n := a", rows, time="when")[0]["time"] == 3
