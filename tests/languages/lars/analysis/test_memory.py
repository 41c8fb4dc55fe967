"""What a stream keeps and how long it waits, worked out by hand."""

from __future__ import annotations

import pytest
from tests.languages.lars.analysis.streams import checked

from horae.engine.report.bounds import Bounded, Unbounded
from horae.languages.lars.analysis.memory import Newest, find_kept
from horae.languages.lars.analysis.reach import Reach, find_reach
from horae.languages.lars.analysis.reasons import remedy_ahead, remedy_past
from horae.languages.lars.analysis.report_delay import endless_reads


def reach_of(body: str) -> Reach:
    """The times behind `@` come from elsewhere."""
    return find_reach(checked(f"q(X) :- {body}, t(T), T >= 0."))


# --- time windows


@pytest.mark.parametrize(
    ("body", "points"),
    [
        ("p(X)", 0),
        ("win[10] <> p(X)", 10),
        # The pivot is at most 4 before now, so the window begins at most 14 before.
        ("win[10,0,5] <> p(X)", 14),
        ("win[0,3,5] <> p(X)", 4),
        ("win[2 min] [] p(X)", 120),
        ("win[2 * 3] <> p(X)", 6),
        ("win[+5] <> p(X)", 0),
        ("r(X), not win[7] <> p(X)", 7),
        ("win[4] <> p(X), win[9] @T p(X)", 9),
        # A window of a window is cut from it; `win1` is cut from the whole stream.
        ("win[10] <> win[4] <> p(X)", 10),
        ("win[10] <> win1[4] <> p(X)", 14),
        ("win[3] win[8] <> p(X)", 3),
        ("win[3] win1[8] <> p(X)", 8),
        # Without a modal operator the atom stands at the evaluation time.
        ("win[10] p(X)", 0),
        ("win[5] @T win1[2,2,3] <> p(X)", 5 + 2 + 2),
    ],
)
def test_time_windows_keep_time_points(body: str, points: int):
    kept = find_kept("p", reach_of(body))
    assert (kept.points, kept.newest) == (Bounded(points), ())


@pytest.mark.parametrize(
    ("body", "delay"),
    [
        ("win[10] <> p(X)", 0),
        ("win[+5] <> p(X)", 5),
        # The pivot is not after now.
        ("win[3,4,6] <> p(X)", 4),
        ("win[3,4] <> win1[2,3] <> p(X)", 7),
        ("win[3,4] <> win[2,30] <> p(X)", 4),
        ("p(X), not win[1,2] [] r(X)", 2),
        ("win[9,2] win[#3,5] <> p(X)", 2),
        ("win[#3] <> p(X)", 0),
        ("win[#3,1] <> p(X)", None),
        ("win[p(X) by X #1,1] <> p(X)", None),
        ("win[1,inf] <> p(X)", None),
        ("@T p(X)", None),
        ("<> p(X)", None),
        ("n(N), win[1,N] <> p(X)", None),
    ],
)
def test_a_stream_waits_for_what_lies_ahead(body: str, delay: int | None):
    assert reach_of(body).delay == delay


def test_derived_atoms_are_not_waited_for():
    """They are those of the evaluation itself, or of earlier ones."""
    program = checked("@T d(X) :- win[3] @S p(X), T = S + 9. q(X) :- @T win[+5] <> d(X), @T d(X).")
    assert find_reach(program).delay == 0


# --- windows that count


def test_counting_windows_keep_numbers_of_atoms():
    reach = reach_of("win[#3] <> p(X), win[p(A) by A #2] <> p(X), win[p(x) #1,0] <> p(X)")
    kept = find_kept("p", reach)
    assert kept.points == Bounded(0)
    assert [(n.count, n.pattern is None, n.by) for n in kept.newest] == [
        (3, True, ()),
        (2, False, ("A",)),
        (1, False, ()),
    ]
    assert find_kept("other", reach).newest == (Newest(3),)


