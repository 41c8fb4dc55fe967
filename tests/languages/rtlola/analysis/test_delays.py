"""Look-ahead: how long a value waits for the future it reads."""

from fractions import Fraction

from tests.languages.rtlola.analysis.programs import (
    ZERO,
    binary,
    every,
    hold,
    inputs,
    later,
    offset,
    output,
    program,
    trigger,
    variant,
    window,
)

from horae.data.types import Type
from horae.engine.report.bounds import Bounded, Unbounded
from horae.languages.rtlola.program import When
from horae.languages.rtlola.report import analyze


def test_only_the_future_delays():
    assert set(analyze(variant("clocked")).delays.values()) == {Bounded(0)}


def test_horizons_add_up_along_the_readers():
    near = output("near", later("a", 2))
    far = output("far", binary("+", later("near", 3), hold("a"), Type.DOUBLE))
    past = output("past", window("far", 10, "sum"))
    seen = trigger(1, hold("past"), hold("past"))
    delays = analyze(program(inputs("a"), past, far, near, triggers=(seen,))).delays
    assert delays == {
        "a": Bounded(0),
        "near": Bounded(2),
        "far": Bounded(5),
        "past": Bounded(5),
        "trigger 1": Bounded(5),
    }


def test_values_of_a_clock_are_waited_for_by_ticks():
    tick = output("tick", ZERO, every("1/2"))
    follower = output("follower", hold("tick"))
    ahead = output("ahead", offset("follower", 3))
    assert analyze(program((), tick, follower, ahead)).delays["ahead"] == Bounded(Fraction(3, 2))


def test_values_of_events_may_never_come():
    report = analyze(program(inputs("a"), output("ahead", offset("a", 1))))
    assert isinstance(report.delays["ahead"], Unbounded)
    assert not report.fragment.contains_program


def test_a_condition_may_skip_ticks_for_ever():
    tick = output("tick", ZERO, every(1))
    seldom = output("seldom", ZERO, When(binary(">", hold("tick"), ZERO)))
    delays = analyze(program((), tick, seldom, output("ahead", offset("seldom", 1)))).delays
    assert isinstance(delays["ahead"], Unbounded)


def test_cycles_through_the_past_end():
    one = output("one", binary("+", offset("other", -1), later("a", 1), Type.DOUBLE))
    other = output("other", hold("one"))
    delays = analyze(program(inputs("a"), one, other)).delays
    assert delays["one"] == delays["other"] == Bounded(1)
