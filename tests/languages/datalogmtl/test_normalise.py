"""The normal form: its shapes, and that it has the answers of the program (Prop. 6)."""

from __future__ import annotations

from random import Random

import pytest
from tests.languages.datalogmtl.checking import accepted
from tests.languages.datalogmtl.test_parse import PAPER, SHORT_STOP
from tests.strategies.datalogmtl_programs import HORIZON, random_facts, random_program

from horae.languages.datalogmtl.check.check import load
from horae.languages.datalogmtl.check.normal import JoinRule
from horae.languages.datalogmtl.check.normalise import body_atoms, normalise
from horae.languages.datalogmtl.check.print_normal import print_normal
from horae.languages.datalogmtl.program import Program
from horae.reference.datalogmtl import evaluate
from horae.source.text import Source


def normal_lines(text: str) -> list[str]:
    """The rules of the normal form, without the comments and the query."""
    lines = print_normal(normalise(accepted(text))).split("\n")
    return [line for line in lines if line and line[0] not in "%?"]


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("p(X) :- q(X), r(X,a)", ["p(X) :- q(X), r(X,a)."]),
        ("p(X) :- Boxminus[0,1] q(X,_y)", ["p(X) :- Boxminus[0,1] q(X,_y)."]),
        ("p(X) :- a(X) Since[0,1] b(X)", ["p(X) :- a(X) Since[0,1] b(X)."]),
        (
            "p(X) :- q(X), not Boxminus[0,1] r(X,7)",
            ["n1(X) :- Boxminus[0,1] r(X,7).", "p(X) :- q(X), not n1(X)."],
        ),
        ("Boxplus[0,1] p(X) :- q(X,_y)", ["p(X) :- Diamondminus[0,1] q(X,_y)."]),
        ("Boxminus(0,1] p(X) :- q(X)", ["p(X) :- Diamondplus(0,1] q(X)."]),
        (
            "Boxplus[0,1] Boxminus[2] p(X,a) :- q(X,Y), r(Y)",
            [
                "n1(X) :- q(X,Y), r(Y).",
                "n2(X) :- Diamondminus[0,1] n1(X).",
                "p(X,a) :- Diamondplus[2] n2(X).",
            ],
        ),
        ("Boxplus[0,1] p :- not q", ["n1 :- not q.", "p :- Diamondminus[0,1] n1."]),
        (
            "p(X) :- s(X), up(X) Since[0,5] b",
            ["p(X) :- s(X), b.", "n1(X) :- up(X) Since(0,5] b.", "p(X) :- s(X), n1(X)."],
        ),
        ("p(X) :- s(X), not (up(X) Until[0] b)", ["p(X) :- s(X), not b."]),
    ],
)
def test_shapes(text: str, rules: list[str]) -> None:
    assert normal_lines(text) == rules


def test_example_1_of_the_paper() -> None:
    assert normal_lines(PAPER) == [
        "n1(Z) :- Diamondminus[0,2] signal(Z).",
        "n2(Z) :- Boxminus[0,5] n1(Z).",
        "flags(X,Z) :- node(X), monitors(X,Z), n2(Z).",
        "n3(X,Z) :- connected(X,Y), flags(Y,Z).",
        "monitors(X,Z) :- Diamondminus[0,10] n3(X,Z).",
    ]


def test_equal_subformulas_share_a_predicate() -> None:
    lines = normal_lines(SHORT_STOP)
    assert len([line for line in lines if line.startswith("n")]) == 5 + 3
    assert normal_lines(
        "p(A) :- q(A), Boxminus[1] r(A,B,B)\ns(X) :- q(X), Boxminus[1] r(X,Y,Y)"
    ) == [
        "n1(A,B) :- Boxminus[1] r(A,B,B).",
        "p(A) :- q(A), n1(A,B).",
        "s(X) :- q(X), n1(X,Y).",
    ]
    different = "p(A) :- q(A), Boxminus[1] r(A,B,B)\ns(X) :- q(X), Boxminus[1] r(X,X,X)"
    assert len(normal_lines(different)) == 4


def test_fresh_names_do_not_clash() -> None:
    assert "n1_(X) :- Boxminus[1] q(X)." in normal_lines("n1(X) :- q(X), Boxminus[1] q(X)")


def test_components_come_in_an_order_of_evaluation() -> None:
    program = accepted(
        "c(X) :- b(X), not a(X)\na(X) :- Boxminus[1] b(X), e(X)\nb(X) :- a(X)\nb(X) :- d(X)"
    )
    normal = normalise(program)
    assert [set(members) for members in normal.components] == [{"a", "b", "~1"}, {"c"}]


def test_rules_know_where_they_come_from() -> None:
    normal = normalise(accepted(PAPER))
    assert {id(rule.of) for rule in normal.rules} == {id(rule) for rule in normal.program.rules}


@pytest.mark.parametrize("fragment", ["datalog", "mtl-fp", "full"])
def test_the_normal_form_has_the_same_answers(fragment: str) -> None:
    for seed in range(25):
        rng = Random(f"normal {fragment} {seed}")
        program, _ = load(Source("random.dmtl", random_program(rng, fragment)))
        assert program is not None
        normal = _read_again(print_normal(normalise(program)))
        facts = random_facts(rng, program)
        before = evaluate(program, facts, horizon=HORIZON)
        assert evaluate(normal, facts, horizon=HORIZON) == before, program.source.text


def _read_again(text: str) -> Program:
    program, report = load(Source("normal.dmtl", text))
    assert program is not None, report
    return program


@pytest.mark.parametrize("seed", range(10))
def test_negation_looks_back_only(seed: int) -> None:
    program, _ = load(Source("random.dmtl", random_program(Random(seed), "full")))
    assert program is not None
    normal = normalise(program)
    place = {name: n for n, members in enumerate(normal.components) for name in members}
    for rule in normal.rules:
        read = [place.get(atom.predicate, -1) for atom in body_atoms(rule)]
        assert all(number <= place[rule.head.predicate] for number in read)
        if isinstance(rule, JoinRule):
            below = [place.get(atom.predicate, -1) for atom in rule.negative]
            assert all(number < place[rule.head.predicate] for number in below)
