"""Every syntax error by its code: where it points, what it says, what it proposes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horae.languages.rtlola.syntax.nesting import DEEPEST
from horae.languages.rtlola.syntax.parse import parse
from horae.source.diagnostic import Diagnostic
from horae.source.render import render
from horae.source.text import Source


def problems(text: str) -> list[Diagnostic]:
    specification, diagnostics = parse(Source("test.lola", text))
    assert specification is None
    return diagnostics


def codes(text: str) -> list[str]:
    return [diagnostic.code for diagnostic in problems(text)]


@pytest.mark.parametrize(
    ("text", "code", "snippet", "message", "help"),
    [
        ("ouput x := 1", "RTL001", "ouput", "expected a declaration", "`output`"),
        ("input int a\nouput x := 1", "RTL001", "ouput", "the name `ouput`", "`output`"),
        ("output x\n extnd: 1Hz\n := 1", "RTL001", "extnd", "expected", "`extend`"),
        ("output x := a +", "RTL001", "", "expected an expression, found the end", ""),
        ("output x := a b", "RTL001", "b", "expected an operator", ""),
        ("output x := a < b < c", "RTL001", "<", "found `<`", "do not chain"),
        ("output x := 1 + if a then b else c", "RTL001", "if", "`if`", "parentheses"),
        ("output x := 1 extend: 1Hz", "RTL001", "extend", "`extend`", "before its definition"),
        ("output input := 1", "RTL001", "input", "the keyword `input`", "another name"),
        ("output x<int a, b> := 1", "RTL001", ">", "found `>`", "`int b` or `b: int`"),
        ("input int a;", "RTL001", ";", "found `;`", "no separator"),
        ("frequency 3", "RTL001", "", "a unit such as `Hz`", ""),
        ("output x := a[]", "RTL001", "]", "expected an offset or a duration", ""),
        ("output x := a.lag(by: 1)", "RTL001", "(", "found `(`", "`a[-1, 0]`"),
        ("output x := a & b", "RTL002", "&", "`&`", "`&&`"),
        ("output x := 'a'", "RTL002", "'a'", "`'`", "double quotes"),
        ('output x := "abc', "RTL003", '"abc', "string", "same line"),
        ("output x := 1 /* abc", "RTL004", "/*", "comment", "`*/`"),
        ("output x := (a + b", "RTL005", "(", "not closed", ""),
        ("output x := a + b)", "RTL005", ")", "closes nothing", ""),
        ("output x := a[1, b)", "RTL005", ")", "`[` is closed by `)`", ""),
        ("output int x\n extend: 1Hz", "RTL006", "x", "`x` has no definition", "`:= expression`"),
        ("output x extend: a extend: b := 1", "RTL007", "extend", "twice", ""),
        ("input integer a", "RTL008", "integer", "no type `integer`", "`int`"),
        ("input real a", "RTL008", "real", "no type `real`", "`double`"),
        ("output x := a[1 hour, 0, avg]", "RTL009", "hour", "no unit", "`h`"),
        ("output x := a[2Hz, 0, avg]", "RTL009", "Hz", "duration", "period"),
        ("output x extend: 2hz := 1", "RTL009", "hz", "no unit", "`Hz`"),
        ("output x := a[-1] + 1", "RTL010", "a[-1]", "no default", "`a[-1, 0]`"),
        ("output x := a[b, 0]", "RTL011", "b", "written out", "`a[-1, 0]`"),
        ("output x := a[-0.5, 0]", "RTL011", "-0.5", "not a whole number", "`-0.5s`"),
        ("output x := a[10, 0, avg]", "RTL011", "10", "needs a duration", "`10s`"),
        ("output x := a[-10s, 0, avg]", "RTL011", "-10s", "not negative", "`10s`"),
        ("output x := a[1s, 0, averag]", "RTL013", "averag", "no aggregation", "`average`"),
        ("output x := a[1s, cuont, 0]", "RTL013", "cuont", "no aggregation", "`count`"),
        ("output x := a[1s, 0, avg, 1]", "RTL013", "1", "three parts", ""),
        ("output x := a[1s, 0, avg(a, b)]", "RTL013", "avg(a, b)", "2 arguments", "`avg`"),
        ("output x := (a + b)[-1, 0]", "RTL014", "a + b", "only a stream", "`output`"),
        ("output x extend: 0Hz := 1", "RTL015", "0Hz", "never tick", ""),
        ('output x := "\\d"', "RTL016", "\\d", "means nothing", "`\\\\d`"),
        ('output x := "\\ud800"', "RTL016", "\\ud800", "means nothing", ""),
        ("output x := 9223372036854775809", "RTL017", "9223372036854775809", "`int`", "double"),
        ("output x := 1e999", "RTL017", "1e999", "`double`", ""),
        ("output x := a[1e9999s, 0]", "RTL017", "1e9999", "`double`", ""),
        (f"output x := a[{'9' * 5000}s, 0]", "RTL017", "9" * 5000, "`double`", ""),
        (f"output x := a[1e{'9' * 5000}s, 0]", "RTL017", f"1e{'9' * 5000}", "`double`", ""),
        ("aggregation f(x: int) -> int { stat: n int = 0 }", "RTL018", "stat", "stat", "`state`"),
        ("output x := if a", "RTL019", "", "expected `then`", "both branches"),
        ("output x := if a then b", "RTL019", "", "expected `else`", "both branches"),
    ],
)
def test_one_mistake_one_message(
    text: str, code: str, snippet: str, message: str, help: str
) -> None:
    (found,) = problems(text)
    assert found.code == code
    assert Source("test", text).snippet(found.span) == snippet
    assert message in found.message
    assert help in found.help


@pytest.mark.parametrize(
    ("text", "snippet", "help"),
    [
        ('if a > 3 then trigger "x"', "if", "`trigger a > 3"),
        ('input int a\nif a > 3 then\n  trigger "x"', "if", "`trigger a > 3"),
        ('trigger if a > 3 "x"', "if", "`trigger a > 3"),
        ('trigger "x" when a > 3', "when", "`trigger a > 3"),
        ("output int b := a where a > 3", "where", "`output int b extend: a > 3 := a`"),
        ("output int b filter a > 3 := a", "filter", "`output int b extend: a > 3 := a`"),
        ("output int b every 10s := a", "every", "extend: 10s"),
        ("output int b := a every 10s", "every", "extend: 10s"),
        ("constant limit: int := 5\ninput int a", "constant", "write the value"),
        ("input int a\nconstant limit: int := 5", "constant", "write the value"),
        ("output int b<int p> spawn: a := a", "spawn", "`invoke: a`"),
        ("output b eval with a", "eval", "`extend: a > 3`"),
        ("output int b<int p> invoke: a close: a = 3 := a", "close", "`terminate: a = 0`"),
        ("output b mirrors a when a > 3", "mirrors", "extend: a > 3"),
        ("output b(p: int) invoke: a := p", "(", "`output int b<int p>"),
        ("trigger(p: int) a > p", "(", "any(t > 3)"),
        ("output b := a.offset(by: -1).defaults(to: 0)", "offset", "`a[-1, 0]`"),
        ("output b := a.hold(or: 0)", "hold", "`a[0, 0]`"),
        ("output b := a.aggregate(over: 5s, using: sum)", "aggregate", "`a[5s, 0, sum]`"),
        ("output b := cast<int>(a)", "cast", "`int(a)`"),
        ("output b := if a then 1 elif c then 2 else 3", "elif", "`else if"),
        ("output b := a ** 2", "*", "`a ^ 2`"),
        ("trigger a -> b", "->", "`not a or b`"),
        ("import math\ninput int a", "import", "leave it out"),
    ],
)
def test_words_of_other_dialects_are_explained(text: str, snippet: str, help: str) -> None:
    found = problems(text)[0]
    assert found.code == "RTL112"
    assert Source("test", text).snippet(found.span) == snippet
    assert help in found.help


def test_words_of_other_dialects_are_names_all_the_same() -> None:
    text = "input int when, every output int constant := when + every[-1, 0]"
    assert parse(Source("test", text))[1] == []
    (found,) = problems("output x := when ]")
    assert found.code != "RTL112"


def test_an_aggregation_without_its_sections() -> None:
    found = problems("aggregation f(x: int) -> int { result: 1 }")
    assert [d.code for d in found] == ["RTL018"] * 3
    assert ["state" in found[0].message, "step" in found[1].message] == [True, True]
    sections = "state: n int = 0; step: n := 1; combine: n := 2; result: n; result: n"
    assert codes(f"aggregation f(x: int) -> int {{ {sections} }}") == ["RTL007"]


def test_deep_expressions_are_refused_and_long_ones_are_not() -> None:
    assert codes("output x := " + "-" * 300 + "a") == ["RTL012"]
    assert codes("output x := " + "abs(" * 190 + "a" + ")" * 190) == ["RTL012"]
    ladder = " ".join(f"if a = {n} then {n} else" for n in range(500))
    long = (" + ".join(["a"] * 5000), " and ".join(["a"] * 5000), f"{ladder} 0")
    for text in (*long, "(" * 300 + "a" + ")" * 300):
        assert parse(Source("test", f"output x := {text}"))[1] == []


def test_the_limit_of_nesting() -> None:
    """The declaration itself is a level."""
    assert parse(Source("test", "output x := " + "-" * (DEEPEST - 2) + "a"))[1] == []
    assert codes("output x := " + "-" * (DEEPEST - 1) + "a") == ["RTL012"]


def test_how_an_error_looks() -> None:
    source = Source("shop.lola", "input int a\noutput x := if a > 1 then a\ntrigger x > 2\n")
    (found,) = problems(source.text)
    assert (
        render(found, source)
        == """\
