"""Every syntax error by its code: where it points, what it says, what it proposes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horae.languages.lars.check.check import load
from horae.languages.lars.syntax.parse import parse
from horae.source.diagnostic import Diagnostic
from horae.source.render import render
from horae.source.text import Source


def problems(text: str) -> list[Diagnostic]:
    program, diagnostics = parse(Source("test.lars", text))
    assert program is None
    return diagnostics


@pytest.mark.parametrize(
    ("text", "code", "snippet", "message", "help"),
    [
        ("p :- .", "LRS001", "", "expected a formula, found `.`", ""),
        (":- .", "LRS001", "", "expected a formula, found `.`", ""),
        ("p :- a,", "LRS001", "", "found the end of the file", ""),
        ("and(X) :- p(X).", "LRS001", "and", "the keyword `and`", "another name"),
        ("p(a,).", "LRS001", ")", "expected a variable or a constant", ""),
        ("p :- X = .", "LRS001", "", "expected a value", ""),
        ("p(X) q(X).", "LRS001", "q", "expected `:-` or `.`", "`head :- body.`"),
        ("p(X) :- diamond q(X).", "LRS001", "diamond", "an operator", "`<>`"),
        ("p(X) :- Box q(X).", "LRS001", "Box", "an operator", "`[]`"),
        ("p(X) :- alway q(X).", "LRS001", "alway", "an operator", "`always`"),
        ("p(X) :- wim[10] q(X).", "LRS001", "wim", "an operator", "`win`"),
        ("p(X) :- window[10] q(X).", "LRS001", "window", "an operator", "`win`"),
        ("p(X) :- a(X) adn q(X).", "LRS001", "adn", "an operator", "`and`"),
        ("p :- q[5].", "LRS001", "[", "found `[`", "behind `win`"),
        ("p :- win[10,5,2,1] q.", "LRS001", ",", "expected `]`", ""),
        ("p :- win[+5,2] q.", "LRS001", ",", "expected `]`", ""),
        ("p :- win[#] q.", "LRS001", "]", "expected a value", ""),
        ("p :- win[q(X) by #3] q(_).", "LRS001", "#", "expected a variable", ""),
        ("p :- win[q(X) by a #3] q(_).", "LRS001", "a", "expected a variable", ""),
        ("p :- win[10].", "LRS001", "", "expected a formula", ""),
        ("p :- @T.", "LRS001", "", "expected a formula", ""),
        ("p :- a,\nr :- s.", "LRS001", ":-", "found `:-`", "line 1 ends with `,`"),
        ("p :- a :- b.", "LRS001", ":-", "found `:-`", "one `:-`"),
        ("p(X) :- q(X), X<-1.", "LRS001", "<-", "found `<-`", "`X < -1`"),
        ("# p.", "LRS001", "#", "expected a statement", "`%`"),
        ("p :- X =< 3.", "LRS001", "<", "expected a value", ""),
        ("p :- a; b.", "LRS002", ";", "`;`", "`or`"),
        ("p := a.", "LRS002", ":", "`:`", "`head :- body.`"),
        ("p :- !q.", "LRS002", "!", "`!`", "`not`"),
        ('p("abc).', "LRS003", '"abc).', "not closed", "same line"),
        ('p("\\d").', "LRS004", "\\d", "means nothing", "`\\\\d`"),
        ("p(X :- q(X).", "LRS005", "(", "not closed", ""),
        ("p :- win[10 <> q(X).", "LRS005", "[", "not closed", ""),
        ("p :- q).", "LRS005", ")", "closes nothing", ""),
        ("p :- q(X].", "LRS005", "]", "`(` is closed by `]`", ""),
        ("p(1/0).", "LRS006", "0", "divides by zero", ""),
        ("p(1e999).", "LRS006", "1e999", "digits", ""),
        ("p :- q", "LRS007", "", "has no dot", "ends with a dot"),
        ("p :- q r.", "LRS007", "", "expected `.`, found the name `r`", "a comma"),
        ("p :- q\nr :- s.", "LRS007", "", "expected `.`", "ends with a dot"),
        ("p(a)\n?- p.", "LRS007", "", "expected `.`", "ends with a dot"),
        ("p :- q\nnot r :- s.", "LRS007", "", "found the keyword `not`", "ends with a dot"),
        ("p(X+1) :- q(X).", "LRS008", "+", "arguments of an atom", "`Y = X + 1`"),
        ("p :- q(X), r(2*X).", "LRS008", "*", "arguments of an atom", "`Y = X + 1`"),
        ("p(1/X) :- q(X).", "LRS008", "/", "arguments of an atom", "`Y = X + 1`"),
        ("p(-X) :- q(X).", "LRS008", "-", "arguments of an atom", "`Y = X + 1`"),
        ("@T+1 p :- @T q.", "LRS008", "+", "the time of `@`", "`Y = X + 1`"),
        ("@T-1 p :- @T q.", "LRS008", "-", "the time of `@`", "`Y = X + 1`"),
        ("@(T+1) p :- @T q.", "LRS008", "(", "the time of `@`", "`Y = X + 1`"),
        ("p :- q(f(X)).", "LRS008", "f", "`f(…)` cannot be an argument", "no function terms"),
        ("P(X) :- q(X).", "LRS009", "P", "`P` is a variable", "`p`"),
        ("p(X) :- q(X), 1 < X < 5.", "LRS010", "<", "do not chain", "`1 < X, X < 5`"),
        ("p(X) :- q(X,Y), X <> Y.", "LRS010", "<>", "before a formula", "`!=`"),
        ("p :- X.", "LRS011", "X", "the variable `X` is a value", "compare it"),
        ("p :- q, X + 1.", "LRS011", "X + 1", "is a value", "compare it"),
        ("p :- not 3.", "LRS011", "3", "is a value", "compare it"),
        ("p :- q(a) = 3.", "LRS011", "q(a)", "is a formula", "bind a variable"),
        ("p :- X = (a, b).", "LRS011", "(a, b)", "is a formula", "bind a variable"),
        ("p, q :- r.", "LRS012", "q", "one head", "`and` or `or`"),
        ("p, q.", "LRS012", "q", "one head", "`and` or `or`"),
        ("p :- win[] q.", "LRS013", "win[]", "which window", "`win[inf]`"),
        ("p :- ⊞ q.", "LRS013", "⊞", "no size", "`⊞[10]`"),
        ("p :- win[1e-10 s] q.", "LRS014", "1e-10 s", "no whole number of nanoseconds", "round"),
        ("p :- win[0.0000005ms] q.", "LRS014", "0.0000005ms", "of nanoseconds", "round"),
        ("p :- win[#5 min] q.", "LRS014", "5 min", "counts atoms", "without `#`"),
        ("p :- q(X)@T.", "LRS015", "@", "before the formula", "`@T p(X)`"),
        ("p(X)@T :- q(X).", "LRS015", "@", "before the formula", "`@T p(X)`"),
        ("p :- win[5] (q@3).", "LRS015", "@", "before the formula", "`@T p(X)`"),
        ("(a or b)@3.", "LRS016", "a or b", "only an atom", "`@3 (a or b).`"),
        ("p(X)@3.", "LRS016", "X", "`X` is one", '`"X"`'),
        ("p(_)@3.", "LRS016", "_", "`_` is one", "a rule"),
        ("?- p(X).", "LRS017", "p(X)", "predicates only", "`?- p.`"),
        ("?- not p.", "LRS017", "not p", "predicates only", "`?- p.`"),
        ("p(a)@-3.", "LRS019", "-3", "cannot be at `-3`", "`p(a)@3.`"),
        ("p(a)@1/2.", "LRS019", "1/2", "cannot be at `0.5`", "`p(a)@3.`"),
        ("p(a)@T.", "LRS019", "T", "cannot be at `T`", "`p(a)@3.`"),
        ("p(a)@noon.", "LRS019", "noon", "cannot be at `noon`", "`p(a)@3.`"),
        ("p(a)@[1,inf].", "LRS019", "inf", "without end", "no `@`"),
        ("p(a)@[inf].", "LRS019", "inf", "without end", "no `@`"),
        ("p(a)@[-inf,3].", "LRS019", "-inf", "without end", "no `@`"),
        ("p(a)@[5,3].", "LRS019", "[5,3]", "is empty", "`[3,5]`"),
        ("p :- #count{X : q(X)} > 3.", "LRS102", "#count", "no `count` of atoms", "COUNT"),
        ("p(N) :- N = sum {X : q(X)}.", "LRS102", "sum ", "no `sum` of atoms", "CQL"),
        ("p(X) :- q(X), X % 2 = 0.", "LRS103", "%", "starts a comment", "no remainder"),
        ("p(X) :- q(X), 0 = X % 2.", "LRS103", "%", "starts a comment", "no remainder"),
        ("p(X) :- q(X), Y = X % N, r(Y).\ns :- r.", "LRS103", "%", "starts a comment", "remainder"),
        ("p(X) :- q(X), Y = X // 2, r(Y).", "LRS103", "//", "starts a comment", "`/`"),
        ("p(X) :- q(X), X mod 2 = 0.", "LRS103", "mod", "no operator `mod`", "no remainder"),
        ("p :- q(X), r % 2 of them", "LRS007", "", "has no dot", "ends with a dot"),
        ("#show p/1.", "LRS001", "#", "expected a statement", "`?- p, q.`"),
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
    (found,) = problems("p :- " + "not " * 300 + "q.")
    assert found.code == "LRS018"
    (found,) = problems("p :- " + "(" * 300 + "q" + ")" * 300 + ".")
    assert found.code == "LRS018"


def test_all_errors_of_a_file_are_found() -> None:
    text = "p(X :- q(X). ok :- a.\np :- win[] q.  ?- p(X). r(Y)@3.\ns :- a\nt :- b(X+1)"
    codes = ["LRS005", "LRS013", "LRS017", "LRS016", "LRS007", "LRS008"]
    assert [d.code for d in problems(text)] == codes


def test_many_lines_without_a_dot() -> None:
    found = problems("p :- q\n" * 300)
    assert {d.code for d in found} == {"LRS007"}
    assert len(found) == 300


_PIECES = st.sampled_from(
    (
        *("p", "(", ")", "[", "]", ",", ".", ":-", "?-", "@", "X", "3", "/0", "inf", "not", "or"),
        *("win", "[", "#", "by", "at", "min", "<>", "[]", "∧", "->", "=", "+", "-", '"a', "'b'"),
        *("%c\n", "\n", " ", "◇", "\x00", "_", "T", "<-", "⊞1", "p(", "win[", "win[p(X) by X #"),
    )
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_PIECES, max_size=15).map("".join))
def test_any_text_gives_a_tree_or_errors_that_can_be_shown(text: str) -> None:
    source = Source("test.lars", text)
    tree, errors = parse(source)
    assert (tree is None) == bool(errors)
    program, diagnostics = load(source)
    assert (program is None) == any(d.is_error for d in diagnostics)
    for diagnostic in diagnostics:
        assert render(diagnostic, source)
