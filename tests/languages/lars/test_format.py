"""The formatter: it says the same, changes nothing twice, and loses no comment."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies.lars_trees import statements

from horae.languages.lars.syntax import tree
from horae.languages.lars.syntax.format import format_source, format_statement
from horae.languages.lars.syntax.parse import parse
from horae.languages.lars.syntax.tokens import scan
from horae.source.errors import ProgramError
from horae.source.text import Source

_MODERATE = settings(max_examples=100, deadline=None)


def formatted(text: str) -> str:
    return format_source(Source("test.lars", text))


def parsed(text: str) -> tuple[object, ...]:
    program, diagnostics = parse(Source("test.lars", text))
    assert program is not None, (text, diagnostics)
    return tuple(_without_spans(statement) for statement in program.statements)


def _without_spans(statement: tree.Statement) -> object:
    """Queries compare the places of their predicates."""
    if isinstance(statement, tree.Query):
        return [name for name, _ in statement.predicates]
    return statement


# --- laws


@_MODERATE
@given(st.lists(statements, max_size=4))
def test_printed_statements_read_back_as_the_same_trees(found: list[tree.Statement]) -> None:
    text = "\n".join(map(format_statement, found))
    assert parsed(text) == tuple(map(_without_spans, found))
    once = formatted(text)
    assert parsed(once) == parsed(text)
    assert formatted(once) == once


_GAPS = st.sampled_from(("% one\n", "// two\n", "%\n", " ", "  ", "\t"))


@_MODERATE
@given(st.lists(statements, min_size=1, max_size=3), st.data())
def test_comments_anywhere_are_kept_and_change_no_tree(
    found: list[tree.Statement], data: st.DataObject
) -> None:
    lines = [scan(Source("test", format_statement(s))).tokens for s in found]
    tokens = [token for line in lines for token in line]
    gaps = data.draw(st.lists(_GAPS, min_size=len(tokens), max_size=len(tokens)))
    text = "".join(f"{token} {gap}" for token, gap in zip(tokens, gaps, strict=True))
    once = formatted(text)
    assert parsed(once) == parsed(text)
    assert formatted(once) == once
    assert _comments(once) == _comments(text)


def _comments(text: str) -> list[str]:
    return sorted(str(comment).rstrip() for comment in scan(Source("test", text)).comments)


# --- examples


def test_layout() -> None:
    text = """\
rel( L , X )<-line(ID,L)and ⊞ [ 10 ]◇tram(ID,X) .
@T exp(ID,Y) ← WIN[tram(ID,_)BY ID # 1]AT T1 tram(ID,X)∧T==T1+Z, p(Z,Y).
:-¬(a),(b and c)&((d)∨e→f) , X≠(Y×(2÷Z)),⊞₁[0,5,1]□g(X,Y,Z).
p()@[1,1].   q("a", 'b c', 0.50, 2/6, -3)@[ 1, 4 ].


a|b. ?-  rel ,exp.
"""
    assert (
        formatted(text)
        == """\
rel(L,X) :- line(ID,L), win[10] <> tram(ID,X).
@T exp(ID,Y) :- win[tram(ID,_) by ID #1] @T1 tram(ID,X), T = T1 + Z, p(Z,Y).
:- not a, (b and c), d or e -> f, X != Y * (2 / Z), win1[+5] [] g(X,Y,Z).
p@1.
q(a,"b c",0.5,1/3,-3)@[1,4].

a or b.
?- rel, exp.
"""
    )


def test_comments_stay_with_what_they_speak_of() -> None:
    text = """\
% about the file

p(X) :- % behind the head
   q(X), // behind q
   % before r
   (r(X) or s(X))  % behind r
   .


:- % a constraint
   a@1.
a@1. b@2. % behind b
% the end
""".replace("   a@1.\n", "   a.\n")
    assert (
        formatted(text)
        == """\
% about the file

p(X) :-  % behind the head
    q(X),  // behind q
    % before r
    % behind r
    r(X) or s(X).

:-  % a constraint
    a.
a@1.
b@2.  % behind b
% the end
"""
    )


def test_a_long_rule_has_one_conjunct_per_line() -> None:
    name = "a" * 60
    assert formatted(f"p(X) :- {name}(X), {name}(X).") == (
        f"p(X) :-\n    {name}(X),\n    {name}(X).\n"
    )


def test_unnamed_variables_stay_unnamed() -> None:
    text = "p(X) :- q(X,_), @_ r(_,_2), s(_2,_).\n"
    assert formatted(text) == text


def test_durations_stay_durations() -> None:
    text = "p(X) :- win[5 min] <> q(X), win[1 h,90 s,5] <> r(X), win[session N * 1 d] <> s(X,N).\n"
    assert formatted(text.replace("5 min", "5min").replace("90 s", "90S")) == text


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("win[10,0,1]", "win[10]"),
        ("win[0]", "win[0]"),
        ("win[0,5]", "win[+5]"),
        ("win[10,+5]", "win[10,5]"),
        ("win[10,0,2]", "win[10,0,2]"),
        ("win[∞]", "win[inf]"),
        ("win[INF,Infinity]", "win[inf,inf]"),
        ("win[+inf]", "win[+inf]"),
        ("win[# 3 , 0]", "win[#3]"),
        ("win[#0,2]", "win[#+2]"),
        ("win[#+2]", "win[#+2]"),
        ("win[p(X,_)by X,Y#3,2]", "win[p(X,_) by X,Y #3,2]"),
        ("win[p #3]", "win[p #3]"),
        ("win[session(5)]", "win[session 5]"),
        ("win[f (1+N)*2,M]", "win[f (1 + N) * 2, M]"),
        ("⊞1[N*2,M]", "win1[N * 2,M]"),
    ],
)
def test_windows_have_one_spelling(written: str, printed: str) -> None:
    assert formatted(f"a :- {written} b.") == f"a :- {printed} b.\n"


def test_an_empty_source_stays_empty() -> None:
    assert formatted("") == ""
    assert formatted("\n\n . \n") == ""


def test_what_does_not_parse_is_not_formatted() -> None:
    with pytest.raises(ProgramError, match="LRS013"):
        formatted("p :- win[] q.")
