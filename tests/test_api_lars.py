"""LARS from Python: in process, and with DataFrames."""

from __future__ import annotations

import json

import pytest

import horae

RULES = """rel(L,X) :- line(ID,L), win[10] <> tram(ID,X).
line(a1,l1).
"""
CHOICE = """a(X) :- p(X), not b(X).
b(X) :- p(X), not a(X).
c(X) :- p(X).
"""
HISTORY = "d :- p.\nq :- win[3] <> d.\n"


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "tram.lars"
    path.write_text(RULES, encoding="utf-8")
    loaded = horae.load(path)
    assert loaded.language == "lars"
    return loaded


def rel(time: int, line: str, stop: str) -> dict[str, object]:
    return {"time": time, "at": time, "answer": 1, "predicate": "rel", "args": [line, stop]}


def short(answers):
    return [(a["time"], a["answer"], a["predicate"]) for a in answers]


def test_the_ending_tells_the_language(program):
    assert program.language == "lars"
    assert program.diagnostics == ()


@pytest.mark.parametrize(
    "facts",
    [
        "tram(a1,p1)@36\nline(a2,l2)\ntram(a2,p2)@40\nother(x)@3",
        [("tram", ["a1", "p1"], 36), ("line", ["a2", "l2"], None), ("tram", ("a2", "p2"), "40")],
        iter(
            [
                ("line", ["a2", "l2"], None),
                ("tram", ["a1", "p1"], "[36,36]"),
                ("tram", ["a2", "p2"], 40.0),
            ]
        ),
    ],
    ids=["text", "list", "iterator"],
)
def test_facts_as_text_or_one_by_one(program, facts):
    """Tram a1 was there in [37,47], a2 in [30,40] and [37,47]."""
    found = program.evaluate(facts, at=[40, 47])
    assert found == [rel(40, "l1", "p1"), rel(40, "l2", "p2"), rel(47, "l2", "p2")]


@pytest.mark.parametrize(
    ("at", "times"),
    [
        (None, [36, 40]),
        ("events", [36, 40]),
        ("all", [36, 37, 38, 39, 40]),
        ("every 3", [36, 39]),
        ("40, 46", [40, 46]),
        ([46, 40, 40], [40, 46]),
    ],
)
def test_evaluation_times(program, at, times):
    found = program.evaluate("tram(a1,p1)@36\ntram(a9,p9)@40", at=at)
    assert found == [rel(time, "l1", "p1") for time in times]


@pytest.mark.parametrize(
    ("consequences", "expected"),
    [
        ("all", [(1, 1, "a"), (1, 1, "c"), (1, 2, "b"), (1, 2, "c")]),
        ("brave", [(1, 1, "a"), (1, 1, "b"), (1, 1, "c")]),
        ("cautious", [(1, 1, "c")]),
    ],
)
def test_consequences(consequences, expected):
    program = horae.compile(CHOICE, language="lars")
    assert short(program.evaluate("p(x)@1", consequences=consequences)) == expected


LAMPS = "on(X) :- lamp(X), not off(X).\noff(X) :- lamp(X), not on(X).\n"
MANY = "\n".join(f"lamp({number})@1" for number in range(30))


@pytest.mark.parametrize("mode", ["stateless", "history"])
def test_the_first_of_many_answers(mode):
    """Of 2³⁰ answers the first two in their order: off sorts before on, and the last lamp changes."""
    program = horae.compile(LAMPS, language="lars")
    found = program.evaluate(MANY, answers=2, mode=mode)
    first, second = ([a for a in found if a["answer"] == number] for number in (1, 2))
    assert [a["predicate"] for a in first] == ["off"] * 30
    assert [a["args"] for a in second if a["predicate"] == "on"] == [[29]]


@pytest.mark.parametrize(("consequences", "count"), [("brave", 60), ("cautious", 0)])
@pytest.mark.parametrize("mode", ["stateless", "history"])
def test_consequences_of_many_answers(mode, consequences, count):
    program = horae.compile(LAMPS, language="lars")
    assert len(program.evaluate(MANY, consequences=consequences, mode=mode)) == count


def test_too_many_answers(monkeypatch):
    monkeypatch.setattr("horae.languages.lars.kernel.solving.MOST", 3)
    program = horae.compile(LAMPS, language="lars")
    with pytest.raises(horae.InputError, match="RUN055"):
        program.evaluate("lamp(1)@1\nlamp(2)@1")
    assert len(program.evaluate("lamp(1)@1\nlamp(2)@1", answers="all")) == 8


