"""Time points up to 2⁶²: milliseconds and nanoseconds since 1970, and the very last ones.

Each answer by the kernel, by the solver alone and by the reference.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.languages.lars.kernel.solver_runs import checked, ground_facts
from tests.languages.lars.kernel.solver_runs import evaluate as solve
from tests.languages.lars.kernel.test_against_reference import run

from horae.data.natural_times import LAST
from horae.languages.lars.options import LARSOptions
from horae.reference.lars import evaluate as reference
from horae.source.errors import InputError

NOW = 1_763_000_000_000  # milliseconds since 1970
BEYOND = 10**30


def found(text: str, facts: str, at: list[int]) -> list[tuple[int, int, str, list[Any]]]:
    """What kernel and solver answer: evaluation time, time point, predicate and arguments."""
    program = checked(text)
    answers = run(program, facts, at, LARSOptions())
    assert solve(program, facts, at=at) == answers
    return [(a["time"], a["at"], a["predicate"], a["args"]) for a in answers]


def as_the_reference(text: str, facts: str, at: list[int]) -> list[tuple[int, int, str, list[Any]]]:
    answers = reference(checked(text), ground_facts(facts), at=at)
    short = [(a["time"], a["at"], a["predicate"], a["args"]) for a in answers]
    assert found(text, facts, at) == short
    return short


def test_a_head_far_away_is_not_near():
    """`a` is derived for 2⁴⁰, and win[5] at 3 ends at 3."""
    text = "@1099511627776 a :- p. c :- win[5] <> a."
    assert as_the_reference(text, "p@3", [3]) == [(3, 2**40, "a", [])]


def test_a_time_that_is_computed_from_an_argument():
    text = "@T a :- p(X), T = X * 1."
    assert as_the_reference(text, "p(1099511627776)@3", [3]) == [(3, 2**40, "a", [])]


@pytest.mark.parametrize("length", [2**40, LAST, LAST + 1, 2**63, BEYOND])
def test_lengths_from_the_data_reach_as_far_as_they_say(length: int):
    text = "a :- n(N), win[N] <> p. b :- n(N), not win[0,N,N] <> p. c :- n(N), win[N,N] [] p."
    assert found(text, f"n({length}). p@3. q@10", [10]) == [(10, 10, "a", [])]


def test_milliseconds_since_1970():
    text = """late(X) :- win[5000] @T p(X,S), S < T.
        @T due(X) :- win[5000] @S p(X,D), T = S + D.
        soon(X) :- win[+3000] <> due(X)."""
    facts = f"p(a,1000)@{NOW}. p(b,{NOW})@{NOW + 10}"
    assert found(text, facts, [NOW, NOW + 10]) == [
        (NOW, NOW + 1000, "due", ["a"]),
        (NOW, NOW, "late", ["a"]),
        (NOW, NOW, "soon", ["a"]),
        (NOW + 10, NOW + 1000, "due", ["a"]),
        (NOW + 10, 2 * NOW + 10, "due", ["b"]),
        (NOW + 10, NOW + 10, "late", ["a"]),
        (NOW + 10, NOW + 10, "late", ["b"]),
        (NOW + 10, NOW + 10, "soon", ["a"]),
    ]


@pytest.mark.parametrize("last", [NOW, 2**62 - 1, LAST])
def test_all_kinds_of_windows_near_the_end(last: int):
    """`p` holds at the last four time points, from `last - 3` on, and no longer after `last`."""
    text = """near(T) :- win[1,1] @T p(_). held(X) :- win[2] [] p(X). ahead :- win[0,1] [] p(a).
        endless :- win[0,inf] [] p(a). stepped :- win[0,1,2] <> p(a). two(T) :- win[#2] @T p(a).
        mine(T) :- win[p(X) by X #1] @T p(a). here :- @T p(a), n(T)."""
    facts = f"p(a)@[{last - 3},{last}]. n({last})"
    at = last - 1
    pivot = at - at % 2
    answers = found(text, facts, [at])
    expected = [
        ("ahead", []),
        ("held", ["a"]),
        ("here", []),
        ("mine", [at]),
        *(("near", [time]) for time in (at - 1, at, last)),
        ("stepped", []),
        ("two", [at - 1]),
        ("two", [at]),
    ]
    assert pivot >= last - 3
    assert answers == [(at, at, *atom) for atom in expected]


def test_the_last_time_point():
    text = (
        "b :- win[3] [] p. c :- win[+1] [] p. d :- not win[inf,inf] <> q. @T e :- @S p, T = S - 1."
    )
    facts = f"p@[{LAST - 3},{LAST}]"
    assert as_the_reference(text, facts, [LAST]) == [
        (LAST, LAST, "b", []),
        (LAST, LAST, "d", []),
        *((LAST, time, "e", []) for time in range(LAST - 4, LAST)),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "@T a :- @S p, T = S + 1.",
        "@T a :- @S p, T = S * S.",
        "a :- @S p, T = S + 1, not @T q.",
        "a :- @S p, T = S + 1, @T win[1] <> p.",
    ],
)
def test_a_time_beyond_the_last_one_is_an_error(text: str):
    program = checked(text)
    facts = f"p@{LAST}"
    for evaluate in (
        lambda: run(program, facts, [LAST], LARSOptions()),
        lambda: solve(program, facts, at=[LAST]),
    ):
        with pytest.raises(InputError, match="RUN050"):
            evaluate()
    assert run(program, facts, [LAST], LARSOptions(horizon=LAST)) == []


def test_numbers_join_whatever_their_size():
    """Keys of several columns do not fit into 64 bits together; neither sign nor size confuses them."""
    values = [0, 1, -1, NOW, LAST - 1, LAST, LAST + 1, -LAST, BEYOND, "a", "1/3"]
    rows = [(x, y, z) for x in values for y in values for z in (0, NOW, BEYOND)]
    facts = ". ".join(f"p({x},{y},{z})@1. q({y},{x},{z})@1" for x, y, z in rows[::3])
    text = "r(X,Y,Z) :- p(X,Y,Z), q(X,Y,Z). s :- p(X,Y,_), q(X,Y,_), X != Y."
    chosen = set(rows[::3])
    both = [row for row in rows if row in chosen and (row[1], row[0], row[2]) in chosen]
    answers = run(checked(text), facts, [1], LARSOptions())
    assert len([a for a in answers if a["predicate"] == "r"]) == len(both)


@pytest.mark.parametrize(
    ("left", "sign", "right", "result"),
    [
        (LAST, "+", 0, LAST),
        (LAST, "+", 1, LAST + 1),
        (LAST, "*", 4, 2**64),
        (2**31, "*", 2**31, LAST),
        (2**31, "-", 2**31 + 1, -1),
        (0, "-", LAST, -LAST),
        (BEYOND, "-", BEYOND - 7, 7),
        (LAST, "/", 2**60, 4),
    ],
)
def test_arithmetic_is_exact_whatever_the_size(left: int, sign: str, right: int, result: int):
    text = f"s(Z) :- p(X,Y), Z = X {sign} Y."
    assert found(text, f"p({left},{right})@1", [1]) == [(1, 1, "s", [result])]
