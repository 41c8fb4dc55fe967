"""The parser: every spelling of the language reference."""

from __future__ import annotations

from fractions import Fraction

import pytest

from horae.data.types import Type
from horae.languages.cql.syntax import tree
from horae.languages.cql.syntax.parse import parse
from horae.languages.cql.syntax.tree import Aggregation, SetOperator, StreamOperator
from horae.rules.arithmetic import Comparator, Sign
from horae.source.text import Source, Span

HERE = Span(0, 0)


def statements(text: str) -> tuple[tree.Statement, ...]:
    found, diagnostics = parse(Source("test.cql", text))
    assert diagnostics == []
    assert found is not None
    return found.statements


def query(text: str) -> tree.Query:
    (statement,) = statements(text)
    assert isinstance(statement, tree.Query)
    return statement


def select(text: str) -> tree.Select:
    rows = query(text).body.rows
    assert isinstance(rows, tree.Select)
    return rows


def where(text: str) -> tree.Condition:
    found = select(f"SELECT a FROM r WHERE {text}").where
    assert found is not None
    return found


def value(text: str) -> tree.Expression:
    (item,) = select(f"SELECT {text} FROM r").items
    assert isinstance(item, tree.Item)
    return item.value


def window(text: str) -> tree.StreamWindow | None:
    (source,) = select(f"SELECT a FROM s [{text}]").sources
    assert isinstance(source, tree.FromSource)
    return source.window


def name(text: str) -> tree.Name:
    return tree.Name(text, span=HERE)


def column(text: str) -> tree.Column:
    source, _, last = text.rpartition(".")
    return tree.Column(name(source) if source else None, name(last), span=HERE)


def number(written: int | str) -> tree.Number:
    return tree.Number(Fraction(written), isinstance(written, str), span=HERE)


def operation(sign: str, left: tree.Expression, right: tree.Expression) -> tree.Arithmetic:
    return tree.Arithmetic(Sign(sign), left, right, span=HERE)


def compare(left: str, sign: str, right: str) -> tree.Compare:
    return tree.Compare(Comparator(sign), column(left), column(right), span=HERE)


# --- statements


def test_registered_inputs() -> None:
    stream, relation = statements("register STREAM s(a INT, b Float); REGISTER relation r(c bool)")
    attributes = [
        tree.Attribute(name("a"), Type.INT, span=HERE),
        tree.Attribute(name("b"), Type.DOUBLE, span=HERE),
    ]
    assert stream == tree.Register(True, name("s"), tuple(attributes), span=HERE)
    other = tree.Attribute(name("c"), Type.BOOL, span=HERE)
    assert relation == tree.Register(False, name("r"), (other,), span=HERE)


def test_the_first_example_of_the_reference() -> None:
    found = query("rel: SELECT L, X FROM tram [RANGE 5], line WHERE tram.ID = line.ID;")
    assert found.name == name("rel")
    assert found.stream is None
    assert found.body.rows == tree.Select(
        False,
        (
            tree.Item(column("L"), None, span=HERE),
            tree.Item(column("X"), None, span=HERE),
        ),
        (
            tree.FromSource(name("tram"), tree.RangeWindow(5, 1, span=HERE), None, span=HERE),
            tree.FromSource(name("line"), None, None, span=HERE),
        ),
        compare("tram.ID", "=", "line.ID"),
        (),
        None,
        span=HERE,
    )


@pytest.mark.parametrize("text", ["q: istream(SELECT a FROM r)", "q: ISTREAM (SELECT a FROM r);"])
def test_stream_operators(text: str) -> None:
    found = query(text)
    assert found.stream is StreamOperator.ISTREAM
    assert found.body == query("SELECT a FROM r").body


def test_comments_and_semicolons() -> None:
    text = "-- one\nSELECT a // two\nFROM r;; -- three\n; SELECT b FROM r"
    assert len(statements(text)) == 2


def test_an_empty_file() -> None:
    assert statements("") == statements(" ; -- nothing\n") == ()


def test_spans_are_places_in_the_text() -> None:
    text = "SELECT a FROM r; q: SELECT b + 1 FROM r"
    second = statements(text)[1]
    assert isinstance(second, tree.Query)
    assert isinstance(second.body.rows, tree.Select)
    assert text[slice(second.span.start, second.span.end)] == "q: SELECT b + 1 FROM r"
    item = second.body.rows.items[0]
    assert text[slice(item.span.start, item.span.end)] == "b + 1"


