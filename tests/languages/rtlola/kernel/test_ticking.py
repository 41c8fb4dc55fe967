"""Clocks that would tick for days are refused before they do, unless that was confirmed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import horae
from horae.languages.rtlola.kernel import ticking
from horae.languages.rtlola.kernel.options import Options

HELD = "input int a\noutput int n extend: 1Hz := a"
GROWING = "input int a\noutput int n extend: 1Hz := n[-1, 0] + a"
EVENTS = [{"time": 1, "a": 1}, {"time": 1_700_000_000_000, "a": 2}]


def test_milliseconds_that_are_read_as_seconds():
    """From 1 to 1.7e12, both with a tick."""
    with pytest.raises(horae.InputError) as caught:
        horae.compile(HELD).evaluate(EVENTS)
    assert caught.value.code == "RUN035"
    assert "`1Hz` would tick 1,700,000,000,000 times" in caught.value.message
    assert "milliseconds" in caught.value.help


def test_ticks_that_change_nothing_are_passed_over():
    assert len(horae.compile(HELD).evaluate(EVENTS, emit="changes")) == 2
    assert horae.compile(GROWING + "\ntrigger a > 5").evaluate(EVENTS[:1], emit="triggers") == []
    with pytest.raises(horae.InputError, match="RUN035"):
        horae.compile(GROWING).evaluate(EVENTS, emit="changes")


def test_it_can_be_confirmed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ticking, "MOST", 3)
    program, events = horae.compile(HELD), [{"time": 1, "a": 1}, {"time": 4, "a": 2}]
    with pytest.raises(horae.InputError, match="tick 4 times"):
        program.evaluate(events)
    assert len(program.evaluate(events, yes=True)) == 4
    assert len(program.evaluate(events[:1])) == 1


@given(
    period=st.fractions(Fraction(1, 7), 5, max_denominator=7),
    origin=st.integers(-9, 9),
    ends=st.tuples(st.integers(-30, 30), st.integers(0, 30)),
)
def test_ticks_are_counted_as_the_clocks_tick(period: Fraction, origin: int, ends: tuple[int, int]):
    """Rows have whole seconds, a clock multiples of its period from the origin on."""
    first, last, scale = ends[0], ends[0] + ends[1], 7 * 6 * 5 * 4 * 3
    options = Options(scale, origin * scale, scale=scale)
    ticks = [k for k in range(-500, 501) if first <= origin + k * period <= last]
    assert ticking._count(period, options, first, last) == len(ticks)
