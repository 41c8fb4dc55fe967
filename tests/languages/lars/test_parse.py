"""The parser: every spelling of the language reference."""

from __future__ import annotations

from fractions import Fraction

import pytest

from horae.data.constants import Value
from horae.data.intervals import ALWAYS, Interval, point
from horae.languages.lars.syntax import tree
from horae.languages.lars.syntax.parse import parse
from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Choice,
    Implies,
    Infinite,
    NamedWindow,
    Not,
    Or,
    PartitionWindow,
    Some,
    TimeWindow,
    TupleWindow,
    Window,
)
from horae.rules.arithmetic import Comparator, Comparison, Operation, Sign, TermExpression
from horae.rules.terms import Atom, Constant, Term, Variable
from horae.source.text import Source, Span

HERE = Span(0, 0)


def statements(text: str) -> tuple[tree.Statement, ...]:
    program, diagnostics = parse(Source("test.lars", text))
    assert program is not None, diagnostics
    assert diagnostics == []
    return program.statements


def only(text: str) -> tree.Statement:
    (statement,) = statements(text)
    return statement


def body(text: str) -> tuple[tree.Formula, ...]:
    statement = only(f"head :- {text}.")
    assert isinstance(statement, tree.Rule)
    return statement.body


def formula(text: str) -> tree.Formula:
    (found,) = body(text)
    return found


def window(text: str) -> tree.WindowFunction:
    found = formula(f"win[{text}] a")
    assert isinstance(found, Window)
    return found.function


def atom(predicate: str, *arguments: Value) -> Atom:
    return Atom(predicate, tuple(term(a) for a in arguments), span=HERE)


def term(value: Value) -> Term:
    if isinstance(value, str) and (value[:1].isupper() or value[:1] == "_"):
        return Variable(value, span=HERE)
    return Constant(value, span=HERE)


def operation(left: Value | TermExpression, sign: str, right: Value | TermExpression) -> Operation:
    return Operation(Sign(sign), _expression(left), _expression(right), span=HERE)


def comparison(
    left: Value | TermExpression, sign: str, right: Value | TermExpression
) -> Comparison:
    return Comparison(Comparator(sign), _expression(left), _expression(right), span=HERE)


def _expression(value: Value | TermExpression) -> TermExpression:
    return term(value) if isinstance(value, str | int | Fraction) else value


A, B, C = atom("a"), atom("b"), atom("c")
INF = Infinite(span=HERE)


def time_window(
    past: Value | tree.Extent, future: Value | tree.Extent = 0, step: int = 1
) -> TimeWindow:
    return TimeWindow(_extent(past), _extent(future), term(step), span=HERE)


def _extent(size: Value | tree.Extent) -> tree.Extent:
    return size if isinstance(size, Infinite) else _expression(size)


# --- statements


def test_statements() -> None:
    rule, constraint, fact, timed, query = statements(
        "p(X) :- q(X), not r. :- a, b. p(c). p(c)@3. ?- p, q."
    )
    assert rule == tree.Rule(atom("p", "X"), (atom("q", "X"), Not(atom("r"), span=HERE)), span=HERE)
    assert constraint == tree.Rule(None, (A, B), span=HERE)
    assert fact == tree.Fact(atom("p", "c"), ALWAYS, span=HERE)
    assert timed == tree.Fact(atom("p", "c"), point(Fraction(3)), span=HERE)
    assert isinstance(query, tree.Query)
    assert [name for name, _ in query.predicates] == ["p", "q"]


@pytest.mark.parametrize("sign", [":-", "<-", "←"])
def test_if(sign: str) -> None:
    assert only(f"a {sign} b.") == tree.Rule(A, (B,), span=HERE)


def test_a_dot_inside_of_a_number_ends_nothing() -> None:
    assert statements("p(1.5).q(2).r@3.") == (
        tree.Fact(atom("p", Fraction(3, 2)), ALWAYS, span=HERE),
        tree.Fact(atom("q", 2), ALWAYS, span=HERE),
        tree.Fact(atom("r"), point(Fraction(3)), span=HERE),
    )