def test_with_history_the_first_answer_stays():
    """At 1, {off(1)} comes before {on(1)}: at 2 the lamp was off."""
    program = horae.compile(LAMPS + "was_on :- win[1] <> on(1).\n?- was_on.", language="lars")
    for options in ({}, {"answers": 1}, {"consequences": "brave"}):
        found = program.evaluate("lamp(1)@1", at=[2], mode="history", **options)
        assert found == []


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("stateless", [(1, 1, "d"), (1, 1, "q")]),
        ("history", [(1, 1, "d"), (1, 1, "q"), (4, 1, "q")]),
    ],
)
def test_mode(mode, expected):
    """What was derived at 1 is seen at 4 = 1 + 3, not at 5."""
    program = horae.compile(HISTORY, language="lars")
    assert short(program.evaluate("p@1", at="1,4,5", mode=mode)) == expected


def test_time_points_without_an_answer():
    program = horae.compile("a :- p, not a.\nb :- r.", language="lars")
    assert program.evaluate("p@1\nr@2") == [
        {"time": 1, "inconsistent": True},
        {"time": 2, "at": 2, "answer": 1, "predicate": "b", "args": []},
    ]


def test_a_program_with_errors():
    with pytest.raises(horae.ProgramError, match=r"rule:1:\d+: LRS\d+") as caught:
        horae.compile("q(X,Y) :- p(X).", language="lars", name="rule")
    assert caught.value.diagnostics


@pytest.mark.parametrize(
    ("facts", "code", "place", "row"),
    [
        ("line(a2,l2)\ntram(a1)@3", "INP021", "<facts>:2:1", None),
        ("tram(a1,p1)@3\ntram(a1,p1)@7/2", "INP040", "<facts>:2:1", None),
        ("tram(a1,p1)@[3,inf)", "INP040", "<facts>:1:1", None),
        ("tram(a1,p1)@3\nrel(l1,p1)@3", "INP041", "<facts>:2:1", None),
        ([("tram", ["a1", "p1"], 3), ("tram", ["a1"], 3)], "INP021", "", 2),
        ([("tram", ["a1", "p1"], 3), ("tram", ["a1", "p1"], -3)], "INP040", "", 2),
        ([("old", ["a1"], 3), ("rel", ["l1", "p1"], 3)], "INP041", "", 2),
        ([("tram", ["a1", "p1"], "soon")], "INP025", "", 1),
        ([{"tram": 3}], "INP029", "", 1),
    ],
)
def test_facts_that_do_not_fit(program, facts, code, place, row):
    with pytest.raises(horae.InputError) as caught:
        program.evaluate(facts)
    assert (caught.value.code, caught.value.place, caught.value.row) == (code, place, row)


def test_derived_predicates_have_background_data(program):
    (answer,) = program.evaluate("rel(l7,p7)\ntram(a1,p1)@3")
    assert answer == rel(3, "l1", "p1")


@pytest.mark.parametrize(
    "options",
    [
        {"at": "noon"},
        {"at": "every 0"},
        {"at": [-1]},
        {"at": "7/2"},
        {"horizon": "soon"},
        {"mode": "memory"},
        {"consequences": "some"},
        {"answers": 0},
        {"answers": "some"},
        {"answers": True},
        {"answers": 1.5},
        {"answers": 3, "consequences": "cautious"},
    ],
)
def test_options_that_make_no_sense(program, options):
    with pytest.raises(ValueError, match=r"^(at|horizon|mode|consequences|answers)\b"):
        program.evaluate("tram(a1,p1)@3", **options)


def test_the_report_is_text_and_data(program):
    assert "rel(L,X)" in str(program.report)
    assert json.dumps(program.report.to_dict())


# --- Spark


@pytest.mark.spark
def test_answers_with_dataframes(program, spark):
    trams = spark.createDataFrame(
        [("a1", "p1", 36), ("a2", "p2", 40)], "ID string, X string, ts int"
    )
    lines = spark.createDataFrame([("a2", "l2")], "ID string, L string")
    frame = program.answers({"tram": trams, "line": lines}, time="ts", at="40,47")
    assert frame.columns == ["time", "name", "rel"]
    assert sorted((row.time, row.name, *row.rel) for row in frame.collect()) == [
        (40, "rel", 40, 1, "l1", "p1"),
        (40, "rel", 40, 1, "l2", "p2"),
        (47, "rel", 47, 1, "l2", "p2"),
    ]


@pytest.mark.spark
def test_dataframes_that_do_not_fit(program, spark):
    trams = spark.createDataFrame([("a1", 36)], "ID string, time int")
    with pytest.raises(horae.InputError, match="INP021"):
        program.answers({"tram": trams})
    with pytest.raises(horae.InputError, match="INP020"):
        program.answers({"trams": trams})
    with pytest.raises(horae.InputError, match="INP104"):
        program.answers({})
