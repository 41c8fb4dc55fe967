"""The option `at`."""

from decimal import Decimal
from fractions import Fraction

import pytest

from horae.data.answer_times import (
    AtFactEnds,
    AtMultiples,
    AtTimes,
    answer_times,
    read_at,
    read_exact_option,
    read_horizon,
)
from horae.source.errors import InputError


def test_spellings():
    assert read_at(None) is None
    assert read_at("all") is None
    assert read_at("events") == AtFactEnds()
    assert read_at("every 1/2") == AtMultiples(Fraction(1, 2))
    assert read_at("1, 7/2") == AtTimes((Fraction(1), Fraction(7, 2)))
    assert read_at(["7/4", 2]) == AtTimes((Fraction(7, 4), Fraction(2)))


@pytest.mark.parametrize("wrong", ["often", "every", "every 0", "every -1", "1,,2", [None]])
def test_wrong_spellings(wrong: str | list[object]):
    with pytest.raises(ValueError, match="at: "):
        read_at(wrong)


def test_points():
    times = [Fraction(9, 2), Fraction(1, 2), Fraction(9, 2)]
    assert answer_times(AtFactEnds(), times, None) == [Fraction(1, 2), Fraction(9, 2)]
    assert answer_times(AtMultiples(Fraction(2)), times, None) == [2, 4]
    assert answer_times(AtMultiples(Fraction(2)), times, Fraction(7)) == [2, 4, 6]
    assert answer_times(AtMultiples(Fraction(2)), [], None) == []
    assert answer_times(AtTimes((Fraction(3), Fraction(1))), times, None) == [1, 3]


def test_a_grid_has_an_end():
    with pytest.raises(InputError, match="more than 10,000,000 times"):
        answer_times(AtMultiples(Fraction(1, 10**9)), [Fraction(0), Fraction(1)], None)


@pytest.mark.parametrize("endless", [None, "inf", " INF ", "∞", float("inf"), Decimal("Infinity")])
def test_an_infinite_horizon_is_none(endless: str | float | None):
    assert read_horizon(endless) is None


LONG = pytest.param(10**5000, id="long")


@pytest.mark.parametrize("wrong", ["-inf", "nan", "", "soon", float("nan"), LONG, True])
def test_wrong_horizons(wrong: str | float):
    with pytest.raises(ValueError, match=r"horizon: .* is not a time; write for example `100`"):
        read_horizon(wrong)


@pytest.mark.parametrize("wrong", ["inf", "1/0", "1e999999999", LONG])
def test_wrong_numbers(wrong: str | float):
    with pytest.raises(ValueError, match=r"step: .* is not a rational number"):
        read_exact_option("step", wrong)
