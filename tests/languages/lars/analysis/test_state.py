"""The engine keeps what the report says it keeps, however long the stream is."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from tests.languages.lars.analysis.streams import checked, run_as_stream
from tests.languages.lars.plan.simulated import as_a_whole, facts_of
from tests.strategies.lars_programs import random_program

from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS, Interval
from horae.engine.report.bounds import Bounded
from horae.languages.lars.analysis.memory import Kept, find_kept
from horae.languages.lars.analysis.reach import Reach, find_reach
from horae.languages.lars.kernel.facts import time_points_of
from horae.languages.lars.kernel.stream import HeldStream
from horae.languages.lars.options import LARSOptions, Mode

CONSTANTS = "abcd"
TIME_WINDOWS = "a(X) :- win[4,0,3] <> p(X). b(X) :- win[2] [] p(X), not win[6] <> e(X,X)."
AHEAD = "a(X) :- p(X), win[1,3] <> e(X,_). b(X) :- win[+2] [] p(X)."
COUNTS = "a(X) :- win[#5] <> p(X). b(X) :- win[2] <> e(X,_)."
PARTITIONS = """
    a(X,Y) :- win[e(K,_) by K #2] @T e(X,Y), T > 0.
    b(X) :- win[e(K,K) #1] <> e(X,X), win[3] <> p(X).
"""
NESTED = "a(X) :- win[4] <> (p(X) and win1[3] <> e(X,X)). :- win[5] win[#2] <> e(a,b)."
SOLVED_COUNTS = "a(X) or b(X) :- win[#3] <> p(X), win[e(K,_) by K #1] <> e(X,_)."
PROGRAMS = {
    "time windows": TIME_WINDOWS,
    "windows ahead": AHEAD,
    "tuple windows": COUNTS,
    "partition windows": PARTITIONS,
    "nested windows": NESTED,
    "tuple windows and the solver": SOLVED_COUNTS,
}


def random_stream(rng: Random, length: int) -> list[GroundFact]:
    """Atoms of p and e over four constants, up to three atoms each per time point."""
    return [
        _fact(predicate, tuple(rng.choice(CONSTANTS) for _ in range(arity)), time)
        for time in range(length)
        for predicate, arity in (("p", 1), ("e", 2))
        for _ in range(rng.randint(0, 3))
    ]


def _fact(predicate: str, arguments: tuple[str, ...], time: int) -> GroundFact:
    point = Fraction(time)
    return GroundFact(predicate, arguments, Interval(point, point))


# --- the bound


def test_the_numbers_of_atoms_by_hand():
    """5 of all; 2 for each of 4 values and 1; 3 of all and 1 for each of 4 values."""
    found = [most_older(find_reach(checked(text))) for text in (COUNTS, PARTITIONS, SOLVED_COUNTS)]
    assert found == [5, 9, 7]


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_the_state_is_within_the_bound(text: str):
    program = checked(text)
    reach = find_reach(program)

    def watch(time: int, stream: HeldStream) -> None:
        for name in ("p", "e"):
            kept = find_kept(name, reach)
            first = _first_kept(kept, time)
            if name in stream.spans:
                assert stream.spans[name].lo.min(initial=first) >= first
                assert stream.spans[name].hi.max(initial=0) <= time + (reach.delay or 0) + 1
        assert count_older(stream, reach, time) <= most_older(reach)

    run_as_stream(program, random_stream(Random(1), 60), range(60), watch=watch)


def _first_kept(kept: Kept, time: int) -> int:
    """The evaluation is over: with n time points kept, its own is the last of them."""
    assert isinstance(kept.points, Bounded)
    return time + 1 - int(kept.points.n)


def count_older(stream: HeldStream, reach: Reach, time: int) -> int:
    """Atoms of the logs before the time points that are kept."""
    firsts = {name: _first_kept(find_kept(name, reach), time) for name in stream.logs}
    return sum(int((log.times < firsts[name]).sum()) for name, log in stream.logs.items())


def most_older(reach: Reach) -> int:
    """What the counting windows keep, for each value of their columns."""
    newest = {window for name in ("p", "e") for window in find_kept(name, reach).newest}
    return sum(window.count * len(CONSTANTS) ** len(window.by) for window in newest)


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_a_stream_100_times_longer_needs_no_more(text: str):
    """The same facts come again every 12 time points: so does the state."""
    program, sizes = checked(text), list[int]()
    period = random_stream(Random(2), 12)
    facts = [_later(fact, 12 * n) for n in range(200) for fact in period]

    def watch(time: int, stream: HeldStream) -> None:
        sizes.append(stream.size)

    run_as_stream(program, facts, range(12 * 200), watch=watch, step=12)
    assert sizes[0] > 0
    assert sizes[1:-1] == [sizes[1]] * 198  # at the end nothing comes any more for delays


def _later(fact: GroundFact, by: int) -> GroundFact:
    return _fact(fact.predicate, fact.arguments, time_points_of(fact)[0] + by)  # type: ignore[arg-type]


def test_what_has_no_bound_does_grow():
    sizes: list[int] = []
    program = checked("a(X) :- win[inf] <> p(X).")
    facts = [_fact("p", (f"c{time}",), time) for time in range(50)]
    run_as_stream(program, facts, range(50), watch=lambda _, s: sizes.append(s.size))
    assert sizes == list(range(1, 51))


def test_with_history_derived_atoms_stay_as_long_as_the_report_says():
    program = checked("a(X) :- p(X). b(X) :- win[4] <> a(X). @T c(X) :- win[2] @S p(X), T = S + 5.")
    reach = find_reach(program)

    def watch(time: int, stream: HeldStream) -> None:
        for name in ("a", "b", "c"):
            first = _first_kept(find_kept(name, reach), time)
            assert stream.spans[name].lo.min(initial=first) >= first

    assert [find_kept(name, reach).points for name in "abc"] == [Bounded(4), Bounded(0), Bounded(0)]
    options = LARSOptions(mode=Mode.HISTORY)
    run_as_stream(program, random_stream(Random(3), 30), range(30), options, watch)


# --- nothing that is dropped, and nothing that is not waited for, matters


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_a_stream_has_the_answers_of_a_batch(text: str, mode: Mode):
    program, facts = checked(text), random_stream(Random(4), 25)
    batch = as_a_whole(program, facts, range(25), LARSOptions(mode=mode))
    stream = run_as_stream(program, facts, range(25), LARSOptions(mode=mode))
    assert sorted(map(str, stream)) == sorted(map(str, batch))


@pytest.mark.parametrize("seed", range(15))
def test_random_programs_as_streams(seed: int):
    text, written, _ = random_program(Random(seed), kind="fast")
    program = checked(text)
    facts = [point for fact in facts_of(program, written) for point in _points(fact)]
    batch = as_a_whole(program, facts, range(14), LARSOptions())
    stream = run_as_stream(program, facts, range(14))
    assert sorted(map(str, stream)) == sorted(map(str, batch))


def _points(fact: GroundFact) -> list[GroundFact]:
    """A fact at an interval arrives time point by time point."""
    if fact.interval == ALWAYS:
        return [fact]
    return [_fact(fact.predicate, fact.arguments, time) for time in time_points_of(fact)]  # type: ignore[arg-type]
