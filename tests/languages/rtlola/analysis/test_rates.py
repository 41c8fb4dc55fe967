"""π: inputs are variable, clocks have their rate, streams that follow have the rate of a union."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.languages.rtlola.analysis.programs import (
    ZERO,
    binary,
    every,
    hold,
    inputs,
    offset,
    output,
    over,
    parameter,
    program,
    stars,
    template,
    trigger,
    variant,
)

from horae.data.types import Type
from horae.languages.rtlola.analysis.graph import build_graph
from horae.languages.rtlola.analysis.rates import (
    VARIABLE,
    ClockedRate,
    clocked,
    find_rates,
    union_of_rates,
)
from horae.languages.rtlola.program import Always, Follows, When


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("variable", {"a": "var", "b": "var", "diff": "var", "acc": "var"}),
        ("clocked", {"a": "var", "b": "var", "diff": "1Hz", "acc": "1Hz"}),
        ("real_time", {"a": "var", "b": "var", "diff": "1Hz", "acc": "1Hz"}),
    ],
)
def test_the_figure_of_the_paper(name: str, expected: dict[str, str]):
    assert {v.name: str(v.rate) for v in build_graph(variant(name)).vertices} == expected


def test_two_clocks_tick_together_only_once():
    both = clocked((Fraction(2), Fraction(3)))
    assert both.hertz == Fraction(1, 2) + Fraction(1, 3) - Fraction(1, 6)
    assert str(both) == "2/3Hz"


def test_a_clock_within_another_adds_nothing():
    assert clocked((Fraction(4), Fraction(2), Fraction(1, 2))) == ClockedRate((Fraction(1, 2),))


# The least common multiple of all of them is a minute.
_PERIODS = [Fraction(p) for p in ("1/2", "2/3", "1", "3/2", "2", "5/2", "3", "4", "12")]
periods = st.lists(st.sampled_from(_PERIODS), min_size=1, max_size=4)


@given(periods)
def test_the_rate_of_a_union_is_the_number_of_distinct_ticks(listed: list[Fraction]):
    ticks = {p * k for p in listed for k in range(1, int(60 / p) + 1)}
    assert clocked(listed).hertz == Fraction(len(ticks), 60)


@given(periods, st.fractions(0, 12, max_denominator=6), st.fractions(0, 12, max_denominator=6))
def test_a_span_of_time_holds_no_more_ticks_than_stated(
    listed: list[Fraction], length: Fraction, start: Fraction
):
    rate = clocked(listed)
    times = {p * k for p in listed for k in range(int(24 / p) + 2)}
    assert len([t for t in times if start <= t <= start + length]) <= rate.ticks_within(length)
    assert len([t for t in times if start < t <= start + length]) <= rate.ticks_after(length)


def test_the_most_ticks_are_reached():
    """In six seconds the clocks 2s and 3s tick at 0, 2, 3, 4 and 6; without the 0 only four times."""
    both = clocked((Fraction(2), Fraction(3)))
    assert both.ticks_within(Fraction(6)) == 5
    assert both.ticks_after(Fraction(6)) == 4


def test_clocks_that_hardly_ever_meet_are_counted_apart():
    odd = clocked((Fraction(1), Fraction(1001, 1000)))
    assert odd.ticks_within(Fraction(10)) == 11 + 10


def test_a_clock_and_events_together_are_variable():
    assert union_of_rates((clocked((Fraction(1),)), VARIABLE)) == VARIABLE


def test_following_clocks_in_a_cycle():
    """Each reads the other's past; the clock that one of them follows paces both."""
    tick = output("tick", ZERO, every(2))
    one = output("one", binary("+", hold("tick"), offset("other", -1), Type.DOUBLE))
    other = output("other", hold("one"))
    rates = find_rates(program(inputs("a"), tick, one, other))
    assert rates["one"] == rates["other"] == clocked((Fraction(2),))


def test_a_condition_over_clocked_streams_has_at_most_their_rate():
    tick = output("tick", ZERO, every(2))
    seldom = output("seldom", ZERO, When(binary(">", hold("tick"), ZERO)))
    always = output("always", ZERO, Always())
    rates = find_rates(program(inputs("a"), tick, seldom, always))
    assert rates["seldom"] == clocked((Fraction(2),))
    assert rates["always"] == VARIABLE


def test_what_follows_nothing_known_is_variable():
    lonely = output("lonely", offset("lonely", -1))
    assert find_rates(program((), lonely))["lonely"] == VARIABLE


def test_instances_that_events_invoke_make_a_trigger_variable():
    assert build_graph(stars()).vertex("trigger 1").rate == VARIABLE


def test_instances_that_a_clock_invokes_and_terminates():
    flag = parameter("flag", 0, Type.BOOL)
    closing = binary("=", hold("tick"), flag)
    tick = output("tick", ZERO, every(2))
    each = output("each", ZERO, every(3), template(flag, invoke=("tick",), terminate=closing))
    found = program((), tick, each, triggers=(trigger(1, over("each"), over("each")),))
    assert str(build_graph(found).vertex("trigger 1").rate) == "2/3Hz"


def test_an_explicit_follows_decides():
    slow = output("slow", ZERO, every(5))
    reader = output("reader", hold("a"), Follows((hold("slow"),)))
    assert find_rates(program(inputs("a"), slow, reader))["reader"] == clocked((Fraction(5),))
