"""What generated loops call: hash tables, and arithmetic at the ends of the 64 bits."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horae.languages.rtlola.kernel import runtime

SMALLEST, GREATEST = -(2**63), 2**63 - 1
EDGES = [SMALLEST, SMALLEST + 1, -(2**32), -3, -2, -1, 0, 1, 2, 3, 2**31, 2**32, GREATEST]
words = st.sampled_from(EDGES) | st.integers(SMALLEST, GREATEST)

unhurried = settings(deadline=None, max_examples=60)  # the first call compiles


def fits(number: int) -> bool:
    return SMALLEST <= number <= GREATEST


def int64(number: int) -> np.int64:
    return np.int64(number)


@unhurried
@given(words, words)
def test_overflow_is_told_before_it_happens(a: int, b: int):
    x, y = int64(a), int64(b)
    assert runtime.add_overflows(x, y) == (not fits(a + b))
    assert runtime.subtract_overflows(x, y) == (not fits(a - b))
    assert runtime.multiply_overflows(x, y) == (not fits(a * b))


@unhurried
@given(words, words)
def test_sums_wrap(a: int, b: int):
    assert (int(runtime.wrap_add(int64(a), int64(b))) - (a + b)) % 2**64 == 0
    assert (int(runtime.wrap_subtract(int64(a), int64(b))) - (a - b)) % 2**64 == 0


@unhurried
@given(words, words)
def test_sizes_multiply(a: int, b: int):
    a, b = -abs(a) if a != SMALLEST else a, -abs(b) if b != SMALLEST else b
    product = -(a * b)
    expected = product if fits(product) else 1
    assert runtime.multiply_sizes(int64(a), int64(b)) == expected


@unhurried
@given(words, words.filter(lambda b: b != 0))
def test_division_truncates(a: int, b: int):
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    if fits(quotient):
        assert runtime.divide(int64(a), int64(b)) == quotient
    assert runtime.remainder(int64(a), int64(b)) == a - b * quotient


@unhurried
@given(st.integers(-20, 20) | words, st.integers(0, 70) | st.sampled_from([GREATEST]))
def test_powers(a: int, n: int):
    small = abs(a) <= 1 or n <= 70
    exact = a ** (n if abs(a) > 1 else 2 + n % 2 if n else 0) if small else None
    overflows = exact is None or not fits(exact)
    assert runtime.power_overflows(int64(a), int64(n)) == overflows
    if not overflows:
        assert runtime.power(int64(a), int64(n)) == exact


@unhurried
@given(st.floats())
def test_what_fits_an_int(x: float):
    expected = math.isfinite(x) and fits(int(x))
    assert runtime.fits_int(x) == expected


@unhurried
@given(st.floats(-1e15, 1e15))
def test_halves_round_away_from_zero(x: float):
    size = math.floor(abs(Fraction(x)) + Fraction(1, 2))
    assert runtime.round_half_away(x) == math.copysign(size, x)


@unhurried
@given(st.floats(), st.floats().filter(lambda y: y != 0))
def test_doubles_follow_ieee(x: float, y: float):
    for value in (runtime.sine(x), runtime.cosine(x), runtime.tangent(x)):
        assert math.isnan(value) == (not math.isfinite(x))
    expected = math.nan if math.isinf(x) else math.fmod(x, y)
    assert np.array_equal(runtime.real_remainder(x, y), expected, equal_nan=True)


@pytest.mark.parametrize("x", [709.0, 709.7827, 710.0, math.inf, -math.inf])
def test_exponential(x: float):
    expected = math.exp(x) if x < 709.79 else math.inf
    assert runtime.exponential(x) == pytest.approx(expected)


def test_both_zeros_have_the_same_bits():
    floats = np.zeros(1)
    bits = floats.view(np.int64)
    assert runtime.double_bits(0.0, floats, bits) == runtime.double_bits(-0.0, floats, bits) == 0


@unhurried
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 3)), max_size=200))
def test_a_hash_table_with_removals_against_a_dict(steps: list[tuple[int, int]]):
    """A step enters the key if it is not there, else takes it out; slots are used again."""
    table, keys = np.zeros(64, np.int64), np.zeros((32, 2), np.int64)
    free = list(range(31, -1, -1))
    known: dict[tuple[int, int], int] = {}
    for key in steps:
        words = np.array(key, np.int64)
        if len(known) == 32 or key in known:
            gone = key if key in known else next(iter(known))
            slot = known.pop(gone)
            runtime.remove(table, keys, slot)
            free.append(slot)
        else:
            known[key] = free.pop()
            runtime.insert(table, keys, words, known[key])
        for x in range(21):
            for y in range(4):
                expected = known.get((x, y), -1)
                assert runtime.find(table, keys, np.array([x, y], np.int64)) == expected
    larger = np.zeros(128, np.int64)
    runtime.refill(table, larger, keys)
    for key, slot in known.items():
        assert runtime.find(larger, keys, np.array(key, np.int64)) == slot
