"""Outputs that are hidden are not answered; all else stays as it is."""

from __future__ import annotations

import pytest

import horae

SPEC = """input int a
input string s
output int total<string k>
    invoke: s
    extend: s = k
    := total(k)[-1, 0] + a
output double half := double(a) / 2.0
output int seen := seen[-1, 0] + 1
trigger a > 2 "large"
"""
ROWS = [{"time": t, "a": t, "s": "uv"[t % 2]} for t in range(5)]


@pytest.mark.parametrize("emit", ["all", "changes", "triggers"])
@pytest.mark.parametrize(
    "only", ["total", "half", "half,seen", ["total", "trigger"], "trigger", ["seen", "seen"]]
)
def test_the_others_are_left_out(only, emit: str):
    program = horae.compile(SPEC)
    names = only.split(",") if isinstance(only, str) else only
    expected = [
        answer
        for answer in program.evaluate(ROWS, emit=emit)
        if answer.get("stream", "trigger") in names
    ]
    assert program.evaluate(ROWS, emit=emit, only=only) == expected
    assert program.evaluate(ROWS, only=only, emit=emit).to_arrow().num_rows == len(expected)


def test_a_name_that_is_no_output():
    told = "only: `totl` is not an output of the program; did you mean `total`?"
    with pytest.raises(ValueError, match="not an output") as caught:
        horae.compile(SPEC).evaluate(ROWS, only="totl")
    assert str(caught.value) == told
