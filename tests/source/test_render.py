"""Rendered diagnostics, compared with texts written by hand."""

from __future__ import annotations

import json

from horae.source.diagnostic import Diagnostic, Label, Severity
from horae.source.render import render, to_dict, to_json
from horae.source.suggest import closest, did_you_mean
from horae.source.text import Source, Span


def span(source: Source, text: str, occurrence: int = 0) -> Span:
    start = -1
    for _ in range(occurrence + 1):
        start = source.text.index(text, start + 1)
    return Span(start, start + len(text))


def error(where: Span, caption: str = "", **more: object) -> Diagnostic:
    return Diagnostic("RTL099", Severity.ERROR, "it is wrong", where, caption, **more)  # type: ignore[arg-type]


def test_one_line_with_everything() -> None:
    source = Source("shop.lola", "input int a\noutput int x := a[-1] + 1\n")
    found = error(
        span(source, "a[-1]"), "no default", note="a stream starts empty", help="write `a[-1, 0]`"
    )
    assert (
        render(found, source)
        == """\
error[RTL099]: it is wrong
 --> shop.lola:2:17
  |
2 | output int x := a[-1] + 1
  |                 ^^^^^ no default
  |
  = note: a stream starts empty
  = help: write `a[-1, 0]`"""
    )


def test_labels_on_the_same_line_and_on_others() -> None:
    text = "input string s\n\n\ninput int a\noutput x := a + s + a\n"
    source = Source("t.lola", text)
    labels = (
        Label(span(source, "string"), "declared here"),
        Label(span(source, "a +"), "an int"),
        Label(Span(len(text) - 2, len(text) - 1), "also an int"),
    )
    found = error(Span(text.index("+ s") + 2, text.index("+ s") + 3), "a string", labels=labels)
    assert (
        render(found, source)
        == """\
error[RTL099]: it is wrong
 --> t.lola:5:17
  |
1 | input string s
  |       ------ declared here
...
5 | output x := a + s + a
  |             --- ^   - also an int
  |             |   |
  |             |   a string
  |             an int"""
    )


def test_a_single_line_between_two_marked_ones_is_shown() -> None:
    source = Source("t.lola", "input int a\n\noutput a := 1\n")
    label = Label(span(source, "a", 0), "")
    found = error(span(source, "output a"), labels=(label,))
    assert render(found, source).splitlines()[3:] == [
        "1 | input int a",
        "  |           -",
        "2 |",
        "3 | output a := 1",
        "  | ^^^^^^^^",
    ]


def test_overlapping_marks_get_rows_of_their_own() -> None:
    source = Source("t.lola", "output x := a + b")
    found = error(span(source, "+"), "here", labels=(Label(span(source, "a + b"), "in this"),))
    assert render(found, source).splitlines()[3:] == [
        "1 | output x := a + b",
        "  |               ^ here",
        "  |             ----- in this",
    ]


def test_several_lines() -> None:
    source = Source("t.lola", "input int a\noutput int x\n    extend: 1Hz\n\ntrigger a\n")
    where = span(source, "output int x\n    extend: 1Hz\n")
    assert (
        render(error(where, "no definition"), source)
        == """\
error[RTL099]: it is wrong
 --> t.lola:2:1
  |
2 | / output int x
3 | |     extend: 1Hz
  | |_______________^ no definition"""
    )


def test_many_lines_are_shortened() -> None:
    source = Source("t.lola", "\n".join(f"line {n}" for n in range(1, 13)))
    lines = render(error(Span(0, len(source.text)), "all"), source).splitlines()
    assert lines[3:] == [
        " 1 | / line 1",
        " 2 | | line 2",
        " 3 | | line 3",
        "...",
        "10 | | line 10",
        "11 | | line 11",
        "12 | | line 12",
        "   | |_______^ all",
    ]


def test_a_very_long_line_is_cut_around_the_marks() -> None:
    source = Source("t.lola", "x := " + "a + " * 200 + "b + " + "c + " * 200)
    line, marks = render(error(span(source, "b"), "unknown"), source).splitlines()[3:5]
    assert len(line) < 130
    assert line.startswith("1 | …")
    assert line.endswith("…")
    assert line[marks.index("^")] == "b"
    line, marks = render(error(Span(0, 1), "start"), source).splitlines()[3:5]
    assert line.startswith("1 | x := a +")
    assert marks == "  | ^ start"


def test_carets_stand_right_behind_tabs_and_wide_characters() -> None:
    source = Source("t.lola", '\ttrigger "数据é" + x')
    assert render(error(span(source, "x"), "unknown"), source).splitlines()[3:] == [
        '1 |     trigger "数据é" + x',
        "  |                       ^ unknown",
    ]
    accent = Source("t.lola", '"e\N{COMBINING ACUTE ACCENT}" x')
    assert render(error(span(accent, "x")), accent).splitlines()[4] == "  |     ^"


def test_an_empty_span_at_the_end_still_has_a_caret() -> None:
    source = Source("t.lola", "output x := a +\n")
    lines = render(error(Span(15, 15), "expected an expression"), source).splitlines()
    assert lines[3:] == ["1 | output x := a +", "  |                ^ expected an expression"]
    assert render(error(Span(16, 16)), source).splitlines()[3:] == ["2 |", "  | ^"]
    assert render(error(Span(0, 0)), Source("t.lola", "")).splitlines()[3:] == ["1 |", "  | ^"]


def test_warnings_and_colour() -> None:
    source = Source("t.lola", "trigger a")
    found = Diagnostic("RTL098", Severity.WARNING, "hm", span(source, "a"), help="think")
    plain, colored = render(found, source), render(found, source, color=True)
    assert plain.startswith("warning[RTL098]: hm\n")
    assert "\x1b" not in plain
    assert colored.startswith("\x1b[1;33mwarning[RTL098]\x1b[0m\x1b[1m: hm\x1b[0m\n")
    assert "\x1b[1;33m^\x1b[0m" in colored


def test_as_data() -> None:
    source = Source("t.lola", "input int a\ntrigger a")
    found = error(
        span(source, "trigger a"), labels=(Label(span(source, "int"), "here"),), help="do"
    )
    assert to_dict(found, source) == {
        "file": "t.lola",
        "line": 2,
        "column": 1,
        "end_line": 2,
        "end_column": 10,
        "code": "RTL099",
        "severity": "error",
        "message": "it is wrong",
        "caption": "",
        "labels": [
            {"line": 1, "column": 7, "end_line": 1, "end_column": 10, "text": "here"},
        ],
        "note": "",
        "help": "do",
    }
    assert json.loads(to_json([found], source)) == [to_dict(found, source)]
    assert json.loads(to_json([], source)) == []


def test_did_you_mean() -> None:
    assert closest("averge", ["avg", "average", "any"]) == "average"
    assert closest("Int", ["int", "string"]) == "int"
    assert closest("x", ["y", "zebra"]) is None
    assert closest("x", []) is None
    assert did_you_mean("ouput", ["input", "output"]) == "did you mean `output`?"
    assert did_you_mean("q", ["output"]) == ""
