"""Regular expressions: no pattern takes longer than the text is long, and mistakes have words."""

from __future__ import annotations

import pytest
from tests.languages.rtlola.kernel.driving import checked, run

import horae
from horae.source.patterns import matches, matching, mistake_in

# Engines that try one way after another need 2^n steps for this.
GREEDY = "(a+)+$"
TEXT = "a" * 5_000 + "b"


def test_a_pattern_of_nested_repetitions_ends():
    assert not matches(TEXT, GREEDY)
    assert matches(TEXT[:-1], GREEDY)
    assert matching(["b", "aa"], GREEDY) == [False, True]


@pytest.mark.parametrize("pattern", [f'"{GREEDY}"', "p"], ids=["constant", "from the input"])
@pytest.mark.parametrize("compiled", [False, True])
def test_it_ends_in_every_kind_of_loop(pattern: str, compiled: bool):
    program = checked(f"input string s, p output bool o := matches(s, {pattern})")
    rows = [{"time": 0, "s": TEXT, "p": GREEDY}, {"time": 1, "s": "xa", "p": GREEDY}]
    assert [a["value"] for a in run(program, rows, compiled=compiled)] == [False, True]


@pytest.mark.parametrize("pattern", ["[", "(?=a)", r"(a)\1", "a{2000}", "a++", r"\Z"])
def test_what_needs_more_than_linear_time_is_refused(pattern: str):
    assert mistake_in(pattern)
    with pytest.raises(horae.ProgramError) as error:
        horae.compile(f'input string s trigger matches(s, "{pattern}")'.replace("\\", "\\\\"))
    assert [d.code for d in error.value.diagnostics] == ["RTL039"]


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("^b", "a\nb", False),  # the start of the text, not of a line
        ("a$", "a\n", False),
        ("^.$", "é", True),
        (r"^\d$", "٣", False),
        (r"^\pL$", "é", True),
        ("(?i)É", "é", True),
        ("", "", True),
        ("a", "\ud800a", True),
    ],
)
def test_the_dialect(pattern: str, text: str, expected: bool):
    assert mistake_in(pattern) is None
    assert matches(text, pattern) is expected
