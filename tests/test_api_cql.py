"""CQL from Python: in process, and with DataFrames."""

from __future__ import annotations

import json

import pytest

import horae

QUERIES = """REGISTER STREAM Tram(ID string, X string);
REGISTER RELATION line(ID string, L string);
rel: SELECT L, X FROM tram [RANGE 10], line WHERE tram.ID = line.ID;
"""
FACTS = "line(a1,l1)\nline(a2,l2)\ntram(a1,p1)@36\ntram(a2,p2)@40\n"


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "tram.cql"
    path.write_text(QUERIES, encoding="utf-8")
    loaded = horae.load(path)
    assert loaded.language == "cql"
    return loaded


def rel(time: int, line: str, stop: str) -> dict[str, object]:
    return {"time": time, "query": "rel", "row": [line, stop], "kind": "rstream"}


def test_the_ending_tells_the_language(program):
    assert program.language == "cql"
    assert program.diagnostics == ()


@pytest.mark.parametrize(
    "facts",
    [
        FACTS + "old(a1)\nold(a1,3)@7",
        FACTS.replace("tram", "TRAM"),
        [
            ("line", ["a1", "l1"], None),
            ("LINE", ("a2", "l2"), None),
            ("tram", ["a1", "p1"], 36),
            ("Tram", ["a2", "p2"], "40"),
        ],
    ],
    ids=["text", "case", "list"],
)
def test_facts_as_text_or_one_by_one(program, facts):
    """The windows are [30,40] and [37,47]."""
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
    """Rows of a stream count, rows of a relation have no time."""
    found = program.evaluate("line(a1,l1)\ntram(a1,p1)@36\ntram(a9,p9)@40", at=at)
    assert found == [rel(time, "l1", "p1") for time in times]


def test_nothing_gives_nothing(program):
    assert program.evaluate("") == []
    assert program.evaluate([], at="3") == []


def test_values_in_the_types_of_their_columns():
    program = horae.compile(
        "REGISTER STREAM s(i int, d double, t string, b bool); SELECT * FROM s [NOW];", "cql"
    )
    (answer,) = program.evaluate([("s", [7, 7, "7", True], 1)])
    assert json.dumps(answer["row"]) == '[7, 7.0, "7", true]'
    (answer,) = program.evaluate('s(-7,1/4,"7",false)@1')
    assert json.dumps(answer["row"]) == '[-7, 0.25, "7", false]'


def test_a_file_with_errors():
    with pytest.raises(horae.ProgramError, match=r"q:1:\d+: CQL\d+") as caught:
        horae.compile("SELECT x FROM nothing;", language="cql", name="q")
    assert caught.value.diagnostics


@pytest.mark.parametrize(
    ("facts", "code", "place", "row"),
    [
        ("line(a1,l1)\ntram(a1)@3", "INP043", "<facts>:2:1", None),
        ("line(a1,l1,l2)", "INP043", "<facts>:1:1", None),
        ("line(a1,l1)\ntram(a1,p1)", "INP044", "<facts>:2:1", None),
        ("tram(a1,p1)@3\nline(a1,l1)@3", "INP045", "<facts>:2:1", None),
        ("old(a1)\ntram(a1,p1)@3\nline(a2,l2)\ntram(a1,7)@3", "INP047", "<facts>:4:1", None),
        ("tram(a1,p1)@3\ntram(a1,p1)@7/2", "INP048", "<facts>:2:1", None),
        ("tram(a1,p1)@[3,4]", "INP048", "<facts>:1:1", None),
        ([("line", ["a1", "l1"], None), ("tram", ["a1"], 3)], "INP043", "", 2),
        ([("line", ["a1", "l1"], None), ("tram", ["a1", 7], 3)], "INP047", "", 2),
        ([("tram", ["a1", "p1"], -3)], "INP048", "", 1),
        ([("tram", ["a1", None], 3)], "INP023", "", 1),
        ([{"tram": 3}], "INP029", "", 1),
    ],
)
def test_facts_that_do_not_fit(program, facts, code, place, row):
    with pytest.raises(horae.InputError) as caught:
        program.evaluate(facts)
    assert (caught.value.code, caught.value.place, caught.value.row) == (code, place, row)


@pytest.mark.parametrize("at", ["noon", "every 0", [-1], "7/2"])
def test_options_that_make_no_sense(program, at):
    with pytest.raises(ValueError, match=r"^at: "):
        program.evaluate(FACTS, at=at)


def test_the_translation_has_the_same_rows(program):
    rules = horae.compile(program.translate("lars"), language="lars")
    found = rules.evaluate(FACTS, at="40,47")
    assert [(a["time"], a["args"]) for a in found] == [
        (a["time"], a["row"]) for a in program.evaluate(FACTS, at="40,47")
    ]


def test_what_has_no_translation(program):
    with pytest.raises(ValueError, match="`lars`, not to `sql`"):
        program.translate("sql")
    counts = horae.compile("REGISTER RELATION r(a int); SELECT COUNT(*) FROM r;", "cql")
    with pytest.raises(horae.ProgramError):
        counts.translate("lars")


def test_the_report_is_text_and_data(program):
    assert "rel" in str(program.report)
    assert json.dumps(program.report.to_dict())


# --- Spark


@pytest.mark.spark
def test_answers_with_dataframes(program, spark):
    trams = spark.createDataFrame(
        [("a1", "p1", 36), ("a2", "p2", 40)], "ID string, X string, ts int"
    )
    lines = spark.createDataFrame([("a1", "l1"), ("a2", "l2")], "ID string, L string")
    frame = program.answers({"TRAM": trams, "line": lines}, time="ts", at="40,47")
    assert frame.columns == ["time", "name", "rel"]
    found = frame.orderBy("time", "rel").collect()
    assert [(r.time, r.name, tuple(r.rel)) for r in found] == [
        (40, "rel", ("l1", "p1", "rstream")),
        (40, "rel", ("l2", "p2", "rstream")),
        (47, "rel", ("l2", "p2", "rstream")),
    ]


@pytest.mark.spark
def test_dataframes_that_do_not_fit(program, spark):
    trams = spark.createDataFrame([("a1", 36)], "ID string, time int")
    with pytest.raises(horae.InputError, match="INP120: the table of `Tram` has no column `X`"):
        program.answers({"tram": trams})
    with pytest.raises(horae.InputError, match="INP042"):
        program.answers({"trams": trams})
    with pytest.raises(horae.InputError, match="INP104"):
        program.answers({})


def test_rows_with_nulls_and_text_of_two_queries():
    text = """REGISTER STREAM s(a int, c string);
        q: SELECT COUNT(*) AS n, SUM(a) AS x, MIN(c) AS x FROM s [NOW] WHERE a > 5;
        r: SELECT c FROM s [NOW];"""
    facts = [("s", [1, 'é"'], 3), ("s", [9, "x"], 5)]
    rows = horae.compile(text, "cql").evaluate(facts)
    assert [a["row"] for a in rows] == [[0, None, None], ['é"'], [1, 9, "x"], ["x"]]
    assert rows.to_arrow().column("row").to_pylist() == [
        "[0, null, null]",
        '["é\\""]',
        '[1, 9, "x"]',
        '["x"]',
    ]
    named = horae.compile(text, "cql").evaluate(facts, named_rows=True)
    assert [a["row"] for a in named][:2] == [{"n": 0, "x": None, "x_": None}, {"c": 'é"'}]
    assert named.to_arrow().column("row").to_pylist()[:2] == [
        '{"n": 0, "x": null, "x_": null}',
        '{"c": "é\\""}',
    ]
