"""The formatter: it says the same, changes nothing twice, and loses no comment."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies.rtlola_trees import declarations, expressions

from horae.languages.rtlola.syntax import tree
from horae.languages.rtlola.syntax.format import (
    format_declaration,
    format_expression,
    format_source,
)
from horae.languages.rtlola.syntax.parse import parse
from horae.languages.rtlola.syntax.tokens import scan
from horae.source.errors import ProgramError
from horae.source.text import Source

_MODERATE = settings(max_examples=60, deadline=None)


def formatted(text: str) -> str:
    return format_source(Source("test.lola", text))


def parsed(text: str) -> tree.Specification:
    specification, diagnostics = parse(Source("test.lola", text))
    assert specification is not None, (text, diagnostics)
    return specification


def expression_of(text: str) -> tree.Expression:
    (declaration,) = parsed(f"output x := {text}").declarations
    assert isinstance(declaration, tree.Output)
    return declaration.expression


# --- laws


@_MODERATE
@given(expressions)
def test_a_printed_expression_reads_back_as_the_same_tree(expression: tree.Expression) -> None:
    assert expression_of(format_expression(expression)) == expression


@_MODERATE
@given(st.lists(declarations, max_size=4))
def test_printed_declarations_read_back_as_the_same_trees(found: list[tree.Declaration]) -> None:
    text = "\n".join(map(format_declaration, found))
    assert parsed(text).declarations == tuple(found)


_COMMENTS = st.sampled_from(("// one\n", "/* two */", "/* three\n  lines */", "//\n", "\n\n", "\n"))


@_MODERATE
@given(st.lists(declarations, min_size=1, max_size=3), st.data())
def test_comments_anywhere_are_kept_and_change_no_tree(
    found: list[tree.Declaration], data: st.DataObject
) -> None:
    tokens = scan(Source("test", "\n".join(map(format_declaration, found)))).tokens
    count = len(tokens) + 1
    gap = st.one_of(st.just(" "), _COMMENTS)
    gaps = data.draw(st.lists(gap, min_size=count, max_size=count))
    text = gaps[0] + "".join(f"{t} {gap}" for t, gap in zip(tokens, gaps[1:], strict=True))
    once = formatted(text)
    assert parsed(once) == parsed(text)
    assert formatted(once) == once
    assert _comments(once) == _comments(text)


def _comments(text: str) -> list[str]:
    return sorted(str(comment).rstrip() for comment in scan(Source("test", text)).comments)


# --- examples


def test_layout() -> None:
    text = """\
frequency   0.1 Hz
input a:int,b : int
input c: int, d: bool


output int view_freq <id :int >
  terminate: sold_out==id
  invoke: (viewed)
  extend: viewed = id
  = num_of_views [ 120 m,count,0 ]
output double diff = abs( a - b[ +1 ,0] )
trigger any(a>1)&&not(b),  ¬c "say \\"hi\\""
aggregation f(double x)->float{result:n;state:int n=0;step:n=n+1;combine:n:=left.n+right.n}
"""
    assert (
        formatted(text)
        == """\
frequency 0.1Hz
input int a, b
input c: int, d: bool

output int view_freq<int id>
    invoke: viewed
    extend: viewed = id
    terminate: sold_out = id
    := num_of_views[120m, 0, count]
output double diff := abs(a - b[1, 0])
trigger any(a > 1) and not b, not c "say \\"hi\\""
aggregation f(x: double) -> double {
    state: n int = 0;
    step: n := n + 1;
    combine: n := left.n + right.n;
    result: n
}
"""
    )


def test_comments_stay_with_what_they_speak_of() -> None:
    text = """\
// about the file

/* about a */ input int a  // behind a
output int x // behind the head
    // before the definition
    := a + // inside
       1   // behind the definition


// the end
"""
    assert (
        formatted(text)
        == """\
// about the file

/* about a */
input int a  // behind a
output int x  // behind the head
    // before the definition
    // inside
    := a + 1  // behind the definition

// the end
"""
    )


def test_clauses_take_their_comments_along() -> None:
    text = """\
output x
    // when
    extend: 1Hz  // often
    // who
    invoke: a
    := 1
"""
    assert (
        formatted(text)
        == """\
output x
    // who
    invoke: a
    // when
    extend: 1Hz  // often
    := 1
"""
    )


def test_a_long_definition_goes_on_a_line_of_its_own() -> None:
    name = "a" * 60
    assert formatted(f"output {name} := {name}") == f"output {name}\n    := {name}\n"


@pytest.mark.parametrize(
    "text",
    [
        "a + b * c",
        "(a + b) * c",
        "a - (b - c)",
        "a - b - c",
        "a ^ b ^ c",
        "(a ^ b) ^ c",
        "-a ^ b",
        "-(a ^ b)",
        "--a",
        "not a = b",
        "not (a and b)",
        "(not a) = b",
        "a or b and c",
        "(a or b) and c",
        "(a = b) = c",
        "(if a then b else c) + 1",
        "if a then b else c + 1",
        "if if a then b else c then d else e",
        "1e300",
        "5e-324",
        "0.1",
        '"tab\\t quote\\" back\\\\ bell\\u0007"',
    ],
)
def test_parentheses_and_constants_are_minimal(text: str) -> None:
    assert format_expression(expression_of(text)) == text
    assert format_expression(expression_of(f"(({text}))")) == text


def test_an_empty_source_stays_empty() -> None:
    assert formatted("") == ""
    assert formatted("\n\n  \n") == ""


def test_what_does_not_parse_is_not_formatted() -> None:
    with pytest.raises(ProgramError, match="RTL006"):
        formatted("output x")
