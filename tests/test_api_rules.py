"""DatalogMTL from Python, in process."""

from __future__ import annotations

from fractions import Fraction

import pytest

import horae

RULE = "q(X) :- Boxminus[0,1] p(X,_).\n"
ANSWER = {"predicate": "q", "args": ["a"], "interval": "[1,5/2)"}


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "rule.dmtl"
    path.write_text(RULE, encoding="utf-8")
    loaded = horae.load(path)
    assert loaded.language == "datalogmtl"
    return loaded


def test_the_ending_tells_the_language(program):
    assert program.language == "datalogmtl"
    assert program.diagnostics == ()


@pytest.mark.parametrize(
    "facts",
    [
        "p(a,7)@[0,5/2)\nother(x)@3",
        [("p", ["a", 7], "[0,5/2)"), ("other", ["x"], 3)],
        iter([("p", ("a", Fraction(1, 3)), "[0, 2.5)")]),
    ],
    ids=["text", "list", "iterator"],
)
def test_facts_as_text_or_one_by_one(program, facts):
    assert program.evaluate(facts) == [ANSWER]


def test_facts_without_a_time_hold_always(program):
    (answer,) = program.evaluate([("p", ["a", 7], None)])
    assert answer == {**ANSWER, "interval": "(-inf,inf)"}


@pytest.mark.parametrize("at", ["1,2,3", [1, 2.0, Fraction(3)], "every 1"])
def test_answers_at_times(program, at):
    found = program.evaluate("p(a,7)@[0,5/2)", at=at)
    assert found == [{"time": t, "predicate": "q", "args": ["a"]} for t in ("1", "2")]


@pytest.mark.parametrize("horizon", [4, 4.0, "4", Fraction(4), "1970-01-01T00:00:04Z"])
def test_a_horizon(horizon):
    program = horae.compile("p :- Diamondminus[2] p.", language="datalogmtl")
    found = program.evaluate("p@0", horizon=horizon)
    assert [answer["interval"] for answer in found] == ["[0,0]", "[2,2]", "[4,4]"]


def test_a_program_with_errors():
    with pytest.raises(horae.ProgramError, match="rule:1:5: DMT020") as caught:
        horae.compile("q(X,Y) :- p(X).\n?- r.", language="datalogmtl", name="rule")
    assert [found.code for found in caught.value.diagnostics] == ["DMT020", "DMT026"]


@pytest.mark.parametrize(
    ("facts", "code", "place"),
    [
        ("p(a,7)@0\np(a)@3", "INP021", "<facts>:2:1"),
        ("p(a,7)@0\np(a,_)@3", "DMT011", "<facts>:2:5"),
        ([("p", ["a", 7], 0), ("p", ["a"], 3)], "INP021", ""),
        ([("p", ["a", 7], "[2,1]")], "INP027", ""),
        ([{"p": 3}], "INP029", ""),
    ],
)
def test_facts_that_do_not_fit(program, facts, code, place):
    with pytest.raises(horae.InputError) as caught:
        program.evaluate(facts)
    assert (caught.value.code, caught.value.place) == (code, place)


@pytest.mark.parametrize("options", [{"at": "noon"}, {"at": "every 0"}, {"horizon": "soon"}])
def test_options_that_make_no_sense(program, options):
    with pytest.raises(ValueError, match=r"^(at|horizon): "):
        program.evaluate("p(a,7)@0", **options)


def test_the_normal_form_is_a_program(program):
    text = program.translate("normal")
    assert horae.compile(text, language="datalogmtl").evaluate("p(a,7)@[0,5/2)") == [ANSWER]
    with pytest.raises(ValueError, match="`normal`, not to `sql`"):
        program.translate("sql")
