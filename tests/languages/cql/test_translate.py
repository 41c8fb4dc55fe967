"""The translation to LARS: Table 1 of the paper, and what it leaves out."""

from __future__ import annotations

from random import Random

import pytest
from tests.languages.cql.checking import accepted
from tests.strategies.cql_queries import random_queries

from horae.languages.cql.check.check import load
from horae.languages.cql.translate.translate import translate
from horae.languages.lars.check.check import load as load_rules
from horae.source.text import Source


def translated(text: str) -> str:
    program, report = load(Source("spec.cql", text))
    assert program is not None, report
    found, problems = translate(program)
    assert problems == []
    assert found is not None
    rules, report = load_rules(Source("spec.lars", found))
    assert rules is not None, (found, [d.message for d in report])
    return found


def rules(text: str) -> list[str]:
    return [line for line in translated(text).splitlines() if not line.startswith("%")]


def rule(text: str) -> str:
    """Of one query over the inputs of the other tests."""
    found, problems = translate(accepted(text))
    assert problems == []
    assert found is not None
    assert load_rules(Source("spec.lars", found))[0] is not None
    return found.splitlines()[-1]


PAPER = """
REGISTER STREAM tram(ID string, X string, T1 int);
REGISTER RELATION line(ID string, L string);
REGISTER RELATION plan(L string, X string, Y string, Z int);
rel: SELECT L, X FROM tram [RANGE 5], line WHERE tram.ID = line.ID;
exp: SELECT tram.ID, plan.Y, T2 FROM tram [PARTITION BY ID ROWS 1], line, plan
     WHERE tram.ID = line.ID AND line.L = plan.L AND tram.X = plan.X AND T2 = tram.T1 + plan.Z;
"""


def test_examples_7_to_9_of_the_paper() -> None:
    assert rules(PAPER) == [
        "rel(L, X) :- win[5] <> tram(ID, X, T1), line(ID, L).",
        "exp(ID, Y, T2) :- win[tram(ID, _, _) by ID #1] <> tram(ID, X, T1), line(ID, L), "
        "plan(L, X, Y, Z), T2 = T1 + Z.",
    ]


def test_it_says_what_it_is_and_that_it_has_sets() -> None:
    first, second, third = translated(PAPER).splitlines()[:3]
    assert first == "% LARS rules for CQL queries, one per query."
    assert second.startswith("% Rules have sets where CQL has bags")
    assert third.startswith("% In a window of rows")


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        ("RANGE 5", "win[5] <> t(A, E)"),
        ("RANGE 0", "win[0] <> t(A, E)"),
        ("RANGE 1 min SLIDE 10", "win[60,0,10] <> t(A, E)"),
        ("RANGE UNBOUNDED", "win[inf] <> t(A, E)"),
        ("NOW", "t(A, E)"),
        ("ROWS 3", "win[t(_, _) #3] <> t(A, E)"),
        ("PARTITION BY E ROWS 2", "win[t(_, E) by E #2] <> t(A, E)"),
        ("PARTITION BY E, A ROWS 2", "win[t(A, E) by E, A #2] <> t(A, E)"),
    ],
)
def test_table_1(window: str, expected: str) -> None:
    assert rule(f"q: SELECT A FROM t [{window}]") == f"q(A) :- {expected}."


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT x.A, y.A FROM r x, r y", "q(A, A_2) :- r(A, C), r(A_2, C_2)."),
        ("SELECT y.A FROM r x, r y WHERE x.A = y.A", "q(A) :- r(A, C), r(A, C_2)."),
        (
            "SELECT y.A FROM r x, r y WHERE x.A < y.A",
            "q(A_2) :- r(A, C), r(A_2, C_2), A < A_2.",
        ),
        ("SELECT A FROM t [NOW] WHERE E = 'l''1'", 'q(A) :- t(A, E), E = "l\'1".'),
        (
            "SELECT t.A FROM r, t [NOW] WHERE r.C = t.E",
            "q(A_2) :- r(A, C), t(A_2, E), C = E.",
        ),
        (
            "SELECT z.C FROM r x, r y, r z WHERE x.A = y.A AND y.A = z.A",
            "q(C_3) :- r(A, C), r(A, C_2), r(A, C_3).",
        ),
        ("SELECT A - (A - 1) * 2 AS n FROM r", "q(N) :- r(A, C), N = A - ((A - 1) * 2)."),
        ("SELECT T, T FROM r WHERE T = A + 1", "q(T, T) :- r(A, C), T = A + 1."),
        ("SELECT 'x' AS a, 2 AS b FROM r", 'q("x", 2) :- r(A, C).'),
        ("SELECT DISTINCT C FROM r WHERE A >= 0.5", "q(C) :- r(A, C), A >= 0.5."),
        ("SELECT C FROM r WHERE A * 0.0000001 > 1", "q(C) :- r(A, C), A * (1/10000000) > 1."),
    ],
)
def test_names_and_conditions(query: str, expected: str) -> None:
    assert rule(f"q: {query}") == expected


