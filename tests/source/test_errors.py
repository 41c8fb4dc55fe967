"""What an exception says by itself: in a notebook or a log nobody renders it."""

from __future__ import annotations

import pickle

import pytest

import horae


def test_errors_of_inputs_say_where_and_what_would_help():
    program = horae.compile("input int a\noutput int b := a")
    with pytest.raises(horae.InputError) as caught:
        program.evaluate([{"time": 1, "a": 1}, {"time": 2, "a": "x"}])
    said = str(caught.value).splitlines()
    assert said == [
        "INP009: the column `a` holds `x`, which is not an int (row 2)",
        "help: an int is a whole number of at most 64 bits, without a point; "
        "no value is an empty cell or null",
    ]
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_errors_of_programs_say_where_and_what_would_help():
    with pytest.raises(horae.ProgramError) as caught:
        horae.compile("input int speed\noutput int b := sped")
    assert str(caught.value).splitlines() == [
        "<text>:2:17: RTL020: nothing is called `sped` here",
        "help: did you mean `speed`?",
    ]


def test_an_error_without_help_is_one_line():
    assert str(horae.InputError("INP001", "there is no file")) == "INP001: there is no file"