error[RTL019]: expected `else`, found the next declaration
 --> shop.lola:2:28
  |
2 | output x := if a > 1 then a
  |             --             ^ expected `else`
  |             |
  |             this `if` has no `else`
  |
  = help: write `if condition then value else value`; both branches are needed"""
    )


def test_several_mistakes_in_one_run_in_source_order() -> None:
    text = """\
input integer a
output x := a[-1]
output y := (a
output z := a[10 sek, 0, avg] + a[1s, 0, mean2]
output fine := a
output input := 3
trigger fine > "abc
trigger
"""
    found = problems(text)
    expected = ["RTL008", "RTL010", "RTL005", "RTL009", "RTL013", "RTL001", "RTL003", "RTL001"]
    assert [diagnostic.code for diagnostic in found] == expected
    places = [diagnostic.span.start for diagnostic in found]
    assert places == sorted(places)


_SNIPPETS = st.sampled_from(
    [
        "input",
        "output",
        "trigger",
        "aggregation",
        "int",
        "a",
        "1",
        "2.5",
        "s",
        "Hz",
        ":=",
        "=",
        "extend",
        ":",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<",
        ">",
        ">=",
        ",",
        ";",
        "if",
        "then",
        "else",
        "and",
        "not",
        "-",
        "+",
        ".",
        '"x"',
        '"',
        "/*",
        "*/",
        "//",
        "@",
        "state",
        "avg",
        "->",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=30), st.lists(_SNIPPETS, max_size=15).map("\n".join)))
def test_any_text_gives_a_tree_or_errors(text: str) -> None:
    specification, diagnostics = parse(Source("test", text))
    assert (specification is None) == bool(diagnostics)
    for diagnostic in diagnostics:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