def test_a_counting_window_inside_of_a_time_window_counts_among_all_input():
    reach = reach_of("win[6] win[#3] <> p(X), r(X)")
    assert reach.counted == ()
    assert find_kept("p", reach).points == find_kept("r", reach).points == Bounded(6)


def test_what_stands_inside_of_a_counting_window_needs_no_more():
    reach = reach_of("win[#3] win[9] <> (p(X) and win[#2] <> r(X))")
    assert [c.anchored for c in reach.counted] == [True]
    assert find_kept("r", reach).points == Bounded(0)


def test_derived_atoms_are_never_counted():
    program = checked("d(X) :- win[#4] <> p(X). q(X) :- win[5] <> d(X).")
    kept = find_kept("d", find_reach(program))
    assert (kept.points, kept.newest) == (Bounded(5), ())


# --- no bound


@pytest.mark.parametrize(
    ("body", "why", "remedy"),
    [
        ("<> p(X)", "it has no window around it", "put `win[n]` around it"),
        ("@T p(X)", "it has no window around it", "put `win[n]` around it"),
        ("@T win[5] <> p(X)", "it has no window around it", "put `win[n]` around it"),
        ("win[inf] <> p(X)", "the window has no beginning", "give the window a length"),
        ("n(N), win[N] <> p(X)", "known with the data only", "write a number"),
        ("n(N), win[1,0,N] <> p(X)", "known with the data only", "write a number"),
        ("n(N), win[#N] <> p(X)", "known with the data only", "write a number"),
        ("win[session 3] <> p(X)", "`session` does not say", "put `win[n]` around it"),
        ("win1[session 3] <> p(X)", "`session` does not say", "register the window with `past`"),
        ("@T win[#2] <> p(X)", "around other times", "around the `@`"),
        ("win[4] @T win1[#2] <> p(X)", "around other times", ""),
        ("win[#2] <> win1[3] <> p(X)", "can be however old", "put `win[n]` around it"),
    ],
)
def test_why_all_atoms_are_kept(body: str, why: str, remedy: str):
    kept = find_kept("p", reach_of(body))
    assert isinstance(kept.points, Unbounded)
    assert why in kept.points.why
    assert remedy in kept.remedy
    assert bool(kept.remedy) == bool(remedy)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<> p(X)", "win[9] <> p(X)"),
        ("@T win[5] <> p(X)", "win[9] @T win[5] <> p(X)"),
        ("win[session 3] <> p(X)", "win[9] win[session 3] <> p(X)"),
        ("@T win[#2] <> p(X)", "win[9] @T win[#2] <> p(X)"),
        ("win[#2] <> win1[3] <> p(X)", "win[9] win[#2] <> win1[3] <> p(X)"),
    ],
)
def test_the_remedy_is_one(before: str, after: str):
    kept = find_kept("p", reach_of(before))
    assert kept.cause is not None
    assert "put `win[n]` around" in remedy_past(kept.cause)
    assert isinstance(find_kept("p", reach_of(after)).points, Bounded)


def test_the_remedy_for_waiting_is_one():
    (cause,) = endless_reads(reach_of("win[#3,2] <> p(X)"))
    assert remedy_ahead(cause) == "count back only, or put `win[l,n]` around it"
    assert reach_of("win[#5] <> p(X)").delay == 0
    assert reach_of("win[9,4] win[#3,2] <> p(X)").delay == 4


def test_one_window_that_counts_from_elsewhere_keeps_all_input():
    """It may count an atom of any predicate."""
    reach = reach_of("@T win[#2] <> p(X), win[5] <> r(X)")
    kept = find_kept("r", reach)
    assert isinstance(kept.points, Unbounded)
    assert "around other times" in kept.points.why


def test_the_place_of_the_cause():
    text = "q(X) :- win[3] <> p(X).\nr(X) :- s(X), win[inf] <> p(X)."
    kept = find_kept("p", find_reach(checked(text)))
    assert isinstance(kept.points, Unbounded)
    assert text[kept.points.span.start : kept.points.span.end] == "win[inf] <> p(X)"