def test_statements_may_spread_over_lines() -> None:
    assert len(statements("a\n:-\nb,\nc\n.\n\nd. % e.\n// f.\n")) == 2


@pytest.mark.parametrize(
    ("text", "interval"),
    [
        ("a@[1,5].", Interval(Fraction(1), Fraction(5))),
        ("a@[3].", point(Fraction(3))),
        ("a @ 0.", point(Fraction(0))),
        ("a at 7.", point(Fraction(7))),
        ("(a).", ALWAYS),
    ],
)
def test_times_of_facts(text: str, interval: Interval) -> None:
    assert only(text) == tree.Fact(A, interval, span=HERE)


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("@3 a.", At(term(3), A, span=HERE)),
        ("a or b.", Or((A, B), span=HERE)),
        ("p(X).", atom("p", "X")),
        ("a and b.", And((A, B), span=HERE)),
        ("not a.", Not(A, span=HERE)),
    ],
)
def test_rules_without_a_body(text: str, head: tree.Formula) -> None:
    assert only(text) == tree.Rule(head, (), span=HERE)


def test_heads_are_formulas() -> None:
    rule = only("win[+5] <> (a or b) -> c :- a.")
    assert isinstance(rule, tree.Rule)
    around = Window(
        Choice.CURRENT, time_window(0, 5), Some(Or((A, B), span=HERE), span=HERE), span=HERE
    )
    assert rule.head == Implies(around, C, span=HERE)


# --- formulas


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["a or b", "a ∨ b", "a | b", "a OR b"], Or((A, B), span=HERE)),
        (["not a", "¬ a", "NOT a", "Not(a)"], Not(A, span=HERE)),
        (["a -> b", "a → b"], Implies(A, B, span=HERE)),
        (["<> a", "some a", "◇ a", "◊a", "SOME a"], Some(A, span=HERE)),
        (["[] a", "always a", "□ a", "[ ]a"], Always(A, span=HERE)),
        (["@5 a", "at 5 a", "AT 5 a", "@ 5 a"], At(term(5), A, span=HERE)),
        (["@T a", "at T a", "@T(a)"], At(term("T"), A, span=HERE)),
        (
            ["win[10] a", "⊞[10] a", "⊞ [10]a", "WIN[10] a"],
            Window(Choice.CURRENT, time_window(10), A, span=HERE),
        ),
        (
            ["win1[10] a", "⊞1[10] a", "⊞₁[10] a", "Win1 [10] a"],
            Window(Choice.ORIGINAL, time_window(10), A, span=HERE),
        ),
        (["(a and b)", "(a, b)", "(a ∧ b)", "(a & b)", "((a), b)"], And((A, B), span=HERE)),
    ],
)
def test_spellings(texts: list[str], expected: tree.Formula) -> None:
    assert [formula(text) for text in texts] == [expected] * len(texts)


@pytest.mark.parametrize("text", ["a, b", "a and b", "a ∧ b", "a & b", "a And b"])
def test_conjuncts_of_a_body(text: str) -> None:
    assert body(text) == (A, B)


def test_a_conjunction_in_parentheses_stays_whole() -> None:
    both = And((A, B), span=HERE)
    assert body("(a, b), c") == (both, C)
    assert body("a and b, c") == (A, B, C)
    assert formula("((a and b) and c)") == And((both, C), span=HERE)
    assert formula("(a and b, c)") == And((A, B, C), span=HERE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a or (b and c)", Or((A, And((B, C), span=HERE)), span=HERE)),
        ("a or b and c", Or((A, And((B, C), span=HERE)), span=HERE)),
        ("a or b -> c", Implies(Or((A, B), span=HERE), C, span=HERE)),
        ("a -> b -> c", Implies(A, Implies(B, C, span=HERE), span=HERE)),
        ("(a -> b) -> c", Implies(Implies(A, B, span=HERE), C, span=HERE)),
        ("not a or b", Or((Not(A, span=HERE), B), span=HERE)),
        ("not (a or b)", Not(Or((A, B), span=HERE), span=HERE)),
        ("<> [] not a", Some(Always(Not(A, span=HERE), span=HERE), span=HERE)),
        ("@3 a -> b", Implies(At(term(3), A, span=HERE), B, span=HERE)),
        ("not X = 3", Not(comparison("X", "=", 3), span=HERE)),
        ("<> X < 3", Some(comparison("X", "<", 3), span=HERE)),
    ],
)
def test_what_binds_tighter(text: str, expected: tree.Formula) -> None:
    assert formula(text) == expected


