"""The formatter: it says the same, changes nothing twice, and loses no comment."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies.datalogmtl_trees import statements

from horae.data.fact_lines.parse import scan_statements
from horae.languages.datalogmtl.syntax import tree
from horae.languages.datalogmtl.syntax.format import format_source, format_statement
from horae.languages.datalogmtl.syntax.parse import parse
from horae.source.errors import ProgramError
from horae.source.text import Source

_MODERATE = settings(max_examples=50, deadline=None)


def formatted(text: str) -> str:
    return format_source(Source("test.dmtl", text))


def parsed(text: str) -> tuple[object, ...]:
    program, diagnostics = parse(Source("test.dmtl", text))
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
    assert parsed(formatted(text)) == parsed(text)


_GAPS = st.sampled_from(("% one\n", "// two\n", "%\n", " ", "  ", "\t"))


@_MODERATE
@given(st.lists(statements, min_size=1, max_size=3), st.data())
def test_comments_anywhere_are_kept_and_change_no_tree(
    found: list[tree.Statement], data: st.DataObject
) -> None:
    lines = [scan_statements(Source("test", format_statement(s))).tokens for s in found]
    tokens = [token for line in lines for token in line]
    gaps = data.draw(st.lists(_GAPS, min_size=len(tokens), max_size=len(tokens)))
    text = "".join(f"{token} {gap}" for token, gap in zip(tokens, gaps, strict=True))
    once = formatted(text)
    assert parsed(once) == parsed(text)
    assert formatted(once) == once
    assert _comments(once) == _comments(text)


def _comments(text: str) -> list[str]:
    return sorted(
        str(comment).rstrip() for comment in scan_statements(Source("test", text)).comments
    )


# --- examples


def test_layout() -> None:
    text = """\
flags( X , Z )<-node(X)and monitors(X,Z)∧⊟ [0,5]◇⁻[0 , 2.0]signal(Z)
BOXPLUS[0,10]monitors(X,Z):-connected(X,Y),flags(Y,Z)
calm(Z) :- seen(Z), ¬ (noisy(Z))   . p()@[1,1]. q("a", 'b c', 0.50, 2/6)@[-1/2, ∞)


ok(X) ← (up(X)) S[2,2] (a(X) U(0,1] b(X))
?-  flags ,ok
"""
    assert (
        formatted(text)
        == """\
flags(X,Z) :- node(X), monitors(X,Z), Boxminus[0,5] Diamondminus[0,2] signal(Z).
Boxplus[0,10] monitors(X,Z) :- connected(X,Y), flags(Y,Z).
calm(Z) :- seen(Z), not noisy(Z).
p@1.
q(a,"b c",0.5,1/3)@[-0.5,inf).

ok(X) :- up(X) Since[2] (a(X) Until(0,1] b(X)).
?- flags, ok.
"""
    )


def test_comments_stay_with_what_they_speak_of() -> None:
    text = """\
% about the file

p(X) :- % behind the head
   q(X), // behind q
   % before r
   r(X)  % behind r


a@1. b@2 % behind b
% the end
"""
    assert (
        formatted(text)
        == """\
% about the file

p(X) :-  % behind the head
    q(X),  // behind q
    % before r
    r(X).  % behind r

a@1.
b@2.  % behind b
% the end
"""
    )


def test_a_long_rule_has_one_literal_per_line() -> None:
    name = "a" * 60
    assert formatted(f"p(X) :- {name}(X), {name}(X)") == (
        f"p(X) :-\n    {name}(X),\n    {name}(X).\n"
    )


def test_unnamed_variables_stay_unnamed() -> None:
    text = "p(X) :- q(X,_), r(_,_2), s(_2,_).\n"
    assert formatted(text) == text


def test_an_empty_source_stays_empty() -> None:
    assert formatted("") == ""
    assert formatted("\n\n . \n") == ""


def test_what_does_not_parse_is_not_formatted() -> None:
    with pytest.raises(ProgramError, match="DMT007"):
        formatted("p :- Boxminus q")


def test_dates_stay_dates() -> None:
    text = "p(a)@2026-11-16T09:53:30.\nq@[2026-11-16,2026-11-17T08:00:00Z).\n"
    assert formatted(text.replace(",", " , ")) == text


def test_words_of_meteor_become_ours() -> None:
    assert formatted("A(X): -ALWAYS[-10,0]B(X)") == "A(X) :- Boxminus[0,10] B(X).\n"
