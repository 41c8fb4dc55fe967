"""Typed tables of all outputs together: names of columns, structs, and which outputs there are."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pyarrow as pa
import pytest

import horae
from horae.data.columns import fitted
from horae.data.input_types import NOTHING_KNOWN
from horae.engine.contract import Routed
from horae.engine.run import Known, Run
from horae.engine.typed_answers import (
    TypedAnswers,
    free_name,
    free_names,
    known_output,
    time_of,
    together_schema,
)
from horae.program import Program

INT, DOUBLE, TEXT, BOOL = pa.int64(), pa.float64(), pa.string(), pa.bool_()


def schema(**types: Any) -> pa.Schema:
    return pa.schema(types)


def struct(**types: Any) -> pa.DataType:
    return pa.struct(types)


# --- names


@pytest.mark.parametrize(
    ("name", "taken", "expected"),
    [
        ("a", ["b"], "a"),
        ("time", ["time"], "time_"),
        ("Time", ["time"], "Time_"),
        ("time", ["time", "TIME_"], "time__"),
    ],
)
def test_a_free_name(name: str, taken: list[str], expected: str):
    assert free_name(name, taken) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a", "b"], ["a", "b"]),
        (["time", "name"], ["time_", "name_"]),
        (["time", "time_"], ["time__", "time_"]),  # what is free stays
        (["time_", "time"], ["time_", "time__"]),
        (["a", "A"], ["a", "A_"]),
        ([], []),
    ],
)
def test_free_names(names: list[str], expected: list[str]):
    assert free_names(names, ("time", "name")) == expected


def test_outputs_that_are_called_as_columns_of_all():
    found = together_schema({"time": schema(time=INT, value=INT), "name": schema(time=INT, x=TEXT)})
    assert found.names == ["time", "name", "time_", "name_"]
    assert found.field("name_").type == struct(x=TEXT)


def test_the_time_of_outputs_with_different_times_is_a_double():
    found = together_schema({"a": schema(time=INT, x=INT), "b": schema(start=DOUBLE, end=DOUBLE)})
    assert found.field("time").type == DOUBLE
    assert found.field("b").type == struct(start=DOUBLE, end=DOUBLE)
    assert (time_of(schema(time=INT)), time_of(schema(arg1=INT, start=INT))) == ("time", "start")


def test_a_struct_has_at_least_one_field():
    assert together_schema({"up": schema(time=INT)}).field("up").type == struct(holds=BOOL)


def test_names_that_are_no_outputs():
    known = {"sales": schema(time=INT), "total": schema(time=INT)}
    assert known_output("sales", known) == "sales"
    with pytest.raises(ValueError, match=r"`sale` is not an output of the program\. did you mean"):
        known_output("sale", known)
    with pytest.raises(ValueError, match=r"They are sales, total\."):
        known_output("xyz", known)


# --- all outputs in one table


def together(program: Program, inputs: Any, **options: Any) -> pa.Table:
    """As Spark's workers make it of what kernels answer."""
    run = program.prepare(options)
    records = run.read_values(inputs)
    routed = run.program(Known(run.survey(records)))
    kernel = routed.start(0)
    rows = _rows(run, routed, records)
    times = rows.column("time").to_numpy() if "time" in rows.column_names else None
    if times is not None:
        kernel.see(times)
    kernel.add(rows)
    schemas = run.schemas(NOTHING_KNOWN, TEXT)
    return TypedAnswers(run, routed, schemas).shape()(kernel.finish())


def _rows(run: Run, routed: Routed, records: pa.Table) -> pa.Table:
    """Events of this process know the order of their rows, which have no places then."""
    return fitted(records, routed.rows) if run.reads is None else run.rows(routed, records)