# --- terms, comparisons, arithmetic


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n1", "n1"),
        ('"n1"', "n1"),
        ("'two words'", "two words"),
        ("7", 7),
        ('"7"', "7"),
        ("-2.5", Fraction(-5, 2)),
        ("−2", -2),
        ("1/3", Fraction(1, 3)),
        ("6 / 3", 2),
        ("1e3", 1000),
        ("not", "not"),
        ("at", "at"),
        ("inf", "inf"),
    ],
)
def test_constants(text: str, value: Value) -> None:
    fact = only(f"p({text}).")
    assert isinstance(fact, tree.Fact)
    assert fact.atom.arguments == (Constant(value, span=HERE),)


def test_every_underscore_is_a_variable_of_its_own() -> None:
    assert body("p(_,_x,_), @_ q(_1)") == (
        atom("p", "_2", "_x", "_3"),
        At(term("_4"), atom("q", "_1"), span=HERE),
    )


def test_keywords_are_names_where_no_keyword_can_stand() -> None:
    assert body("win(X), at(X), win, at, p(By,Or,At)") == (
        atom("win", "X"),
        atom("at", "X"),
        atom("win"),
        atom("at"),
        atom("p", "By", "Or", "At"),
    )
    assert formula("At = 3") == comparison("At", "=", 3)
    assert formula("X = or") == comparison("X", "=", "or")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *(("=", "="), ("==", "="), ("!=", "!="), ("≠", "!="), ("<", "<"), ("<=", "<=")),
        *(("≤", "<="), (">", ">"), (">=", ">="), ("≥", ">=")),
    ],
)
def test_comparisons(written: str, meant: str) -> None:
    assert formula(f"X {written} 3") == comparison("X", meant, 3)
    assert formula(f"X{written}Y") == comparison("X", meant, "Y")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X + 2 * Y", operation("X", "+", operation(2, "*", "Y"))),
        ("X - Y - Z", operation(operation("X", "-", "Y"), "-", "Z")),
        ("X - (Y - Z)", operation("X", "-", operation("Y", "-", "Z"))),
        ("X × Y ÷ Z", operation(operation("X", "*", "Y"), "/", "Z")),
        ("-X", operation(0, "-", "X")),
        ("-2", term(-2)),
        ("X - -2", operation("X", "-", -2)),
        ("X-2", operation("X", "-", 2)),
        ("7 / 2", term(Fraction(7, 2))),
        ("X / 7 / 2", operation(operation("X", "/", 7), "/", 2)),
        ("X / (7 / 2)", operation("X", "/", Fraction(7, 2))),
        ("1 / 0", operation(1, "/", 0)),
        ("(a)", term("a")),
        ('"a b"', term("a b")),
    ],
)
def test_arithmetic(text: str, expected: TermExpression) -> None:
    assert formula(f"V = {text}") == comparison("V", "=", expected)
    assert formula(f"{text} = V") == comparison(expected, "=", "V")


