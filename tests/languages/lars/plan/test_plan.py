"""How LARS programs are spread, and what the report says of it."""

import pytest
from tests.case_folders import cases
from tests.languages.lars.plan.simulated import checked, plan_of
from tests.plans import in_words

from horae.languages.lars.plan.routes import RoutedProgram
from horae.languages.lars.report import analyze

TRAM = {case.name: case.source.text for case in cases("lars")}["paper_tram"]


def words_of(text: str) -> list[str]:
    return in_words(analyze(checked(text)).plan)


def places(plan: RoutedProgram) -> dict[str, int | None]:
    return {route.predicate: route.place for route in plan.routes}


def test_the_trams_of_the_paper_are_spread_by_the_stops_where_they_are_expected():
    """The two `exp` of a connection have only the stop in common, and the stop is no part of `tram`."""
    assert words_of(TRAM) == [
        "stage 1, spread: `exp`, `gc`, `rel`",
        "  reads `line`, `old`, `tram` to every shard; `plan` by argument 3 (Y); "
        "`exp` by argument 2 (derived here); `gc` by argument 3 (X) (derived here); "
        "`rel` by argument 2 (X) (derived here)",
    ]


def test_a_partition_window_is_spread_by_its_columns():
    assert words_of("last(ID,X) :- win[tram(ID,_) by ID #1] <> tram(ID,X).") == [
        "stage 1, spread: `last`",
        "  reads `tram` by argument 1 (ID); `last` by argument 1 (ID) (derived here)",
    ]


def test_times_of_background_data_need_the_whole_window():
    assert words_of("@T last(ID,X) :- win[tram(ID,_) by ID #1] @T tram(ID,X).") == [
        "stage 1, spread: `last`",
        "  reads `tram` by argument 1 (ID) "
        "(to every shard if there is background data about `tram`); "
        "`last` by argument 1 (ID) (derived here)",
    ]


def test_where_the_program_has_that_background_data_the_plan_knows():
    plan = plan_of("@T last(ID,X) :- win[tram(ID,_) by ID #1] @T tram(ID,X).\ntram(a,b).")
    assert places(plan) == {"last": 0, "tram": None}


@pytest.mark.parametrize(
    ("rule", "place"),
    [
        ("s(K) :- win[e(K,_) by K #1] <> e(K,Y).", 0),
        ("s(K) :- win[e(A,B) by A,B #1] <> e(Y,K).", 1),
        ("s(K) :- win[e(A,B) by B,A #1,2] e(K,Y).", 0),
        ("s(K) :- win[e(a,_) #1] <> e(K,Y).", 0),
        ("s(K) :- p(K), not win[e(A,A) by A #1] <> e(K,K).", 0),
        ("s(K) :- win[e(_,B) by B #1] <> e(K,Y).", None),
        ("s(K) :- win[e(_,_) #1] <> e(K,Y).", None),
        ("s(K) :- win[e(A,_) by A #1] [] e(K,Y).", None),
        ("s(K) :- p(K), r(T), win[e(A,_) by A #1] @T not e(K,K).", None),
        ("s(K) :- e(K,Y), win[3] <> e(Y,K).", None),
        ("s(K) :- e(K,Y), win[3] <> e(K,a), not e(K,K).", 0),
        ("s(K) :- e(K,Y), not e(a,K).", None),
    ],
)
def test_where_an_input_can_be_spread(rule: str, place: int | None):
    assert places(plan_of(rule))["e"] == place


def test_the_uses_of_all_rules_count():
    plan = plan_of("s(K) :- e(K,Y).\nt(K) :- win[5] [] e(K,K), s(K).\nu(Y) :- e(Y,_).")
    assert places(plan) == {"s": 0, "t": 0, "u": 0, "e": 0}
    plan = plan_of("s(K) :- e(K,Y).\nu(Y) :- e(_,Y), p(Y).")
    assert places(plan) == {"s": 0, "u": 0, "e": None, "p": 0}


def test_a_window_over_another_predicate_counts_too():
    """`p` is looked for among no atoms: only background data is seen, at a time point of `e`."""
    plan = plan_of("@T s(K) :- e(K,Y), win[e(A,_) by A #1] @T p(K).")
    assert places(plan) == {"s": 0, "e": 0, "p": 0}
    assert [route.unless for route in plan.routes] == [frozenset(), {"p"}, frozenset()]


def test_keys_that_spread_more_of_the_stream_are_preferred():
    assert places(plan_of("rel(L,X) :- line(ID,L), win[10] <> tram(ID,X).")) == {
        "rel": 1,
        "line": None,
        "tram": 1,
    }


def test_background_data_is_where_atoms_are_derived():
    assert places(plan_of("s(a,b).\ns(Y,K) :- e(K,Y), s(K,K).\n?- s.")) == {"s": 1, "e": 0}


@pytest.mark.parametrize(
    ("text", "reason", "rule"),
    [
        ("s :- p(X).", "`s` has no arguments to spread by", "s :- p(X)."),
        (
            "s(X) :- win[#3] <> p(X).",
            "`win[#…]` counts the atoms of the whole stream",
            "s(X) :- win[#3] <> p(X).",
        ),
        (
            "s(X) :- p(X).\n:- s(X), q(X).",
            "the solver decides (a constraint), and it decides for the whole program",
            ":- s(X), q(X).",
        ),
        (
            "s(X) :- p(X).\nt(X) :- win[session 5] <> p(X).",
            "the solver decides (a window of the registry), and it decides for the whole program",
            "t(X) :- win[session 5] <> p(X).",
        ),
        (
            "s(X) :- p(X), not t(X).\nt(X) :- p(X), not s(X).",
            "the solver decides (negation that is not stratified), "
            "and it decides for the whole program",
            "s(X) :- p(X), not t(X).",
        ),
        (
            "path(X,Y) :- e(X,Y).\npath(X,Z) :- path(X,Y), path(Y,Z).",
            "`path` reads itself with its key at another argument",
            "path(X,Z) :- path(X,Y), path(Y,Z).",
        ),
        (
            "s(a) :- p(X).",
            "`s` has a constant at the place of its key",
            "s(a) :- p(X).",
        ),
    ],
)
def test_one_shard_and_why(text: str, reason: str, rule: str):
    first, _, why = words_of(text)
    assert first.startswith("stage 1, in one shard: `")
    assert why == f"  why {reason}: `{rule}`"


def test_a_program_of_constraints():
    assert words_of(":- p(X), q(X).")[0] == "stage 1, in one shard: constraints"


def test_a_program_without_rules():
    assert words_of("p(a)@3.\n?- p.") == [
        "stage 1, in one shard: nothing but the facts",
        "  reads `p`",
        "  why no rule derives anything",
    ]
