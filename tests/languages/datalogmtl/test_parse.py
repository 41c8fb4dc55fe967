"""The parser: every spelling of the language reference."""

from __future__ import annotations

from fractions import Fraction

import pytest

from horae.data.constants import Value
from horae.data.intervals import ALWAYS, Interval, point
from horae.languages.datalogmtl.syntax import tree
from horae.languages.datalogmtl.syntax.format import format_statement
from horae.languages.datalogmtl.syntax.parse import parse
from horae.languages.datalogmtl.syntax.tree import BinaryOperator, Operator
from horae.rules.terms import Atom, Constant, Variable
from horae.source.text import Source, Span

HERE = Span(0, 0)


def statements(text: str) -> tuple[tree.Statement, ...]:
    program, diagnostics = parse(Source("test.dmtl", text))
    assert program is not None, diagnostics
    assert diagnostics == []
    return program.statements


def rule(text: str) -> tree.Rule:
    (statement,) = statements(text)
    assert isinstance(statement, tree.Rule)
    return statement


def fact(text: str) -> tree.Fact:
    (statement,) = statements(text)
    assert isinstance(statement, tree.Fact)
    return statement


def formula(text: str) -> tree.Formula:
    return rule(f"head :- {text}").body[0].formula


def printed(text: str) -> list[str]:
    return [format_statement(statement) for statement in statements(text)]


def atom(predicate: str, *arguments: str | int | Fraction) -> Atom:
    return Atom(predicate, tuple(_term(a) for a in arguments), span=HERE)


def _term(value: Value) -> Variable | Constant:
    if isinstance(value, str) and (value[0].isupper() or value[0] == "_"):
        return Variable(value, span=HERE)
    return Constant(value, span=HERE)


# --- whole programs

PAPER = """\
flags(X,Z) :- node(X), monitors(X,Z), Boxminus[0,5] Diamondminus[0,2] signal(Z).
Boxplus[0,10] monitors(X,Z) :- connected(X,Y), flags(Y,Z).
"""


def test_example_1_of_the_paper() -> None:
    flags, monitors = statements(PAPER)
    five, two, ten = (Interval(Fraction(0), Fraction(n)) for n in (5, 2, 10))
    signal = tree.Modal(Operator.DIAMOND_MINUS, two, atom("signal", "Z"), span=HERE)
    often = tree.Modal(Operator.BOX_MINUS, five, signal, span=HERE)
    body: list[tree.Formula] = [atom("node", "X"), atom("monitors", "X", "Z"), often]
    assert flags == tree.Rule(
        tree.Head((), atom("flags", "X", "Z"), span=HERE),
        tuple(tree.Literal(f, negated=False, span=HERE) for f in body),
        span=HERE,
    )
    assert isinstance(monitors, tree.Rule)
    assert monitors.head.boxes == ((Operator.BOX_PLUS, ten),)
    assert monitors.head.atom == atom("monitors", "X", "Z")


SHORT_STOP = """\
    NotPos(V) :- NotOnMap(V)
    ShortStop(V) :- NotPos(V), Boxminus[1,1] Pos(V), Boxminus[2,2] NotPos(V)
    ShortStop(V) :- NotPos(V), Boxminus[1,1] Pos(V), Boxminus[2,2] Pos(V), Boxminus[3,3] NotPos(V)
    ShortStop(V) :- NotPos(V), Boxminus[1,1] Pos(V), Boxminus[2,2] Pos(V), Boxminus[3,3] Pos(V), Boxminus[4,4] NotPos(V)
    ShortStop(V) :- NotPos(V), Boxminus[1,1] Pos(V), Boxminus[2,2] Pos(V), Boxminus[3,3] Pos(V), Boxminus[4,4] Pos(V), Boxminus[5,5] NotPos(V)
"""  # noqa: E501


def test_a_program_of_meteor_one_rule_per_line_without_dots() -> None:
    rules = statements(SHORT_STOP)
    assert len(rules) == 5
    assert [len(r.body) for r in rules if isinstance(r, tree.Rule)] == [1, 3, 4, 5, 6]