def test_structs_of_streams_and_triggers():
    spec = "input int a\noutput int time := a\noutput double name := double(a) / 2.0\n"
    spec += 'trigger a > 1 "large"\ntrigger a > 2\n'
    rows = [{"time": 1, "a": 1}, {"time": 2.5, "a": 3}]
    found = together(horae.compile(spec), rows)
    assert found.schema == schema(
        time=DOUBLE,
        name=TEXT,
        time_=struct(value=INT),
        name_=struct(value=DOUBLE),
        trigger=struct(number=INT, message=TEXT),
    )
    nothing = {"time_": None, "name_": None, "trigger": None}
    assert sorted(found.to_pylist(), key=repr) == sorted(
        [
            {"time": 1.0, "name": "time", **nothing, "time_": {"value": 1}},
            {"time": 2.5, "name": "time", **nothing, "time_": {"value": 3}},
            {"time": 1.0, "name": "name", **nothing, "name_": {"value": 0.5}},
            {"time": 2.5, "name": "name", **nothing, "name_": {"value": 1.5}},
            {
                "time": 2.5,
                "name": "trigger",
                **nothing,
                "trigger": {"number": 1, "message": "large"},
            },
            {"time": 2.5, "name": "trigger", **nothing, "trigger": {"number": 2, "message": None}},
        ],
        key=repr,
    )


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({}, ["x", "y", "trigger"]),
        ({"emit": "triggers"}, ["trigger"]),
        ({"only": "y"}, ["y"]),
        ({"only": ["trigger", "x"]}, ["x", "trigger"]),
        ({"only": "x", "emit": "triggers"}, []),
    ],
)
def test_which_outputs_there_are(options: dict[str, Any], names: list[str]):
    spec = "input int a\noutput int x := a\noutput int y := a + 1\ntrigger a > 1\n"
    found = together(horae.compile(spec), [{"time": 1, "a": 2}], **options)
    assert found.column_names == ["time", "name", *names]
    assert sorted(map(str, found.column("name").to_pylist())) == sorted(names)


def test_triggers_alone():
    found = together(horae.compile('input int a\ntrigger a > 1 "large"\n'), [{"time": 1, "a": 2}])
    assert found.to_pylist() == [
        {"time": 1.0, "name": "trigger", "trigger": {"number": 1, "message": "large"}}
    ]


def test_parameters_that_are_called_as_other_columns():
    spec = "input int a\ninput int b\noutput int x<int time, int value> invoke: (a, b) := a\n"
    program = horae.compile(spec)
    assert program.schema("x").names == ["time", "time_", "value_", "value"]
    answers = program.evaluate([{"time": 1, "a": 7, "b": 8}])
    assert answers.to_arrow("x").to_pylist() == [{"time": 1, "time_": 7, "value_": 8, "value": 7}]


def test_no_answers_have_all_columns():
    found = together(horae.compile("input int a\noutput int x := a\n"), [])
    assert (found.column_names, len(found)) == (["time", "name", "x"], 0)


def test_predicates_without_arguments():
    """`up` holds from 1 to 3, without both ends; at points, its struct says only that it holds."""
    program = horae.compile("up :- p. q(X) :- r(X).", "datalogmtl")
    facts = [("p", [], "(1,3)"), ("r", ["a"], 2)]
    ends = {"start": 1.0, "end": 3.0, "start_closed": False, "end_closed": False}
    answers = program.evaluate(facts)
    assert answers.to_arrow("up").to_pylist() == [ends]
    at = program.evaluate(facts, at=[2, 3])
    assert at.to_arrow("up").to_pylist() == [{"time": 2.0}]
    assert at.to_arrow("q").to_pylist() == [{"time": 2.0, "arg1": "a"}]


def test_times_without_an_answer():
    """`a` holds iff it does not where `p` is: time 1 has no answer, time 2 has one."""
    program = horae.compile("a :- p, not a.\nb :- r.", "lars")
    found = together(program, "p@1\nr@2")
    assert found.column_names == ["time", "name", "a", "b", "inconsistent"]
    rows = {row["name"]: row for row in found.to_pylist()}
    assert rows["inconsistent"]["inconsistent"] == {"holds": True}
    assert (rows["inconsistent"]["time"], rows["b"]["time"]) == (1, 2)
    assert rows["b"]["b"] == {"at": 2, "answer": 1}


def test_a_predicate_that_is_called_inconsistent():
    program = horae.compile("a :- p, not a.\ninconsistent :- r.", "lars")
    answers = program.evaluate("p@1\nr@2")
    assert answers.to_arrow("inconsistent").column("at").to_pylist() == [2]
    assert answers.to_arrow("inconsistent_").to_pylist() == [{"time": 1}]
    assert (
        program.evaluate("p@1\nr@2", only="inconsistent_").to_arrow("inconsistent_").num_rows == 1
    )


def test_columns_that_are_called_as_those_of_all_queries():
    text = "REGISTER STREAM s(time int, kind string); q: SELECT time, kind FROM s [NOW];"
    program = horae.compile(text, "cql")
    assert program.schema("q").names == ["time", "time_", "kind_", "kind"]
    found = program.evaluate([("s", [7, "x"], 3)], at=[3]).to_arrow("q").to_pylist()
    assert found == [{"time": 3, "time_": 7, "kind_": "x", "kind": "rstream"}]


def test_moments_stay_moments():
    day = datetime(2024, 2, 29, 12)
    events = pa.table({"time": pa.array([day], pa.timestamp("us")), "a": [1]})
    program = horae.compile("input int a\noutput int x := a\n")
    assert program.evaluate(events).to_arrow("x").to_pylist() == [{"time": day, "value": 1}]
