"""Exactness: sums, averages and comparisons against Python's integers and fractions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horae.languages.cql.kernel.arithmetic import compute_ints
from horae.languages.cql.kernel.columns import array_ranks, classes, codes, sorting
from horae.languages.cql.kernel.compare import compare, doubles_as_ints
from horae.languages.cql.kernel.running_sums import of_doubles, of_ints
from horae.languages.cql.kernel.spans import Spans
from horae.languages.cql.kernel.steps import Keyed, Steps
from horae.rules.arithmetic import Comparator, Sign

LEAST, GREATEST = -(2**63), 2**63 - 1
ints = st.integers(LEAST, GREATEST)
doubles = st.floats(allow_nan=False, allow_infinity=False)


@dataclass(frozen=True)
class Stays:
    """Values that are there from a place until another, and the steps at which some are there."""

    values: list[Any]
    rows: Keyed

    @property
    def steps(self) -> Steps:
        return Steps.of([self.rows])

    @property
    def which(self) -> Any:
        return np.flatnonzero(self.steps.totals(self.steps.rows[0]))

    def there(self) -> Iterator[list[Any]]:
        _, spans = self.rows
        ends = list(zip(self.values, spans.first.tolist(), spans.after.tolist(), strict=True))
        for place in self.steps.places[self.which]:
            yield [value for value, first, after in ends if first <= place < after]


def stays(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Stays]:
    one = st.tuples(values, st.integers(0, 9), st.integers(1, 9))
    return st.lists(one, min_size=1, max_size=7).map(_stays)


def _stays(found: list[tuple[Any, int, int]]) -> Stays:
    first = np.array([start for _, start, _ in found])
    after = first + np.array([length for *_, length in found])
    return Stays([value for value, *_ in found], (np.zeros(len(found), int), Spans(first, after)))


@given(stays(ints | st.integers(-100, 100)))
def test_running_sums_of_ints(found: Stays):
    totals = of_ints(
        np.array(found.values, np.int64), found.steps.rows[0], found.steps, found.which
    )
    there, sums = list(found.there()), totals.values()
    wrong = totals.is_wrong(sums)
    for place, values in enumerate(there):
        assert wrong[place] == (not LEAST <= sum(values) <= GREATEST)
        assert wrong[place] or sums[place] == sum(values)
    averages = totals.averages(np.array([len(values) for values in there]))
    assert averages.tolist() == [float(Fraction(sum(v), len(v))) for v in there]


@given(stays(doubles | st.integers(-100, 100).map(lambda n: n / 8) | st.floats(-1e-300, 1e-300)))
def test_running_sums_of_doubles(found: Stays):
    totals = of_doubles(np.array(found.values), found.steps.rows[0], found.steps, found.which)
    exact = [(sum(map(Fraction, v), Fraction(0)), len(v)) for v in found.there()]
    assert totals.values().tolist() == [_rounded(total) for total, _ in exact]
    averages = totals.averages(np.array([count for _, count in exact]))
    assert averages.tolist() == [_rounded(total / count) for total, count in exact]


def _rounded(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def test_sum_whose_partial_sums_are_too_large():
    found = _stays([(value, 0, 1) for value in (1e308, 1e308, -1e308)])
    totals = of_doubles(np.array(found.values), found.steps.rows[0], found.steps, found.which)
    assert totals.values().tolist() == [1e308]


@pytest.mark.parametrize("sign", [Sign.PLUS, Sign.MINUS, Sign.TIMES])
@given(left=ints | st.integers(-10, 10), right=ints | st.integers(-10, 10))
def test_overflow_of_ints(sign: Sign, left: int, right: int):
    exact = {"+": left + right, "-": left - right, "*": left * right}[sign.value]
    result, ((_, wrong),) = compute_ints(sign, np.array([left]), np.array([right]))
    assert bool(wrong[0]) == (not LEAST <= exact <= GREATEST)
    assert wrong[0] or result[0] == exact


near = st.builds(lambda base, step: float(base) + step, ints, st.sampled_from([0.0, 0.5, -1.0]))


@given(ints, doubles | near | st.sampled_from([2.0**63, -(2.0**63), 2.0**53]))
def test_ints_and_doubles_compare_exactly(whole: int, double: float):
    left, right = pa.array([whole]), pa.array([double])
    for comparator in Comparator:
        found = compare(comparator, left, right)[0].as_py()
        mirrored = compare(comparator, right, left)[0].as_py()
        assert found == _holds(comparator, whole, double)
        assert mirrored == _holds(comparator, double, whole)


def _holds(comparator: Comparator, left: float, right: float) -> bool:
    """Python compares ints and floats exactly."""
    return {
        "=": left == right,
        "!=": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[comparator.value]


def test_whole_numbers():
    found = doubles_as_ints(pa.array([2.0, 2.5, 2.0**63, -(2.0**63), None]))
    assert found.to_pylist() == [2, None, None, LEAST, None]


def test_codes_and_ranks():
    texts = pa.array(["b", None, "a", "é", "b", "\U0001f600", "\uffff"])
    assert array_ranks(texts).tolist() == [2, 0, 1, 3, 2, 5, 4]
    assert array_ranks(pa.array([True, None, False])).tolist() == [2, 0, 1]
    both = codes([texts, pa.array([1, 1, 1, 1, None, 1, 1])], 7)
    assert len(set(both.tolist())) == 7


def test_codes_of_many_columns_do_not_overflow():
    rng = np.random.default_rng(1)
    columns = [pa.array(rng.permutation(1000)) for _ in range(12)]
    assert len(set(codes(columns, 1000).tolist())) == 1000
    same = [pa.array(np.repeat(rng.permutation(500), 2)) for _ in range(12)]
    assert len(set(codes(same, 1000).tolist())) == 500


natural = st.integers(0, 9) | st.integers(0, 2**17) | st.integers(0, 2**50) | st.integers(0, 2**62)


@given(st.lists(natural, max_size=30))
def test_numbers_are_sorted_digit_by_digit(found: list[int]):
    numbers = np.array(found, np.int64)
    assert sorting(numbers).tolist() == np.argsort(numbers, kind="stable").tolist()
    _, first, members = np.unique(numbers, return_index=True, return_inverse=True)
    assert [part.tolist() for part in classes(numbers)] == [first.tolist(), members.tolist()]
