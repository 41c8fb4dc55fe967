"""How much work rules are: orders, what is dropped early, budgets, recursion without an end."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import pytest
from tests.languages.lars.kernel.solver_runs import checked, solve
from tests.languages.lars.kernel.test_against_reference import run

from horae.languages.lars.kernel import growth, held, rules
from horae.languages.lars.kernel.bindings import Bindings
from horae.languages.lars.kernel.solver.matching import Search
from horae.languages.lars.options import LARSOptions
from horae.source.errors import InputError


def answers(text: str, facts: str, at: int = 1, **options: Any) -> list[tuple[Any, ...]]:
    found = run(checked(text), facts, [at], LARSOptions(**options))
    return [(a["predicate"], *a["args"]) for a in found]


# --- what is dropped early


@pytest.fixture
def largest(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The greatest number of instances that a rule had at once."""
    seen = [0]
    take = rules._take

    def counted(*arguments: Any) -> Bindings:
        found = take(*arguments)
        seen[0] = max(seen[0], len(found))
        return found

    monkeypatch.setattr(rules, "_take", counted)
    return seen


EDGES = "\n".join(f"e({i % 4},{i * 7 % 16})@1" for i in range(16))
NAMES = "ABCDEFGHIJKL"
SHAPES = {
    "chain": ", ".join(f"e({a},{b})" for a, b in pairwise(NAMES)),
    "star": ", ".join(f"e(A,{b})" for b in NAMES[1:]),
    "product": ", ".join(f"e(_,{b})" for b in NAMES[:-1]),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("head", "most"), [("r", 16), ("r(A)", 16**2), ("r(A,K)", 16**3)])
def test_eleven_atoms_over_sixteen_facts(shape: str, head: str, most: int, largest: list[int]):
    """With all variables kept there would be up to 4 · 16¹⁰ instances."""
    assert answers(f"{head} :- {SHAPES[shape]}.", EDGES)
    assert largest[0] <= most


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("head", "most"), [("r", 200), ("r(A)", 3_000)])
def test_eleven_atoms_for_the_solver(
    shape: str, head: str, most: int, monkeypatch: pytest.MonkeyPatch
):
    """The search goes on with one binding of those that differ in nothing that matters later."""
    searches = [0]
    find = Search._find

    def counted(*arguments: Any) -> Any:
        searches[0] += 1
        return find(*arguments)

    monkeypatch.setattr(Search, "_find", counted)
    assert solve(f"{head} or s :- {SHAPES[shape]}.", EDGES, 1)
    assert searches[0] <= most


def test_small_relations_come_first(largest: list[int]):
    facts = "\n".join(f"p({i},{i % 2})@1" for i in range(500)) + "\nq(3)@1\ns(1)@1"
    assert answers("r(X) :- p(X,Y), q(X), s(Y).", facts) == [("r", 3)]
    assert largest[0] <= 2


# --- the order of literals does not matter


@pytest.mark.parametrize("body", [*permutations(["@T k", "@T p", "n(X)", "T >= X"])])
def test_background_data_at_a_time_that_others_bind(body: tuple[str, ...]):
    assert answers(f"b(T) :- {', '.join(body)}. k. n(2).", "p@1. p@3") == [("b", 3)]


def test_background_data_at_a_time_that_nothing_binds():
    with pytest.raises(InputError, match=r"RUN024: `T` can be any time point"):
        answers("b(T) :- @T k, p. k.", "p@1")


# --- budgets


def test_a_product_beyond_memory_names_the_rule():
    facts = "\n".join(f"e({i})@1" for i in range(100))
    with pytest.raises(InputError, match=r"RUN052: the rule `r\(A,B,C,D\) :- e\(A\), .*` has more"):
        answers("r(A,B,C,D) :- e(A), e(B), e(C), e(D).", facts)


def test_what_is_too_much_at_once_is_done_in_parts(monkeypatch: pytest.MonkeyPatch):
    """Each evaluation time has nine instances, all twenty have 180."""
    text, facts = "r(A,B) :- e(A), e(B).", "\n".join(f"e({i})@[1,20]" for i in range(3))
    program, times = checked(text), range(1, 21)
    expected = run(program, facts, times, LARSOptions())
    monkeypatch.setattr(held, "MOST_PAIRS", 40)
    assert run(program, facts, times, LARSOptions()) == expected
    assert len(expected) == 180
    monkeypatch.setattr(held, "MOST_PAIRS", 5)
    with pytest.raises(InputError, match="RUN052: there are more than 5 answers"):
        run(program, facts, times, LARSOptions())


# --- long, or endless


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "_PATIENCE", 5)
    monkeypatch.setattr(growth, "_MOST_GROWING", 20)


CHAIN = "r(Y) :- r(X), next(X,Y). r(0) :- go."


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("text", "facts", "count"),
    [
        (CHAIN, "\n".join(f"next({i},{i + 1})" for i in range(200)), 201),
        (CHAIN.replace("0", "a0"), "\n".join(f"next(a{i},a{i + 1})" for i in range(200)), 201),
        ("@T a :- @S a, T = S + 1, T < 200. @0 a :- go.", "", 200),
        ("n(Y) :- n(X), Y = X + 1, limit(M), Y <= M. n(0) :- go.", "limit(200)", 201),
        ("n(Y) :- n(X), Y = X - 1, Y >= 0 - 200. n(0) :- go.", "", 201),
        ("n(Y) :- n(X), Y = X + 1, Y < 2 * 100. n(0) :- go.", "", 200),
    ],
    ids=["numbers", "names", "times", "a limit in the data", "down", "a limit that is computed"],
)
def test_a_long_recursion_ends(text: str, facts: str, count: int):
    assert len(answers(text, f"go@1\n{facts}")) == count


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "text",
    [
        "@T a :- @S a, T = S + 1. @0 a :- go.",
        "n(Y) :- n(X), Y = X + 1. n(0) :- go.",
        "n(Y) :- n(X), Y = X - 1. n(0) :- go.",
        "n(Y) :- n(X), Y = X / 2. n(1) :- go.",
        "n(Y) :- n(X), Y = X * X. n(2) :- go.",
        "n(Y) :- m(X), Y = X + 1. m(X) :- n(X). n(0) :- go.",
    ],
)
def test_a_recursion_without_an_end(text: str):
    with pytest.raises(InputError, match="RUN020"):
        answers(text, "go@1")


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "text",
    [
        "@T a :- @S a, T = S + 1, T < 1763000000000. @0 a :- go.",
        "@T a :- @S a, T = S - 1. @1763000000000 a :- go.",
    ],
    ids=["up", "down"],
)
def test_a_recursion_whose_end_is_too_far_away(text: str):
    with pytest.raises(InputError, match=r"RUN020: .* would go on for more than 250,000 rounds"):
        answers(text, "go@1")


@pytest.mark.usefixtures("impatient")
def test_a_horizon_ends_it():
    assert len(answers("@T a :- @S a, T = S + 1. @0 a :- go.", "go@1", horizon=300)) == 301


@pytest.mark.long
def test_a_chain_of_twelve_thousand_steps():
    facts = "\n".join(f"next({i},{i + 1})" for i in range(12_000))
    assert len(answers(CHAIN, f"go@1\n{facts}")) == 12_001
