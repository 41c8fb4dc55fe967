"""The checks: what names mean, which types things have, and what is refused where."""

from __future__ import annotations

import pytest
from tests.languages.cql.checking import accepted, body, refused, select

from horae.data.schema import SchemaColumn
from horae.data.types import Type
from horae.languages.cql.check.check import load
from horae.languages.cql.program import (
    And,
    Arithmetic,
    ColumnOf,
    Combined,
    Compare,
    Condition,
    Exists,
    In,
    IsNull,
    Literal,
    Nested,
    Not,
    Or,
    Order,
    Scan,
    Select,
)
from horae.languages.cql.syntax.tree import StreamOperator
from horae.rules.arithmetic import Comparator, Sign
from horae.source.text import Source, Span

HERE = Span(0, 0)


def column(depth: int, source: int, place: int, name: str, type: Type = Type.INT) -> ColumnOf:
    return ColumnOf(depth, source, place, name, type, span=HERE)


def number(value: int) -> Literal:
    return Literal(value, Type.INT, span=HERE)


A = column(0, 0, 0, "A")


def compare(left: ColumnOf, right: ColumnOf | Literal) -> Compare:
    return Compare(Comparator.EQUAL, left, right, span=HERE)


# --- names


def test_names_are_the_same_in_any_case_and_keep_their_declared_form() -> None:
    found = select('SELECT a, S.b, "C" FROM S [NOW]')
    assert found.outputs == (
        SchemaColumn("A", Type.INT),
        SchemaColumn("B", Type.DOUBLE),
        SchemaColumn("C", Type.STRING),
    )
    (scan,) = found.sources
    assert isinstance(scan, Scan)
    assert (scan.name, scan.alias, scan.is_query) == ("s", "S", False)


def test_queries_without_a_name_are_called_by_their_place() -> None:
    found = accepted("SELECT A FROM r; x: SELECT A FROM r; ISTREAM(SELECT A FROM r);")
    assert [(q.name, q.stream) for q in found.queries] == [
        ("q1", StreamOperator.RSTREAM),
        ("x", StreamOperator.RSTREAM),
        ("q3", StreamOperator.ISTREAM),
    ]


def test_a_query_reads_an_earlier_one_as_relation_or_as_stream() -> None:
    found = select("x: SELECT A + 1 AS n FROM r; SELECT u.n, v.n FROM x u, x [RANGE 5] v")
    scans = [s for s in found.sources if isinstance(s, Scan)]
    assert [(s.name, s.is_query, s.window is None) for s in scans] == [
        ("x", True, True),
        ("x", True, False),
    ]
    assert scans[0].columns == (SchemaColumn("n", Type.INT),)


def test_stars_are_all_columns_of_from() -> None:
    found = select("SELECT *, y.* FROM t [NOW] x, r y")
    assert [o.name for o in found.outputs] == ["A", "E", "A", "C", "A", "C"]
    places = [(v.source, v.place) for v in found.values if isinstance(v, ColumnOf)]
    assert places == [(0, 0), (0, 1), (1, 0), (1, 1), (1, 0), (1, 1)]


def test_names_of_outputs() -> None:
    found = select("SELECT COUNT(*), MAX(A) m, 1 + 2, SUM(B) / 2 FROM s [NOW]")
    assert [o.name for o in found.outputs] == ["count", "m", "column3", "column4"]


def test_outputs_may_have_the_same_name() -> None:
    assert [o.name for o in select("SELECT x.A, y.A FROM r x, r y").outputs] == ["A", "A"]


def test_places_of_partition_by() -> None:
    (scan,) = select("SELECT A FROM s [PARTITION BY c, A ROWS 2]").sources
    assert isinstance(scan, Scan)
    assert scan.window_places == (2, 0)


# --- depth


def test_columns_of_the_query_around() -> None:
    found = select("SELECT A FROM r WHERE EXISTS (SELECT 1 FROM t [NOW] WHERE t.A = r.A AND C = E)")
    assert isinstance(found.where, Exists)
    inner = found.where.query.rows
    assert isinstance(inner, Select)
    text = Type.STRING
    assert inner.where == And(
        (
            compare(A, column(1, 0, 0, "A")),
            compare(column(1, 0, 1, "C", text), column(0, 0, 1, "E", text)),
        ),
        span=HERE,
    )


