"""Bounds add, multiply and compare; a missing bound keeps its cause."""

from hypothesis import given
from hypothesis import strategies as st

from horae.engine.report.bounds import ZERO, Bound, Bounded, Unbounded, largest, total
from horae.source.text import Span

ENDLESS = Unbounded("no rate", Span(3, 5))
OTHER = Unbounded("another", Span(8, 9))
bounds = st.one_of(st.integers(0, 1000).map(Bounded), st.sampled_from([ENDLESS, OTHER]))


def test_arithmetic_of_numbers():
    assert Bounded(2) + Bounded(3) == Bounded(5)
    assert Bounded(2) * Bounded(3) == Bounded(6)
    assert largest([Bounded(2), Bounded(3)]) == Bounded(3)


def test_the_cause_survives():
    assert Bounded(2) + ENDLESS == ENDLESS + Bounded(2) == ENDLESS
    assert Bounded(2) * ENDLESS == ENDLESS * Bounded(2) == ENDLESS
    assert largest([Bounded(9), ENDLESS, OTHER]) == ENDLESS


def test_nothing_of_something_endless_is_nothing():
    assert ZERO * ENDLESS == ENDLESS * ZERO == ZERO


@given(st.lists(bounds))
def test_a_sum_is_at_least_the_maximum(listed: list[Bound]):
    whole, most = total(listed), largest(listed)
    match whole, most:
        case Bounded(n=n), Bounded(n=m):
            assert n >= m
        case _:
            assert whole == most
