"""The tables that programs read and give, before anything runs."""

from __future__ import annotations

import pytest

import horae

PROGRAMS = {
    "rtlola": (
        "input int a\ninput string s\noutput double mean<string k> invoke: s := 1.0\n"
        'output bool high := a > 3\ntrigger high "too high"',
        {"": (("a", "int"), ("s", "string"))},
        {
            "mean": (("k", "string"), ("value", "double")),
            "high": (("value", "bool"),),
            "trigger 1": (("message", "string"),),
        },
    ),
    "datalogmtl": (
        "late(X) :- Diamondminus[0,5] signal(X, Y), node(Y).",
        {"signal": (("1", "constant"), ("2", "constant")), "node": (("1", "constant"),)},
        {"late": (("1", "constant"),)},
    ),
    "lars": (
        "hot(X) :- win[5] [] warm(X). alarm :- hot(X). ?- alarm.",
        {"warm": (("1", "constant"),)},
        {"alarm": ()},
    ),
    "cql": (
        "REGISTER STREAM s(a int, b string); q: SELECT b, COUNT(*) AS n FROM s [RANGE 5] GROUP BY b;",
        {"s": (("a", "int"), ("b", "string"))},
        {"q": (("b", "string"), ("n", "int"))},
    ),
}


@pytest.mark.parametrize("language", PROGRAMS)
def test_inputs_and_outputs(language: str):
    text, inputs, outputs = PROGRAMS[language]
    program = horae.compile(text, language=language)
    assert {table.name: table.columns for table in program.inputs} == inputs
    assert {table.name: table.columns for table in program.outputs} == outputs