def test_the_nearest_column_counts() -> None:
    found = select("SELECT A FROM r WHERE A IN (SELECT A FROM t [NOW] WHERE A = 1)")
    assert isinstance(found.where, In)
    assert found.where.values == (A,)
    inner = found.where.query.rows
    assert isinstance(inner, Select)
    assert inner.where == compare(A, number(1))


def test_a_query_in_from_sees_not_its_neighbours_but_those_around() -> None:
    text = """SELECT A FROM r WHERE EXISTS
        (SELECT 1 FROM t [NOW], (SELECT E FROM t [NOW] WHERE A = r.A) AS x)"""
    found = select(text)
    assert isinstance(found.where, Exists)
    middle = found.where.query.rows
    assert isinstance(middle, Select)
    nested = middle.sources[1]
    assert isinstance(nested, Nested)
    assert isinstance(nested.query.rows, Select)
    assert nested.query.rows.where == compare(A, column(1, 0, 0, "A"))
    assert refused("SELECT x.A FROM r, (SELECT A FROM t [NOW] WHERE E = «r».C) x").code == "CQL027"


# --- definitions


def test_a_defined_name_stands_for_its_expression() -> None:
    found = select("SELECT T FROM r, t [NOW] WHERE r.A = t.A AND T = r.A + t.A AND T > 3")
    total = Arithmetic(Sign.PLUS, A, column(0, 1, 0, "A"), Type.INT, span=HERE)
    assert found.outputs == (SchemaColumn("T", Type.INT),)
    assert found.values == (total,)
    greater = Compare(Comparator.GREATER, total, number(3), span=HERE)
    assert found.where == And((compare(A, column(0, 1, 0, "A")), greater), span=HERE)


def test_the_name_may_stand_on_the_right_and_alone() -> None:
    found = select("SELECT T FROM r WHERE A + 1 = t")
    assert found.values == (Arithmetic(Sign.PLUS, A, number(1), Type.INT, span=HERE),)
    assert found.where is None


def test_definitions_use_each_other() -> None:
    found = select("SELECT U FROM r WHERE U = T * 2 AND T = A + 1")
    inner = Arithmetic(Sign.PLUS, A, number(1), Type.INT, span=HERE)
    assert found.values == (Arithmetic(Sign.TIMES, inner, number(2), Type.INT, span=HERE),)


def test_the_second_comparison_compares() -> None:
    assert select("SELECT T FROM r WHERE T = A AND T = 5").where == compare(A, number(5))


def test_a_defined_name_inside_of_a_query_in_where() -> None:
    found = select("SELECT T FROM r WHERE T = A AND EXISTS (SELECT 1 FROM t [NOW] WHERE A = T)")
    assert isinstance(found.where, Exists)
    inner = found.where.query.rows
    assert isinstance(inner, Select)
    assert inner.where == compare(A, column(1, 0, 0, "A"))


@pytest.mark.parametrize("where", ["NOT «T» = 1", "«T» = 1 OR A = 1", "«T» < 1", "x.A = «x.T»"])
def test_only_equalities_of_the_outermost_and_define(where: str) -> None:
    marked = f"SELECT A FROM r x WHERE {where}".replace("«x.T»", "x.«T»")
    assert refused(marked).code == "CQL021"


def test_grouping_by_a_defined_name() -> None:
    found = select("SELECT T, COUNT(*) FROM r WHERE T = A * 2 GROUP BY T")
    assert found.group_by == found.values[:1]


# --- types


@pytest.mark.parametrize(
    ("value", "type_"),
    [
        ("A + 1", Type.INT),
        ("A + 1.0", Type.DOUBLE),
        ("A * B", Type.DOUBLE),
        ("A / 2", Type.DOUBLE),
        ("-A", Type.INT),
        ("C", Type.STRING),
        ("D", Type.BOOL),
        ("TRUE", Type.BOOL),
        ("COUNT(C)", Type.INT),
        ("SUM(A)", Type.INT),
        ("SUM(B)", Type.DOUBLE),
        ("AVG(A)", Type.DOUBLE),
        ("MIN(C)", Type.STRING),
        ("MAX(A)", Type.INT),
    ],
)
def test_types_of_values(value: str, type_: Type) -> None:
    assert select(f"SELECT {value} AS v FROM s [NOW]").outputs == (SchemaColumn("v", type_),)


