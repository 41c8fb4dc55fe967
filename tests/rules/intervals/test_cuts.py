"""The operators on cuts against Table 1 of the paper, for all small intervals.

All ends are whole numbers, so truth changes at whole numbers only, and eighths meet every stretch.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from horae.data import cuts
from horae.data.intervals import Interval
from horae.languages.datalogmtl.kernel.time import Timeline

TICKS = Timeline(1)
_FAR = 12
_EIGHTHS = [Fraction(n, 8) for n in range(-8 * _FAR, 8 * _FAR + 1)]
_TIMES = [Fraction(n, 2) for n in range(-11, 12)]
_OPEN = [*product((False, True), repeat=2)]

BOUNDED = [
    Interval(Fraction(low), Fraction(high), *opened)
    for (low, high), opened in product([(a, b) for a in range(3) for b in range(a, 4)], _OPEN)
]
HALF_LINES = [
    line
    for end, opened in product(range(2), (False, True))
    for line in (Interval(Fraction(end), None, opened), Interval(None, Fraction(end), True, opened))
]
FORMULAS = [i for i in (*BOUNDED, *HALF_LINES, Interval(None, None)) if not i.is_empty]
REACHES = [i for i in FORMULAS if i.low is not None]

OPERATORS = {
    "diamond_minus": (cuts.diamond_minus, -1, any),
    "box_minus": (cuts.box_minus, -1, all),
    "diamond_plus": (cuts.diamond_plus, 1, any),
    "box_plus": (cuts.box_plus, 1, all),
}


def _seen(reach: Interval, time: Fraction, sign: int) -> list[Fraction]:
    """The times an operator looks at; far away stands for infinitely far."""
    return [s for s in _EIGHTHS if sign * (s - time) in reach]


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_mean_what_table_1_says(name: str):
    shift, sign, quantifier = OPERATORS[name]
    looked_at = {(r, t): _seen(r, t, sign) for r in REACHES for t in _TIMES}
    for formula in FORMULAS:
        holds = {time: time in formula for time in _EIGHTHS}
        lo, hi = (np.array([end], np.int64) for end in TICKS.cuts(formula))
        for reach in REACHES:
            low, high = (int(end[0]) for end in shift(lo, hi, *TICKS.cuts(reach)))
            got = [] if low >= high else [t for t in _TIMES if t in TICKS.interval(low, high)]
            expected = [t for t in _TIMES if quantifier(holds[s] for s in looked_at[reach, t])]
            assert got == expected, f"{name}{reach} of {formula}"


def test_the_closure_closes_finite_ends_only():
    for formula in FORMULAS:
        lo, hi = (np.array([end], np.int64) for end in TICKS.cuts(formula))
        low, high = (int(end[0]) for end in cuts.closure(lo, hi))
        assert TICKS.interval(low, high) == Interval(formula.low, formula.high)


@pytest.mark.parametrize("interval", FORMULAS, ids=str)
def test_cuts_and_intervals_are_the_same(interval: Interval):
    assert TICKS.interval(*TICKS.cuts(interval)) == interval