# --- names


def test_quoted_names_and_words_that_are_keywords_elsewhere() -> None:
    found = select('SELECT "order", range, count, "a ""b""", m.now FROM "my stream" AS rows')
    values = [item.value for item in found.items if isinstance(item, tree.Item)]
    assert values == [*map(column, ("order", "range", "count", 'a "b"')), column("m.now")]
    assert found.sources == (tree.FromSource(name("my stream"), None, name("rows"), span=HERE),)


def test_aliases_with_and_without_as() -> None:
    assert query("SELECT a AS b, c d FROM r AS x, s [NOW] y") == query(
        "SELECT a b, c AS d FROM r x, s [NOW] AS y"
    )


def test_stars() -> None:
    stars = tree.Star(None, span=HERE), tree.Star(name("r"), span=HERE)
    assert select("SELECT *, r.* FROM r").items == stars


# --- windows


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RANGE 5", tree.RangeWindow(5, 1, span=HERE)),
        ("range 0", tree.RangeWindow(0, 1, span=HERE)),
        ("RANGE 5 min", tree.RangeWindow(300, 1, span=HERE)),
        ("RANGE 5m", tree.RangeWindow(300, 1, span=HERE)),
        ("RANGE 2 h SLIDE 30 s", tree.RangeWindow(7200, 30, span=HERE)),
        ("RANGE 1.5 d SLIDE 2000 ms", tree.RangeWindow(129_600, 2, span=HERE)),
        ("RANGE 10 SLIDE 2 sec", tree.RangeWindow(10, 2, span=HERE)),
        ("RANGE UNBOUNDED", tree.RangeWindow(None, 1, span=HERE)),
        ("NOW", tree.NowWindow(span=HERE)),
        ("ROWS 3", tree.RowsWindow(3, (), span=HERE)),
        ("PARTITION BY a, b ROWS 1", tree.RowsWindow(1, (name("a"), name("b")), span=HERE)),
    ],
)
def test_windows(text: str, expected: tree.StreamWindow) -> None:
    assert window(text) == expected


# --- values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", number(7)),
        ("2.0", number("2.0")),
        ("1e3", number("1000")),
        (".5", number("0.5")),
        ("'it''s'", tree.Text("it's", span=HERE)),
        ("''", tree.Text("", span=HERE)),
        ("true", tree.Truth(True, span=HERE)),
        ("a - b - 1", operation("-", operation("-", column("a"), column("b")), number(1))),
        ("a + b * 2", operation("+", column("a"), operation("*", column("b"), number(2)))),
        ("(a + b) * 2", operation("*", operation("+", column("a"), column("b")), number(2))),
        ("-a / b", operation("/", operation("-", number(0), column("a")), column("b"))),
        ("a × b ÷ c", operation("/", operation("*", column("a"), column("b")), column("c"))),
        ("COUNT(*)", tree.Aggregate(Aggregation.COUNT, None, False, span=HERE)),
        ("count(distinct a)", tree.Aggregate(Aggregation.COUNT, column("a"), True, span=HERE)),
        ("SUM(r.a)", tree.Aggregate(Aggregation.SUM, column("r.a"), False, span=HERE)),
    ],
)
def test_values(text: str, expected: tree.Expression) -> None:
    assert value(text) == expected


# --- conditions

A, B, C = compare("a", "=", "b"), compare("c", "<", "d"), compare("e", ">=", "f")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = b OR c < d AND e >= f", tree.Or((A, tree.And((B, C), span=HERE)), span=HERE)),
        ("NOT a = b AND c < d", tree.And((tree.Not(A, span=HERE), B), span=HERE)),
        ("NOT (a = b AND c < d)", tree.Not(tree.And((A, B), span=HERE), span=HERE)),
        ("a = b AND c < d AND e >= f", tree.And((A, B, C), span=HERE)),
        ("(a = b)", A),
        ("a <> b", compare("a", "!=", "b")),
        ("a ≠ b", compare("a", "!=", "b")),
        ("a ≤ b", compare("a", "<=", "b")),
        ("a == b", A),
        ("a", tree.Holds(column("a"), span=HERE)),
        ("(a)", tree.Holds(column("a"), span=HERE)),
        ("a IS NULL", tree.IsNull(column("a"), False, span=HERE)),
        ("a IS NOT NULL", tree.IsNull(column("a"), True, span=HERE)),
        ("a IN (1, 2)", tree.OneOf(column("a"), (number(1), number(2)), span=HERE)),
        (
            "a NOT IN ((1))",
            tree.Not(tree.OneOf(column("a"), (number(1),), span=HERE), span=HERE),
        ),
    ],
)
def test_conditions(text: str, expected: tree.Condition) -> None:
    assert where(text) == expected