def test_queries_are_read_as_relations() -> None:
    assert rule("p: SELECT A AS n FROM r; q: SELECT n FROM p, r WHERE n = A") == (
        "q(N) :- p(N), r(A, C), N = A."
    )


def test_names_become_names_of_rules() -> None:
    text = """REGISTER STREAM TRAM(id string, "two words" int, _x int);
    REGISTER RELATION "not"(at int);
    Late: SELECT id, "two words", _x, at FROM tram [NOW], "not";"""
    assert translated(text).splitlines()[2:] == [
        "% `TRAM` is called `tram` here.",
        "% `not` is called `not_2` here.",
        "% `Late` is called `late` here.",
        "late(Id, Two_words, V__x, At_2) :- tram(Id, Two_words, V__x), not_2(At_2).",
    ]


@pytest.mark.parametrize(
    ("query", "codes"),
    [
        ("ISTREAM(SELECT A FROM r)", ["CQL090"]),
        ("SELECT A FROM r UNION SELECT A FROM r", ["CQL091"]),
        ("SELECT A FROM (SELECT A FROM r) x", ["CQL092"]),
        ("SELECT A FROM p [RANGE 5]", ["CQL093"]),
        ("SELECT COUNT(*) FROM r", ["CQL094"]),
        ("SELECT A FROM r GROUP BY A", ["CQL094"]),
        ("SELECT A FROM r ORDER BY A", ["CQL095"]),
        ("SELECT A FROM r LIMIT 1", ["CQL095"]),
        ("SELECT A FROM r WHERE A = 1 AND NOT A = 2", ["CQL096"]),
        ("SELECT A FROM r WHERE A IN (1, 2) OR A = 3", ["CQL096"]),
        ("SELECT A FROM r WHERE A IS NULL AND A IN (SELECT A FROM r)", ["CQL096", "CQL096"]),
        ("SELECT A FROM s [NOW] WHERE D", ["CQL096"]),
        ("SELECT A FROM s [NOW] WHERE D = TRUE", ["CQL097"]),
    ],
)
def test_outside_of_the_core(query: str, codes: list[str]) -> None:
    text, report = translate(accepted(f"p: SELECT A FROM r; {query}"))
    assert text is None
    assert [d.code for d in report] == codes


@pytest.mark.parametrize("seed", range(30))
def test_random_queries_of_the_core_become_programs(seed: int) -> None:
    assert translated(random_queries(Random(seed), core=True)[0])


def test_durations_below_a_second_say_their_precision() -> None:
    source = Source("q.cql", "REGISTER STREAM s(x int); q: SELECT x FROM s [RANGE 500 ms];")
    program, _ = load(source)
    assert program is not None
    text, _ = translate(program)
    assert text is not None
    assert "% Time points are milliseconds: run the rules with --precision ms." in text
    assert text.endswith("q(X) :- win[500] <> s(X).\n")
