"""The typed tables of a run in process, and their schemas, in all languages."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

import horae

INT, DOUBLE, TEXT, BOOL = pa.int64(), pa.float64(), pa.string(), pa.bool_()
UTC_TIME, PLAIN_TIME = pa.timestamp("us", "UTC"), pa.timestamp("us")


def at(second: float, tz: Any = UTC) -> datetime:
    """So many seconds after noon."""
    whole, part = divmod(second, 1)
    return datetime(2024, 5, 1, 12, 0, int(whole), int(part * 10**6), tzinfo=tz)


def stamps(*seconds: float, type: Any = UTC_TIME) -> Any:
    return pa.array([at(second, None if type.tz is None else UTC) for second in seconds], type)


def schema(**types: Any) -> pa.Schema:
    return pa.schema(types)


# --- one program of each language, over timestamps

SHOP = """input int product
input double price
output double paid<int p>
    invoke: product
    extend: product = p
    := paid(p)[-1, 0.0] + price
trigger price > 10.0 "dear"
"""


def test_rtlola():
    sales = pa.table({"ts": stamps(0, 0.5, 2), "product": [7, 8, 7], "price": [2.5, 20.0, 1.0]})
    program = horae.compile(SHOP)
    answers = program.evaluate(sales, time="ts")
    paid = answers.to_arrow("paid")
    assert paid.schema == program.schema("paid", sales, time="ts")
    assert paid.schema == schema(time=UTC_TIME, p=INT, value=DOUBLE)
    assert paid.to_pylist() == [
        {"time": at(0), "p": 7, "value": 2.5},
        {"time": at(0.5), "p": 8, "value": 20.0},
        {"time": at(2), "p": 7, "value": 3.5},
    ]
    assert answers.to_arrow("trigger").to_pylist() == [
        {"time": at(0.5), "number": 1, "message": "dear"}
    ]


CALIBRATION = "high(X, V) :- Boxminus[0,1] signal(X, V).\n"


def test_datalogmtl():
    """Where it was so for a second: from 1 to 3 for the first, and never up to the end of the others."""
    signal = pa.table(
        {
            "x": ["a", "b"],
            "v": pa.array([Decimal("1.50"), Decimal("2.25")], pa.decimal128(5, 2)),
            "from": stamps(0, 5, type=PLAIN_TIME),
            "to": pa.array([at(3, None), None], PLAIN_TIME),
            "to_open": [True, False],
        }
    )
    program = horae.compile(CALIBRATION, "datalogmtl")
    inputs = {"signal": signal}
    high = program.evaluate(inputs).to_arrow("high")
    ends = {"start": PLAIN_TIME, "end": PLAIN_TIME, "start_closed": BOOL, "end_closed": BOOL}
    expected = schema(arg1=TEXT, arg2=pa.decimal128(5, 2), **ends)
    assert high.schema == program.schema("high", inputs) == expected
    closed = {"start_closed": True, "end_closed": False}
    assert high.to_pylist() == [
        {"arg1": "a", "arg2": Decimal("1.50"), "start": at(1, None), "end": at(3, None), **closed},
        {"arg1": "b", "arg2": Decimal("2.25"), "start": at(6, None), "end": None, **closed},
    ]


def test_datalogmtl_at_points():
    program = horae.compile(CALIBRATION, "datalogmtl")
    inputs = {"signal": pa.table({"x": ["a"], "v": [7], "from": [0], "to": [3]})}
    options = {"at": [1, "5/2"]}
    high = program.evaluate(inputs, **options).to_arrow("high")
    assert high.schema == program.schema("high", inputs, **options)
    assert high.schema == schema(time=DOUBLE, arg1=TEXT, arg2=INT)  # 5/2 is no whole number
    assert high.to_pylist() == [
        {"time": 1.0, "arg1": "a", "arg2": 7},
        {"time": 2.5, "arg1": "a", "arg2": 7},
    ]


def test_datalogmtl_without_ends():
    program = horae.compile("q :- p.", "datalogmtl")
    (row,) = program.evaluate([("p", [], None)]).to_arrow("q").to_pylist()
    assert row == {"start": None, "end": None, "start_closed": False, "end_closed": False}


TRAMS = "late(I, S, T) :- win[10] @T tram(I, S), line(I).\n"


def test_lars():
    inputs = {
        "tram": pa.table({"i": [1, 2], "s": ["p", "q"], "time": stamps(0, 4)}),
        "line": pa.table({"i": pa.array([2, 1], pa.int8())}),
    }
    program = horae.compile(TRAMS, "lars")
    late = program.evaluate(inputs).to_arrow("late")
    assert late.schema == program.schema("late", inputs)
    times = {"time": UTC_TIME, "at": UTC_TIME, "answer": INT}
    assert late.schema == schema(**times, arg1=INT, arg2=TEXT, arg3=INT)
    noon = int(at(0).timestamp())
    assert [tuple(row.values()) for row in late.to_pylist()] == [
        (at(0), at(0), 1, 1, "p", noon),
        (at(4), at(4), 1, 1, "p", noon),
        (at(4), at(4), 1, 2, "q", noon + 4),
    ]


QUERIES = """REGISTER STREAM tram(id string, stop string, speed double);
rel: SELECT id, COUNT(*) AS n, AVG(speed) AS mean FROM tram [RANGE 10] GROUP BY id;
"""


def test_cql():
    tram = pa.table(
        {"id": ["a", "a"], "stop": ["p", "q"], "speed": [1.0, 2.0], "time": stamps(0, 4)}
    )
    program = horae.compile(QUERIES, "cql")
    rel = program.evaluate({"tram": tram}).to_arrow("rel")
    assert rel.schema == program.schema("rel", {"tram": tram})
    assert rel.schema == schema(time=UTC_TIME, id=TEXT, n=INT, mean=DOUBLE, kind=TEXT)
    assert rel.to_pylist() == [
        {"time": at(0), "id": "a", "n": 1, "mean": 1.0, "kind": "rstream"},
        {"time": at(4), "id": "a", "n": 2, "mean": 1.5, "kind": "rstream"},
    ]


# --- what is the same in all languages

PROGRAMS = {
    "rtlola": ("input int a\noutput int q := a\noutput int r := a + 1\n", "q", "value"),
    "datalogmtl": ("q(X) :- p(X). r(X) :- p(X).", "q", "arg1"),
    "lars": ("q(X) :- p(X). r(X) :- p(X).", "q", "arg1"),
    "cql": ("REGISTER STREAM p(a int); q: SELECT a FROM p [NOW]; r: SELECT a FROM q;", "q", "a"),
}
LANGUAGES = pytest.mark.parametrize("language", PROGRAMS)


def given(language: str, table: Any) -> Any:
    return table if language == "rtlola" else {"p": table}


@LANGUAGES
@pytest.mark.parametrize(
    "times",
    [
        pa.array([3, 5]),
        pa.array([3.0, 5.0]),
        pa.array([Decimal("3.00"), Decimal("5.00")], pa.decimal128(7, 2)),
        stamps(3, 5),
        stamps(3, 5, type=PLAIN_TIME),
        stamps(3, 5, type=pa.timestamp("ns")),
    ],
    ids=lambda array: str(array.type),
)
def test_times_have_the_type_of_the_input(language: str, times: Any):
    text, output, value = PROGRAMS[language]
    program = horae.compile(text, language)
    inputs = given(language, pa.table({"a": [7, 8], "time": times}))
    found = program.evaluate(inputs).to_arrow(output)
    assert found.schema == program.schema(output, inputs)
    begin = "time" if "time" in found.column_names else "start"
    assert found.column(begin).type == times.type
    assert found.column(begin).to_pylist() == times.to_pylist()
    assert found.column(value).to_pylist() == [7, 8]


@LANGUAGES
def test_pandas_and_polars(language: str, monkeypatch: pytest.MonkeyPatch):
    """Polars takes the Arrow table, which stands for its own here."""
    monkeypatch.setitem(sys.modules, "polars", SimpleNamespace(from_arrow=lambda table: table))
    text, output, value = PROGRAMS[language]
    answers = horae.compile(text, language).evaluate(
        given(language, pa.table({"a": [7, 8], "time": [3, 5]}))
    )
    assert answers.to_pandas(output)[value].tolist() == [7, 8]
    assert answers.to_polars(output).equals(answers.to_arrow(output))


@LANGUAGES
def test_parts_of_answers(language: str):
    text, output, value = PROGRAMS[language]
    answers = horae.compile(text, language).evaluate(
        given(language, pa.table({"a": [7, 8], "time": [3, 5]}))
    )
    first = [answer for answer in answers[:2] if output in answer.values()]
    assert answers[:2].to_arrow(output).column(value).to_pylist() == [7] * len(first)


@LANGUAGES
def test_before_a_run_without_input(language: str):
    """Times are seconds, or time points; the types of arguments are not known."""
    text, output, value = PROGRAMS[language]
    found = horae.compile(text, language).schema(output)
    begin = "time" if "time" in found.names else "start"
    assert found.field(begin).type == (INT if language in ("lars", "cql") else DOUBLE)
    assert found.field(value).type == (INT if language in ("rtlola", "cql") else TEXT)


@LANGUAGES
def test_outputs_that_there_are_not(language: str):
    program = horae.compile(PROGRAMS[language][0], language)
    answers = program.evaluate(given(language, pa.table({"a": [7], "time": [3]})))
    for ask in (answers.to_arrow, answers.to_pandas, program.schema):
        with pytest.raises(ValueError, match="`s` is not an output of the program"):
            ask("s")


@LANGUAGES
def test_one_output_alone(language: str):
    """The others are hidden; of queries, those that it reads are computed."""
    text, _, value = PROGRAMS[language]
    program = horae.compile(text, language)
    inputs = given(language, pa.table({"a": [7], "time": [3]}))
    every = program.evaluate(inputs)
    for only in ("r", ["r"], ("r", "r")):
        found = program.evaluate(inputs, only=only)
        assert found == [answer for answer in every if "r" in answer.values()]
        assert len(found) == 1
        assert found.to_arrow("r").column(value).to_pylist() == [8 if language == "rtlola" else 7]
        with pytest.raises(ValueError, match="`q` is not an output"):
            found.to_arrow("q")


@LANGUAGES
def test_hiding_what_there_is_not(language: str):
    program = horae.compile(PROGRAMS[language][0], language)
    with pytest.raises(
        ValueError, match=r"^only: `rr` is not an output of the program; did you mean"
    ):
        program.evaluate([], only="rr")
    with pytest.raises(
        ValueError, match=r"^only: `xyz` is not an output of the program; they are q, r"
    ):
        program.evaluate([], only="q,xyz")


def test_types_that_the_input_does_not_tell():
    """In process, columns have the type of their values."""
    program = horae.compile("q(X, Y) :- p(X, Y).", "lars")
    found = program.evaluate("p(1, a)@3\np(2, 5/2)@3").to_arrow("q")
    assert found.schema.types[3:] == [INT, TEXT]
    assert found.select(["arg1", "arg2"]).to_pylist() == [
        {"arg1": 1, "arg2": "a"},
        {"arg1": 2, "arg2": "5/2"},
    ]


def test_rows_of_queries_as_objects():
    text = (
        "REGISTER STREAM p(a int); q: SELECT a FROM p [NOW]; r: SELECT a AS b, a + 1 AS c FROM q;"
    )
    program = horae.compile(text, "cql")
    answers = program.evaluate([("p", [7], 3), ("p", [8], 4)], named_rows=True)
    assert [answer["row"] for answer in answers] == [
        {"a": 7},
        {"b": 7, "c": 8},
        {"a": 8},
        {"b": 8, "c": 9},
    ]
    assert next(answers.json_lines()).splitlines()[1] == (
        '{"time": 3, "query": "r", "row": {"b": 7, "c": 8}, "kind": "rstream"}'
    )
    assert answers.to_arrow().column("row").to_pylist()[:2] == ['{"a": 7}', '{"b": 7, "c": 8}']
    assert answers.to_arrow("r").column_names == ["time", "b", "c", "kind"]
    first, again = answers[0], answers[0]
    first["row"]["a"] = 9
    assert again["row"] == {"a": 7}


def test_two_columns_of_one_name():
    program = horae.compile(
        "REGISTER STREAM p(a int); q: SELECT a, a + 1 AS a FROM p [NOW];", "cql"
    )
    answers = program.evaluate([("p", [7], 3)], named_rows=True)
    assert answers[0]["row"] == {"a": 7, "a_": 8}
    assert answers.to_arrow("q").column_names == ["time", "a", "a_", "kind"]