@pytest.mark.parametrize(
    "condition", ["A = B", "A < 2.5", "C >= 'x'", "D = TRUE", "D", "NOT D", "A IN (1, 2.5)"]
)
def test_conditions_that_fit(condition: str) -> None:
    assert select(f"SELECT A FROM s [NOW] WHERE {condition}").where is not None


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("A = «C»", "CQL040"),
        ("D = «1»", "CQL040"),
        ("C IN ('a', «2»)", "CQL040"),
        ("C IN («SELECT A FROM r»)", "CQL040"),
        ("(A, C) IN («SELECT A FROM r»)", "CQL060"),
        ("«C» + 1 > 2", "CQL041"),
        ("-«D» > 2", "CQL041"),
        ("«A»", "CQL043"),
        ("NOT «'x'»", "CQL043"),
        ("«COUNT(*)» > 1", "CQL050"),
        ("A < «9223372036854775808»", "CQL006"),
        ("T = A + 1 AND C = «T»", "CQL040"),
    ],
)
def test_conditions_that_do_not_fit(condition: str, code: str) -> None:
    assert refused(f"SELECT A FROM s [NOW] WHERE {condition}").code == code


def test_lists_behind_in_are_comparisons() -> None:
    one, two = compare(A, number(1)), compare(A, number(2))
    expected: list[tuple[str, Condition]] = [
        ("A IN (1, 2)", Or((one, two), span=HERE)),
        ("A IN (1)", one),
        ("A NOT IN (1)", Not(one, span=HERE)),
        ("A IS NOT NULL", Not(IsNull(A, span=HERE), span=HERE)),
    ]
    for text, condition in expected:
        assert select(f"SELECT A FROM r WHERE {text}").where == condition


# --- groups


def test_what_makes_a_select_grouped() -> None:
    assert not select("SELECT A FROM r").is_grouped
    assert select("SELECT A FROM r GROUP BY A").is_grouped
    assert select("SELECT 1 FROM r HAVING COUNT(*) > 1").is_grouped
    assert select("SELECT SUM(A) FROM r").is_grouped
    assert select("SELECT 1 FROM r ORDER BY COUNT(*)").is_grouped


@pytest.mark.parametrize(
    "text",
    [
        "SELECT A + 1, COUNT(*) * 2 FROM s [NOW] GROUP BY A",
        "SELECT (A + 1) * 2 FROM s [NOW] GROUP BY A + 1",
        "SELECT s.a FROM s [NOW] GROUP BY A HAVING MIN(B) > 1 ORDER BY SUM(B), a",
        "SELECT A FROM r GROUP BY A HAVING EXISTS (SELECT 1 FROM t [NOW] WHERE t.A = r.A)",
        "SELECT A FROM r WHERE EXISTS (SELECT r.C, COUNT(*) FROM t [NOW])",
    ],
)
def test_grouped_and_fine(text: str) -> None:
    assert body(text) is not None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("SELECT «C», COUNT(*) FROM s [NOW]", "CQL052"),
        ("SELECT «A» + 2 FROM s [NOW] GROUP BY A + 1", "CQL052"),
        ("SELECT A FROM s [NOW] GROUP BY A HAVING «C» = 'x'", "CQL052"),
        ("SELECT A FROM s [NOW] GROUP BY A ORDER BY «B»", "CQL052"),
        (
            "SELECT A FROM r GROUP BY A HAVING EXISTS (SELECT 1 FROM t [NOW] WHERE E = «C»)",
            "CQL052",
        ),
        ("SELECT SUM(A + «MAX(A)») FROM r", "CQL051"),
        ("SELECT A FROM r WHERE 1 IN (SELECT «SUM(r.A)» FROM t [NOW])", "CQL051"),
        ("SELECT A FROM r GROUP BY A, «COUNT(*)»", "CQL050"),
        ("SELECT A FROM r GROUP BY «2»", "CQL053"),
        ("SELECT SUM(«C») FROM r", "CQL042"),
        ("SELECT T FROM r WHERE T = «COUNT(*)»", "CQL050"),
    ],
)
def test_grouped_and_refused(text: str, code: str) -> None:
    assert refused(text).code == code


