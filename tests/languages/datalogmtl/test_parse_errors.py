"""Every syntax error by its code: where it points, what it says, what it proposes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horae.languages.datalogmtl.syntax.parse import parse
from horae.source.diagnostic import Diagnostic
from horae.source.render import render
from horae.source.text import Source


def problems(text: str) -> list[Diagnostic]:
    program, diagnostics = parse(Source("test.dmtl", text))
    assert program is None
    return diagnostics


@pytest.mark.parametrize(
    ("text", "code", "snippet", "message", "help"),
    [
        (":- q(X)", "DMT001", ":-", "expected a statement, found `:-`", ""),
        ("and(X) :- p(X)", "DMT001", "and", "the keyword `and`", "another name"),
        ("p :- .", "DMT001", "", "expected a formula, found `.`", ""),
        ("p :- a,", "DMT001", "", "found the end of the file", ""),
        ("p(a,)", "DMT001", ")", "expected a variable or a constant", ""),
        ("p@", "DMT001", "", "expected a time or an interval", ""),
        ("p@inf", "DMT001", "inf", "expected a time or an interval", ""),
        ("p :- Boxminus[1,2,3] q", "DMT001", ",", "expected `]` or `)`", ""),
        ("p :- Boxminus(q(X))", "DMT001", "q", "expected a number", "opens its interval"),
        ("p :- Boxmines[0,5] q", "DMT001", "Boxmines", "an operator", "`Boxminus`"),
        ("p :- a Sinc[0,1] b", "DMT001", "Sinc", "an operator", "`Since`"),
        ("p :- q[0,5]", "DMT001", "[", "found `[`", "behind an operator or `@`"),
        ("p :- a Since[0,1] b S[0,1] c", "DMT001", "S", "does not chain", "parentheses"),
        ("p :- a,\nr :- s", "DMT001", ":-", "found `:-`", "line 1 ends with `,`"),
        ("p :- a :- b", "DMT001", ":-", "found `:-`", "one `:-`"),
        ("p :- ◇[0,1] q", "DMT002", "◇", "`◇`", "`◇⁻`"),
        ("p :- !q", "DMT002", "!", "`!`", "`not`"),
        ("p :- X = Y", "DMT002", "=", "`=`", "no comparison"),
        ('p("abc)', "DMT003", '"abc)', "not closed", "same line"),
        ("p('abc)", "DMT003", "'abc)", "not closed", "`'`"),
        ('p("\\d")', "DMT004", "\\d", "means nothing", "`\\\\d`"),
        ("p(X :- q(X)", "DMT005", "(", "not closed", ""),
        ("p :- Boxminus[0,5 q", "DMT005", "[", "not closed", ""),
        ("p :- q)", "DMT005", ")", "closes nothing", ""),
        ("p :- q(X]", "DMT005", "]", "`(` is closed by `]`", ""),
        ("p(1/0)", "DMT006", "1/0", "divides by zero", ""),
        ("p@1e999", "DMT006", "1e999", "digits", ""),
        ("p :- Boxminus q", "DMT007", "Boxminus", "no interval", "`Boxminus[0,inf)`"),
        ("p :- a S b", "DMT007", "S", "no interval", "`S[0,5]`"),
        ("p@(2)", "DMT008", "(2)", "no interval", "`[2]`"),
        ("p@[inf,3]", "DMT008", "inf", "starts with `inf`", "`[0,inf)`"),
        ("p@(3,-inf)", "DMT008", "-inf", "ends with `-inf`", "`[0,inf)`"),
        ("Diamondminus[0,1] p :- q", "DMT009", "Diamondminus[0,1] p", "head", "`Boxplus[a,b]`"),
        ("Boxplus[1] ◇⁺[1] p :- q", "DMT009", "◇⁺[1] p", "`Diamondplus`", "`Boxplus[a,b]`"),
        ("a Since[0,1] b :- q", "DMT009", "a Since[0,1] b", "`Since`", "`Boxplus[a,b]`"),
        ("not p :- q", "DMT010", "not p", "cannot be negated", ""),
        ("p, r :- q", "DMT010", "r", "one head", "same body"),
        ("p(X)", "DMT011", "X", "`X` is one", '`"X"`'),
        ("p(_)@3", "DMT011", "_", "`_` is one", "is a rule"),
        ("Boxplus[0,1] p(a)", "DMT013", "Boxplus[0,1] p(a)", "without `Boxplus`", "`p(a)@[1,5]`"),
        ("not p(a)", "DMT013", "not p(a)", "without `not`", "`p(a)@[1,5]`"),
        ("p(a), q(b)", "DMT013", "q(b)", "a conjunction", ""),
        ("p :- Boxminus[0,1] not q", "DMT014", "not", "whole literal", "`not Diamondminus[a,b] f`"),
        ("p :- (not q)", "DMT014", "not", "whole literal", "predicate of its own"),
        ("p :- not not q", "DMT014", "not", "whole literal", ""),
        ("p :- Boxminus[0,1] (q, r)", "DMT015", ",", "one formula", "predicate of its own"),
        ("p(,X) :- q(X)", "DMT001", ",", "a variable or a constant", ""),
        ("?- p(X)", "DMT016", "p(X)", "predicates only", "`?- p.`"),
        ("?- not p", "DMT016", "not p", "predicates only", "`?- p.`"),
        ("p@3 :- q", "DMT018", "@", "only facts", "Diamondminus"),
        ("p :- q@3", "DMT018", "@", "only facts", "Diamondminus"),
        ("p :- q r", "DMT019", "r", "expected `.` or the end of the line", "a dot"),
        ("p(a) q(b)", "DMT019", "q", "the name `q`", "a dot"),
    ],
)
def test_one_mistake_one_message(
    text: str, code: str, snippet: str, message: str, help: str
) -> None:
    (found,) = problems(text)
    assert found.is_error
    assert found.code == code
    assert Source("", text).snippet(found.span) == snippet
    assert message in found.message
    assert help in found.help


def test_too_deep() -> None:
    (found,) = problems("p :- " + "Boxminus[0,1] " * 300 + "q")
    assert found.code == "DMT012"


def test_all_errors_of_a_file_are_found() -> None:
    text = "p(X :- q(X)\nok :- a\np :- Boxminus q.  ?- p(X). r(Y)\np :- q #\ns :- a b"
    codes = ["DMT005", "DMT007", "DMT016", "DMT011", "DMT002", "DMT019"]
    assert [d.code for d in problems(text)] == codes


def test_a_bracket_that_is_never_closed_does_not_swallow_the_next_lines() -> None:
    text = "p(a@3\nq(b)@4\nBoxplus[0,1 p :- q\nr :- (a\ns :- Boxminus q"
    assert [d.code for d in problems(text)] == ["DMT005", "DMT005", "DMT005", "DMT007"]


_PIECES = st.sampled_from(
    (
        *("p", "(", ")", "[", "]", ",", ".", ":-", "?-", "@", "X", "3", "1/0", "inf", "not"),
        *("Boxminus", "S", "Since", "∧", "◇⁻", '"a', "'b'", "%c\n", "\n", " ", "◇", "\x00"),
    )
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_PIECES, max_size=15).map("".join))
def test_any_text_gives_a_tree_or_errors_that_can_be_shown(text: str) -> None:
    source = Source("test.dmtl", text)
    program, diagnostics = parse(source)
    assert (program is None) == bool(diagnostics)
    for diagnostic in diagnostics:
        assert render(diagnostic, source)
