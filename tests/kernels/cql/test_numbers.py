"""Exactness: sums, averages and comparisons against Python's integers and fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horae.kernels.cql import sums
from horae.kernels.cql.arithmetic import compute_ints
from horae.kernels.cql.columns import codes, ranks
from horae.kernels.cql.compare import compare, whole_numbers
from horae.languages.rules.arithmetic import Comparator, Sign

LEAST, GREATEST = -(2**63), 2**63 - 1
ints = st.integers(LEAST, GREATEST)
doubles = st.floats(allow_nan=False, allow_infinity=False)
START = np.array([0])


@given(st.lists(ints, min_size=1, max_size=6))
def test_sum_and_average_of_ints(values: list[int]):
    array = np.array(values, np.int64)
    (total,), (wrong,) = sums.sum_ints(array, START)
    assert wrong == (not LEAST <= sum(values) <= GREATEST)
    assert wrong or total == sum(values)
    assert sums.average_ints(array, START)[0] == float(Fraction(sum(values), len(values)))


@given(st.lists(doubles, min_size=1, max_size=6))
def test_sum_and_average_of_doubles(values: list[float]):
    exact = sum(map(Fraction, values), Fraction(0))
    assert sums.sum_of(values) == _rounded(exact)
    assert sums.average_of(values) == _rounded(exact / len(values))


def _rounded(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def test_sum_whose_partial_sums_are_too_large():
    assert sums.sum_of([1e308, 1e308, -1e308]) == 1e308


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
    found = whole_numbers(pa.array([2.0, 2.5, 2.0**63, -(2.0**63), None]))
    assert found.to_pylist() == [2, None, None, LEAST, None]


def test_codes_and_ranks():
    texts = pa.array(["b", None, "a", "é", "b", "\U0001f600", "\uffff"])
    assert ranks(texts).tolist() == [2, 0, 1, 3, 2, 5, 4]
    assert ranks(pa.array([True, None, False])).tolist() == [2, 0, 1]
    both = codes([texts, pa.array([1, 1, 1, 1, None, 1, 1])], 7)
    assert len(set(both.tolist())) == 7


def test_codes_of_many_columns_do_not_overflow():
    rng = np.random.default_rng(1)
    columns = [pa.array(rng.permutation(1000)) for _ in range(12)]
    assert len(set(codes(columns, 1000).tolist())) == 1000
    same = [pa.array(np.repeat(rng.permutation(500), 2)) for _ in range(12)]
    assert len(set(codes(same, 1000).tolist())) == 500