def test_both_spellings_mean_the_same() -> None:
    ascii_text = (
        "p(X) :- Boxminus[0,1] Diamondminus[0,inf) q(X), not Boxplus(0,1) Diamondplus[2] r(X)"
    )
    signs = "p(X) ← ⊟[0,1] ◇⁻[0,∞) q(X) ∧ ¬ ⊞(0,1) ◇⁺[2] r(X)"
    words = (
        "p(X) <- BOXMINUS[0,1] diamondMinus[0,Inf) q(X) AND NOT boxplus(0,1) DIAMONDPLUS[2,2] r(X)"
    )
    assert statements(signs) == statements(words) == statements(ascii_text)


# --- where statements end


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("...", 0),
        ("a. b. c", 3),
        ("a@1.b@2.c@1.5.", 3),
        ("a\nb\nc", 3),
        ("p :- a,\n b,\n c\nq", 2),
        ("p :-\n a\nq", 2),
        ("p\n :- a\n , b\n and c\nq", 2),
        ("p :- a Since[0,1]\n b\nq", 2),
        ("p :- a\n Since[0,1] b\nq", 2),
        ("p :- a\n S[0,1] b\nq", 2),
        ("p :- a\nS(x)\nU(y)@3", 3),
        ("p :- Boxminus\n[0,\n1]\n a(X,\n Y)\nq", 2),
        ("p :- Boxminus(0,1)\n a\nq", 2),
        ("p :- (a\n Since[0,1] b)\nq", 2),
        ("a\n@3\nb", 2),
        ("p :- a % not b,\nq", 2),
        ("p :- a, % and\n b\nq", 2),
        ("p(a).% dot\n// nothing\nq", 2),
        ("?- p\n?- q", 2),
        ("\ufeffp\r\nq\r\n", 2),
    ],
)
def test_statements_end_with_a_dot_or_with_their_line(text: str, count: int) -> None:
    assert len(statements(text)) == count


# --- formulas


def test_nested_everything() -> None:
    text = (
        "Boxplus[0,1] Boxminus(1/2,3] p(X,_1) :- "
        "not Boxminus[0,5] (Diamondminus[0,2) a(X) Since(0,1/3] (b(X) Until[1] c)), "
        "Diamondplus[0,inf) Boxplus[0.5,1] d(X)."
    )
    (found,) = printed(text)
    assert " ".join(found.split()) == text.replace("1/2", "0.5")


def test_since_and_until_bind_loosest() -> None:
    found = formula("Boxminus[0,1] a Since[0,2] Boxplus[0,3] b")
    assert isinstance(found, tree.Binary)
    assert found.operator is BinaryOperator.SINCE
    assert isinstance(found.left, tree.Modal)
    assert isinstance(found.right, tree.Modal)


def test_not_negates_the_whole_literal() -> None:
    (literal,) = rule("p :- not a Since[0,1] b").body
    assert literal.negated
    assert isinstance(literal.formula, tree.Binary)


def test_a_name_means_what_its_place_says() -> None:
    found = formula("S(S,U,s) S(0,1) U(inf,not)")
    assert found == tree.Binary(
        BinaryOperator.SINCE,
        Interval(Fraction(0), Fraction(1), True, True),
        atom("S", "S", "U", "s"),
        atom("U", "inf", "not"),
        span=HERE,
    )


def test_predicates_without_arguments_and_with_colons() -> None:
    assert formula("p") == formula("p()") == atom("p")
    assert rule("ex:P(X):-ex:q:r(X)").head.atom == atom("ex:P", "X")


def test_every_underscore_is_a_variable_of_its_own() -> None:
    found = rule("p(X) :- q(X,_,_1,_)")
    assert found.body[0].formula == atom("q", "X", "_2", "_1", "_3")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n1", "n1"),
        ('"n1"', "n1"),
        ("'n1'", "n1"),
        ("ex:n1", "ex:n1"),
        ('"Two \\"words\\"\\n"', 'Two "words"\n'),
        ("'it\\'s \\\\'", "it's \\"),
        ("7", 7),
        ("-7", -7),
        ("7.0", 7),
        ("2.5", Fraction(5, 2)),
        ("1e3", 1000),
        ("10/4", Fraction(5, 2)),
        ("−1/3", Fraction(-1, 3)),
    ],
)
def test_constants(text: str, value: Value) -> None:
    found = fact(f"p({text})").atom.arguments[0]
    assert isinstance(found, Constant)
    assert found.value == value
    assert type(found.value) is type(value)


# --- intervals