# --- set operations


def test_types_and_names_of_set_operations() -> None:
    rows = body("SELECT A AS n, C FROM s [NOW] UNION ALL SELECT B, C FROM s [NOW]").rows
    assert isinstance(rows, Combined)
    assert rows.all
    assert rows.outputs == (SchemaColumn("n", Type.DOUBLE), SchemaColumn("C", Type.STRING))
    assert rows.left.outputs[0].type is Type.INT


# --- order


@pytest.mark.parametrize(
    ("order", "places", "width"),
    [
        ("n DESC", [Order(0, True)], 2),
        ("2, 1", [Order(1, False), Order(0, False)], 2),
        ("C", [Order(1, False)], 2),
        ("A + 1", [Order(0, False)], 2),
        ("B", [Order(2, False)], 3),
        ("B, A, B", [Order(2, False), Order(3, False), Order(2, False)], 4),
    ],
)
def test_order_of_a_select(order: str, places: list[Order], width: int) -> None:
    found = body(f"SELECT A + 1 AS n, C FROM s [NOW] ORDER BY {order} LIMIT 3")
    assert isinstance(found.rows, Select)
    assert found.order == tuple(places)
    assert len(found.rows.values) == width
    assert len(found.rows.outputs) == 2
    assert found.limit == 3


def test_an_output_hides_a_column_in_order_by() -> None:
    assert body("SELECT B AS A FROM s [NOW] ORDER BY A").order == (Order(0, False),)


def test_order_of_distinct_and_of_set_operations() -> None:
    assert body("SELECT DISTINCT A FROM s [NOW] ORDER BY s.A").order == (Order(0, False),)
    text = "SELECT A n FROM s [NOW] UNION SELECT A FROM r ORDER BY n DESC, 1"
    assert body(text).order == (Order(0, True), Order(0, False))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("SELECT A FROM r ORDER BY «0»", "CQL063"),
        ("SELECT A FROM r ORDER BY «2»", "CQL063"),
        ("SELECT DISTINCT A FROM r ORDER BY «C»", "CQL064"),
        ("SELECT A FROM r UNION SELECT A FROM r ORDER BY «C»", "CQL064"),
        ("SELECT A FROM r UNION SELECT A FROM r ORDER BY «A + 1»", "CQL064"),
        ("SELECT x.A, y.A FROM r x, r y ORDER BY «A»", "CQL065"),
        ("SELECT A FROM r ORDER BY «Q»", "CQL021"),
    ],
)
def test_order_that_is_refused(text: str, code: str) -> None:
    assert refused(text).code == code


# --- windows


def test_range_zero_is_allowed() -> None:
    assert select("SELECT A FROM s [RANGE 0]").sources


@pytest.mark.parametrize(
    ("window", "code"),
    [
        ("[«RANGE 0 SLIDE 2»]", "CQL032"),
        ("[RANGE 5 SLIDE «0»]", "CQL015"),
        ("[RANGE 5 SLIDE «-1»]", "CQL015"),
        ("[RANGE «2.5»]", "CQL016"),
        ("[ROWS «1.5»]", "CQL016"),
        ("[ROWS «-1»]", "CQL015"),
        ("[ROWS 5 «min»]", "CQL017"),
        ("[RANGE «1e30»]", "CQL016"),
        ("[PARTITION BY A, «Q» ROWS 1]", "CQL033"),
    ],
)
def test_windows_that_are_refused(window: str, code: str) -> None:
    assert refused(f"SELECT A FROM s {window}").code == code


# --- findings


def test_a_wrong_query_is_reported_once() -> None:
    text = "REGISTER RELATION r(A int); x: SELECT Q FROM r; SELECT Z, x.Y FROM x WHERE V = W;"
    found, report = load(Source("spec.cql", text))
    assert found is None
    assert [d.code for d in report] == ["CQL021"]


def test_a_wrong_definition_that_is_used_twice_is_reported_once() -> None:
    assert refused("SELECT T, T FROM r WHERE T = «Q» + 1").code == "CQL021"


def test_a_query_without_a_name_can_clash() -> None:
    diagnostic = refused("SELECT A FROM r; «q1»: SELECT A FROM r;")
    assert diagnostic.code == "CQL024"