def test_queries_in_conditions() -> None:
    inner = query("SELECT x, y FROM r").body
    values = (column("a"), column("b"))
    assert where("(a, b) IN (SELECT x, y FROM r)") == tree.In(values, inner, span=HERE)
    assert where("NOT EXISTS (SELECT x, y FROM r)") == tree.Not(
        tree.Exists(inner, span=HERE), span=HERE
    )


# --- set operations


def combined(operator: str, left: object, right: object, *, every: bool = False) -> object:
    return tree.Combined(SetOperator(operator), every, left, right, span=HERE)  # type: ignore[arg-type]


def test_intersect_binds_tighter_and_the_others_go_from_the_left() -> None:
    a, b, c, d = (select(f"SELECT {x} FROM r") for x in "abcd")
    text = "SELECT a FROM r UNION SELECT b FROM r EXCEPT SELECT c FROM r INTERSECT SELECT d FROM r"
    expected = combined("EXCEPT", combined("UNION", a, b), combined("INTERSECT", c, d))
    assert query(text).body.rows == expected


def test_parentheses_around_queries() -> None:
    a, b, c = (select(f"SELECT {x} FROM r") for x in "abc")
    text = "(SELECT a FROM r) EXCEPT ALL ((SELECT b FROM r) UNION SELECT c FROM r)"
    assert query(text).body.rows == combined("EXCEPT", a, combined("UNION", b, c), every=True)


def test_order_and_limit_belong_to_the_whole_query() -> None:
    found = query("SELECT a FROM r UNION SELECT b FROM r ORDER BY a DESC, 1 ASC, b LIMIT 3").body
    assert isinstance(found.rows, tree.Combined)
    assert [(item.value, item.descending) for item in found.order] == [
        (column("a"), True),
        (number(1), False),
        (column("b"), False),
    ]
    assert found.limit == 3


def test_nested_queries_in_from() -> None:
    (nested,) = select("SELECT n FROM (SELECT COUNT(*) n FROM r ORDER BY 1) AS part").sources
    assert isinstance(nested, tree.Nested)
    assert nested.alias == name("part")
    assert nested.query == query("SELECT COUNT(*) AS n FROM r ORDER BY 1").body


# --- errors


def test_an_error_does_not_hide_those_in_other_statements() -> None:
    text = "SELECT FROM r; SELECT a FROM r; a: SELECT 'x FROM r;\nb: SELECT a FORM r"
    found, diagnostics = parse(Source("test.cql", text))
    assert found is None
    assert [d.code for d in diagnostics] == ["CQL001", "CQL003", "CQL001"]


def test_deep_nesting_is_refused() -> None:
    text = "SELECT a FROM r WHERE " + "NOT " * 300 + "a"
    (diagnostic,) = parse(Source("test.cql", text))[1]
    assert diagnostic.code == "CQL007"


@pytest.mark.parametrize("word", ["date", "top", "left", "full", "minus", "window", "on", "over"])
def test_words_of_sql_are_names_too(word: str):
    """A mistake nearby does not make them something else."""
    text = f"REGISTER STREAM s({word} int); SELECT {word}, FROM s [NOW];"
    _, diagnostics = parse(Source("q.cql", text))
    assert [d.code for d in diagnostics] == ["CQL103"]
    _, diagnostics = parse(Source("q.cql", text.replace(", FROM", " FROM")))
    assert diagnostics == []


# --- durations


@pytest.mark.parametrize(
    ("size", "precision", "points"),
    [
        ("10 s", None, 10),
        ("10 s", "ms", 10_000),
        ("500 ms", None, 500),
        ("0.5 s", None, 500),
        ("1 min", "us", 60_000_000),
        ("10", "ms", 10),
    ],
)
def test_durations_are_counted_in_time_points(size: str, precision: str | None, points: int):
    text = "SELECT x FROM s [RANGE {0} SLIDE {0}];"
    tree, diagnostics = parse(Source("test.cql", text.format(size)), precision)
    plain, _ = parse(Source("test.cql", text.format(points)))
    assert diagnostics == []
    assert tree is not None
    assert plain is not None
    assert tree.statements == plain.statements