# --- windows


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10", time_window(10)),
        ("+5", time_window(0, 5)),
        ("10,5", time_window(10, 5)),
        ("10,+5", time_window(10, 5)),
        ("10,5,2", time_window(10, 5, 2)),
        ("inf", time_window(INF)),
        ("∞", time_window(INF)),
        ("10,inf", time_window(10, INF)),
        ("inf,inf", time_window(INF, INF)),
        ("+inf", time_window(0, INF)),
        ("N", time_window("N")),
        ("N*2, M", time_window(operation("N", "*", 2), "M")),
        ("(N+1)*2", time_window(operation(operation("N", "+", 1), "*", 2))),
        ("5 min", time_window(300)),
        ("90s", time_window(90)),
        ("1.5 h, 2 D, 2000 ms", time_window(5400, 172800, 2)),
        ("1 m, 1 sec", time_window(60, 1)),
        ("(N + 1 min) * 2", time_window(operation(operation("N", "+", 60), "*", 2))),
        ("N * 1 min", time_window(operation("N", "*", 60))),
        ("#3", TupleWindow(term(3), term(0), span=HERE)),
        ("#+2", TupleWindow(term(0), term(2), span=HERE)),
        ("#3,2", TupleWindow(term(3), term(2), span=HERE)),
        ("# N", TupleWindow(term("N"), term(0), span=HERE)),
        (
            "p(X,Y) by X #3",
            PartitionWindow(atom("p", "X", "Y"), (term("X"),), term(3), term(0), span=HERE),  # type: ignore[arg-type]
        ),
        (
            "p(X,Y) BY X,Y #3,2",
            PartitionWindow(
                atom("p", "X", "Y"),
                (term("X"), term("Y")),  # type: ignore[arg-type]
                term(3),
                term(2),
                span=HERE,
            ),
        ),
        (
            "p(_,_) #+3",
            PartitionWindow(atom("p", "_1", "_2"), (), term(0), term(3), span=HERE),
        ),
        ("p #3", PartitionWindow(atom("p"), (), term(3), term(0), span=HERE)),
        ("session 5", NamedWindow("session", (term(5),), span=HERE)),
        ("session 5 min", NamedWindow("session", (term(300),), span=HERE)),
        ("f", NamedWindow("f", (), span=HERE)),
        ("f X, -1, a", NamedWindow("f", (term("X"), term(-1), term("a")), span=HERE)),
        (
            "f (X + 1) * 2, Y",
            NamedWindow("f", (operation(operation("X", "+", 1), "*", 2), term("Y")), span=HERE),
        ),
    ],
)
def test_windows(text: str, expected: tree.WindowFunction) -> None:
    assert window(text) == expected


def test_windows_of_windows() -> None:
    assert formula("win[5] @T win1[#3] <> a") == Window(
        Choice.CURRENT,
        time_window(5),
        At(
            term("T"),
            Window(
                Choice.ORIGINAL,
                TupleWindow(term(3), term(0), span=HERE),
                Some(A, span=HERE),
                span=HERE,
            ),
            span=HERE,
        ),
        span=HERE,
    )


def test_spans_are_places_in_the_source() -> None:
    source = Source("test", "x. a :- b, not win[10] <> p(X).")
    program, _ = parse(source)
    assert program is not None
    rule = program.statements[1]
    assert isinstance(rule, tree.Rule)
    assert source.snippet(rule.span) == "a :- b, not win[10] <> p(X)"
    assert [source.snippet(f.span) for f in rule.body] == ["b", "not win[10] <> p(X)"]


# --- durations


@pytest.mark.parametrize(
    ("window", "precision", "points"),
    [
        ("win[10 s]", None, 10),
        ("win[10 s]", "ms", 10_000),
        ("win[500 ms]", None, 500),
        ("win[0.5 s]", None, 500),
        ("win[0.1 ms]", None, 100),
        ("win[0.1 ms]", "ns", 100_000),
        ("win[1 min]", "us", 60_000_000),
        ("win[10]", "ms", 10),
        ("win[10]", None, 10),
    ],
)
def test_durations_are_counted_in_time_points(window: str, precision: str | None, points: int):
    tree, diagnostics = parse(Source("test.lars", f"p :- {window} <> q."), precision)
    plain, _ = parse(Source("test.lars", f"p :- win[{points}] <> q."))
    assert diagnostics == []
    assert tree is not None
    assert plain is not None
    assert tree.statements == plain.statements


def test_one_precision_for_all_durations_of_a_program():
    tree, _ = parse(Source("test.lars", "p :- win[1 s] <> q. r :- win[20 ms] <> q."))
    assert tree is not None
    assert tree.precision == "ms"
    assert "1000" in str(tree.statements[0])


def test_no_precision_is_fine_enough():
    tree, (diagnostic,) = parse(Source("test.lars", "p :- win[0.0000001 ms] <> q."))
    assert tree is None
    assert diagnostic.code == "LRS014"
    assert diagnostic.message == "`0.0000001 ms` is no whole number of nanoseconds"
