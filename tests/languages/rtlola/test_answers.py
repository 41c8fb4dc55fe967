"""Sorted answers as dicts and as lines of JSON: the same content, byte for byte."""

from __future__ import annotations

import json

from tests.languages.rtlola.evaluating import evaluate_table

import horae
from horae.data.layout import Layout
from horae.data.rows import read_rows
from horae.engine.answers import Answers
from horae.languages.rtlola.answers import rtlola_answers
from horae.languages.rtlola.kernel.answers import answer_schema
from horae.languages.rtlola.kernel.options import Options

SPEC = """input double x
input string s
output double y<string t, double z>
    invoke: (s, x)
    extend: s = t and x = z
    := x / 3.0
output bool b := x > 1.0
output string u := s
trigger x > 0.0 "über \\"x\\""
trigger b
"""
VALUES = (0.1, 1e16, 1e15, 123456789012345680.0, 1e-7, 1e-5, 0.0001, 5e-324, -0.0, 1.5e300, 3.0)


def answers() -> Answers:
    checked = horae.compile(SPEC).checked
    layout = Layout(tuple((i.name, i.type) for i in checked.inputs))
    rows = [{"time": i / 4, "x": x, "s": f'"{i}\n\u2028é'} for i, x in enumerate(VALUES)]
    table = evaluate_table(checked, read_rows(rows, layout), Options(3 * 10**6, scale=3))
    return rtlola_answers(table, checked, 3 * 10**6)


def test_lines_are_the_dumps_of_dicts():
    found = answers()
    lines = "".join(found.json_lines())
    assert lines == "".join(json.dumps(a, ensure_ascii=False) + "\n" for a in found)
    assert len(found) == lines.count("\n")


def test_parameters_of_streams_may_have_different_types():
    text = """input int a
input string s
output int n<int i>
    invoke: a
    extend: a = i
    := i
output int m<string i>
    invoke: s
    extend: s = i
    := 0
"""
    rows = [{"time": 0, "a": a, "s": s} for a, s in ((10, "b"), (9, "a"), (9, "a"))]
    found = horae.compile(text).evaluate(rows)
    assert [(a["stream"], a["params"]) for a in found] == [
        ("m", ["a"]),
        ("m", ["a"]),
        ("m", ["b"]),
        ("n", [9]),
        ("n", [9]),
        ("n", [10]),
    ]


def test_nothing():
    checked = horae.compile(SPEC).checked
    nothing = rtlola_answers([answer_schema(checked, Options(1)).empty_table()], checked, 1)
    assert list(nothing) == []
    assert "".join(nothing.json_lines()) == ""