@pytest.mark.parametrize(
    ("text", "interval"),
    [
        ("[0,5]", Interval(Fraction(0), Fraction(5))),
        ("(0,1/3]", Interval(Fraction(0), Fraction(1, 3), low_open=True)),
        ("[0.5,inf)", Interval(Fraction(1, 2), None)),
        ("[0.5,inf]", Interval(Fraction(1, 2), None)),
        ("[0,+∞)", Interval(Fraction(0), None)),
        ("[2]", point(Fraction(2))),
        ("[ 1 / 3 , 2 )", Interval(Fraction(1, 3), Fraction(2), high_open=True)),
    ],
)
def test_intervals(text: str, interval: Interval) -> None:
    found = formula(f"Boxminus{text} p")
    assert isinstance(found, tree.Modal)
    assert found.interval == interval


@pytest.mark.parametrize(
    ("text", "interval"),
    [
        ("p", ALWAYS),
        ("p@3", point(Fraction(3))),
        ("p @ -7/2", point(Fraction(-7, 2))),
        ("p@[3]", point(Fraction(3))),
        ("p@[1,5/2)", Interval(Fraction(1), Fraction(5, 2), high_open=True)),
        ("p@(-inf,0]", Interval(None, Fraction(0))),
        ("p@(-∞,∞)", ALWAYS),
    ],
)
def test_times_of_facts(text: str, interval: Interval) -> None:
    assert fact(text).interval == interval


# --- places


def test_spans() -> None:
    text = " Boxplus[0,1] p(X) :- not q(X, 7), (a Since[0,1] b(X)). "
    source = Source("test.dmtl", text)
    found = rule(text)
    negated, linked = found.body
    assert isinstance(negated.formula, Atom)
    assert source.snippet(found.span) == text.strip()[:-1]
    assert source.snippet(found.head.span) == "Boxplus[0,1] p(X)"
    assert source.snippet(negated.span) == "not q(X, 7)"
    assert source.snippet(negated.formula.span) == "q(X, 7)"
    assert [source.snippet(t.span) for t in negated.formula.arguments] == ["X", "7"]
    assert "a Since[0,1] b(X)" in source.snippet(linked.span)


def test_spans_of_facts_and_queries() -> None:
    source = Source("test.dmtl", "up(a)@[1,5/2).  ?- up, p.")
    up, query = statements(source.text)
    assert isinstance(query, tree.Query)
    assert source.snippet(up.span) == "up(a)@[1,5/2)"
    assert [(n, source.snippet(s)) for n, s in query.predicates] == [("up", "up"), ("p", "p")]


# --- as MeTeoR writes it


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("ALWAYS[-10,0] p", "Boxminus[0,10] p"),
        ("ALWAYS(-inf,-1) p", "Boxminus(1,inf) p"),
        ("ALWAYS[0,10) p", "Boxplus[0,10) p"),
        ("ALWAYS[-2] p", "Boxminus[2] p"),
        ("SOMETIME[-5.5,0) p", "Diamondminus(0,5.5] p"),
        ("SOMETIME[1,+inf) p", "Diamondplus[1,inf) p"),
        ("ALWAYS[-20,0]SOMETIME[-5,0]p", "Boxminus[0,20] Diamondminus[0,5] p"),
        ("p UNTIL[-3,-1) q", "p Since(1,3] q"),
        ("p UNTIL[1,3] q", "p Until[1,3] q"),
        ("[-][0,2) p", "Boxminus[0,2) p"),
        ("[+][0,2) p", "Boxplus[0,2) p"),
        ("<->[0,2)p", "Diamondminus[0,2) p"),
        ("<+>[0,2)p", "Diamondplus[0,2) p"),
    ],
)
def test_operators_of_meteor(written: str, meant: str) -> None:
    assert formula(written) == formula(meant)


def test_rules_of_meteor() -> None:
    assert rule("Hot(X): - High(X)") == rule("Hot(X) :- High(X)")
    assert rule("ALWAYS[0,5]Hot(X):-High(X)") == rule("Boxplus[0,5] Hot(X) :- High(X)")


def test_small_letters_are_predicates() -> None:
    assert formula("always(X)") == formula("( always(X) )")
    assert isinstance(formula("Sometime(X)"), Atom)


def test_dates() -> None:
    assert fact("p(a)@2026-11-16T09:53:30.").interval == point(Fraction(1794822810))
    (date,) = fact("p(2026-11-16)@3").atom.arguments
    assert isinstance(date, Constant)
    assert date.value == "2026-11-16"
