"""Answers of shards are together those of the whole."""

from random import Random

import pytest
from tests.languages.lars.plan.simulated import Answers, Simulation, as_a_whole, checked, facts_of
from tests.languages.lars.plan.spreadable import spreadable_program
from tests.strategies.lars_programs import random_program

from horae.languages.lars.options import LARSOptions, Mode
from horae.source.errors import InputError

APART = {"a": 0, "c": 1}
BOTH = (LARSOptions(), LARSOptions(mode=Mode.HISTORY))


def _shown(answers: Answers) -> list[str]:
    return sorted(f"{a['predicate']}({','.join(map(str, a['args']))})@{a['at']}" for a in answers)


@pytest.mark.parametrize(
    ("rule", "facts", "expected"),
    [
        # The window at 7 begins at 5, with the last atom about c: a is background data, at 5, 6 and 7.
        (
            "@T s(K) :- win[e(A,_) by A #1] @T e(K,Y).",
            "e(a,b)\ne(c,d)@5",
            ["s(a)@5", "s(a)@6", "s(a)@7", "s(c)@5"],
        ),
        # For the same reason, e(a,b) is not always in the window, and 5 is a time point of it.
        ("s(K) :- win[e(A,_) by A #1] [] e(K,Y).", "e(a,b)@7\ne(c,d)@5", []),
        (
            "s(K) :- p(K), r(T), win[e(A,_) by A #1] @T not e(K,K).",
            "p(a)@7\ne(c,d)@5\nr(5)",
            ["s(a)@7"],
        ),
        # The last atom of each first argument: e(a,b) is not the last one about a.
        (
            "@T s(K,Y) :- win[e(A,_) by A #1] @T e(K,Y).",
            "e(a,b)@3\ne(a,c)@4\ne(c,b)@5",
            ["s(a,c)@4", "s(c,b)@5"],
        ),
        # `e` goes everywhere, `p` does not: the shard of a must not take c for one without `p`.
        ("s(K) :- e(Y,K), e(K,Y), not p(K).", "e(a,c)@7\ne(c,a)@7\np(c)@7", ["s(a)@7"]),
        # A key that is computed.
        ("s(K) :- e(X,N), K = N + 1.", "e(a,1)@7\ne(c,2)@7", ["s(2)@7", "s(3)@7"]),
        # Numbers and texts are different constants, and derived times are numbers.
        ("s(T) :- win[3] @T p(X).", 'p("5")@5\np(5)@6', ["s(5)@7", "s(6)@7"]),
        # Without any input.
        ("s(K) :- K = 2 + 3.\nt(K) :- s(K), not p(K).", "p(7)@7", ["s(5)@7", "t(5)@7"]),
        # Background data about derived predicates is not derived anew.
        (
            "s(a).\ns(K) :- e(K,Y).\nt(K) :- s(K).",
            "e(a,a)@7\ne(c,a)@7",
            ["s(c)@7", "t(a)@7", "t(c)@7"],
        ),
    ],
)
def test_by_hand(rule: str, facts: str, expected: list[str]):
    program = checked(rule)
    simulation = Simulation(program, 2, Random(0), APART)
    found = simulation.answers(facts_of(program, facts), [7], LARSOptions())
    assert _shown(found) == expected


def _compare(rng: Random, text: str, facts: str, times: list[int]) -> None:
    program = checked(text)
    simulation = Simulation(program, rng.randint(2, 4), rng)
    if not simulation.plan.is_spread:
        return
    given = facts_of(program, facts)
    for options in BOTH:
        try:
            expected = as_a_whole(program, given, times, options)
        except InputError as error:
            with pytest.raises(InputError, match=error.code):
                simulation.answers(given, times, options)
        else:
            assert simulation.answers(given, times, options) == expected


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_that_can_be_spread(seed: int):
    rng = Random(seed)
    _compare(rng, *spreadable_program(rng))


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed: int):
    rng = Random(seed)
    _compare(rng, *random_program(rng, kind="fast"))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(60, 1000))
def test_many_random_programs(seed: int):
    rng = Random(seed)
    _compare(rng, *spreadable_program(rng))
