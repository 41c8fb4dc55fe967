"""Which queries are spread over shards, by which columns, and what is in the way of the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from tests.languages.cql.kernel.driving import checked

from horae.languages.cql.plan.algebra import Algebra, Read
from horae.languages.cql.plan.make_algebra import make_algebra
from horae.languages.cql.plan.spread import find_spreading, gather
from horae.languages.cql.plan.walk import table_scans

DATA = """
REGISTER STREAM s(A int, B string);
REGISTER STREAM t(A int, C double);
REGISTER RELATION r(A int, L string);
"""


def spread(queries: str) -> list[str]:
    """Per query the columns of the streams that it reads, or why it is in one shard."""
    return list(words(make_algebra(checked(DATA + queries))))


def words(algebra: Algebra) -> Iterator[str]:
    spreading = find_spreading(algebra)
    columns = {item.name: [c.name for c in item.columns] for item in algebra.program.inputs}
    pivots = {query.name: group.pivots for group in spreading.shards for query in group.queries}
    for query in algebra.queries:
        if query.name in spreading.whole:
            yield f"in one shard: {spreading.whole[query.name]}"
        else:
            scans = table_scans(replace(algebra, queries=(query,)))
            read = dict.fromkeys(s.name for s in scans if s.read is Read.STREAM)
            keys = [f"{name}.{columns[name][pivots[query.name][name]]}" for name in read]
            yield f"spread by {', '.join(keys)}"


def expect(body: str, words: str) -> None:
    assert spread(f"q: {body};") == [words]


WHOLE = "in one shard: "


# --- windows


@pytest.mark.parametrize("window", ["NOW", "RANGE 3", "RANGE UNBOUNDED", "RANGE 4 SLIDE 2"])
def test_windows_of_time_ask_nothing_of_other_rows(window: str):
    expect(f"SELECT A FROM s [{window}]", "spread by s.A")


def test_windows_of_rows_count_them():
    expect("SELECT A FROM s [ROWS 3]", WHOLE + "`s [ROWS 3]` counts the rows of all shards")


def test_windows_of_rows_of_each_part_go_with_the_columns_of_the_part():
    expect("SELECT A FROM s [PARTITION BY B ROWS 3]", "spread by s.B")
    expect("SELECT A FROM s [PARTITION BY B, A ROWS 3]", "spread by s.A")


def test_a_part_and_a_group_that_want_different_columns():
    expect(
        "SELECT A, COUNT(*) FROM s [PARTITION BY B ROWS 1] GROUP BY A",
        WHOLE + "GROUP BY has no column by which its rows are spread",
    )


# --- joins


def test_a_join_of_streams_goes_by_the_columns_that_are_equal():
    expect("SELECT B FROM s [NOW], t [RANGE 3] WHERE s.A = t.A", "spread by s.A, t.A")
    expect("SELECT B FROM s [NOW], t [RANGE 3] WHERE s.A = t.C", "spread by s.A, t.C")


@pytest.mark.parametrize("condition", ["", "WHERE s.A < t.A", "WHERE s.A + 1 = t.A"])
def test_a_join_without_such_columns(condition: str):
    expect(
        f"SELECT B FROM s [NOW], t [RANGE 3] {condition}",
        WHOLE + "a join has no equality of the columns by which its sides are spread",
    )


def test_a_relation_is_in_all_shards():
    expect("SELECT L FROM s [NOW], r WHERE s.A < r.A", "spread by s.A")


def test_a_column_that_a_join_makes_equal_is_as_good():
    """Rows with the same r.A have the same s.A."""
    expect("SELECT r.A, COUNT(*) FROM s [NOW], r WHERE s.A = r.A GROUP BY r.A", "spread by s.A")
    expect(
        "SELECT COUNT(*) FROM s [NOW], r, t [NOW] WHERE s.A = r.A AND r.A = t.A GROUP BY t.A",
        "spread by s.A, t.A",
    )


def test_a_stream_with_itself():
    expect("SELECT x.B FROM s [NOW] x, s [RANGE 5] y WHERE x.B = y.B", "spread by s.B")
    expect(
        "SELECT x.B FROM s [NOW] x, s [RANGE 5] y WHERE x.A + 0 = y.A",
        WHOLE + "a join has no equality of the columns by which its sides are spread",
    )


# --- groups, duplicates, sets


def test_groups_go_with_a_column_of_group_by():
    expect("SELECT B, SUM(A) FROM s [RANGE 3] GROUP BY B", "spread by s.B")
    expect("SELECT A, B, COUNT(*) FROM s [RANGE 3] GROUP BY A, B", "spread by s.A")
    expect("SELECT MAX(A) FROM s [RANGE 3] GROUP BY B HAVING COUNT(*) > 1", "spread by s.B")


def test_a_computed_group_has_no_home():
    expect(
        "SELECT COUNT(*) FROM s [RANGE 3] GROUP BY A + 1",
        WHOLE + "GROUP BY has no column by which its rows are spread",
    )


def test_an_aggregate_of_all_rows_is_one():
    why = WHOLE + "an aggregate without GROUP BY is one of all shards"
    expect("SELECT COUNT(*) FROM s [RANGE 3]", why)
    expect("SELECT n FROM r, (SELECT COUNT(*) AS n FROM s [RANGE 3]) x WHERE r.A = n", why)


def test_distinct_rows_go_with_a_column_that_they_have():
    expect("SELECT DISTINCT B FROM s [RANGE 3]", "spread by s.B")
    expect(
        "SELECT DISTINCT A + 1 FROM s [RANGE 3]", WHOLE + "equal rows would be in several shards"
    )


def test_union_all_only_puts_rows_together():
    expect("SELECT A FROM s [NOW] UNION ALL SELECT A + 1 FROM t [NOW]", "spread by s.A, t.A")
    expect(
        "SELECT A FROM s [NOW] UNION ALL SELECT A FROM r",
        WHOLE + "one side of UNION ALL would be in all shards",
    )


@pytest.mark.parametrize("operator", ["UNION", "EXCEPT", "EXCEPT ALL", "INTERSECT"])
def test_other_sets_compare_rows(operator: str):
    expect(f"SELECT A FROM s [NOW] {operator} SELECT A FROM t [NOW]", "spread by s.A, t.A")
    why = f"{WHOLE}equal rows of {operator.split()[0]} would be in several shards"
    expect(f"SELECT A FROM s [NOW] {operator} SELECT A + 1 FROM t [NOW]", why)
    expect(f"SELECT A FROM s [NOW] {operator} SELECT A FROM r", why)


def test_an_int_as_a_double_has_another_home():
    """Great ints are rounded, so that different ones may become equal."""
    expect(
        "SELECT A FROM s [NOW] UNION SELECT C FROM t [NOW]",
        WHOLE + "equal rows of UNION would be in several shards",
    )


# --- LIMIT and subqueries


def test_limit_counts_all_rows():
    expect("SELECT A FROM s [NOW] LIMIT 2", WHOLE + "LIMIT counts rows of all shards")


def test_limit_in_a_subquery_counts_those_of_its_context():
    expect(
        "SELECT A FROM s [NOW] WHERE EXISTS (SELECT C FROM t [NOW] WHERE t.A = s.A LIMIT 1)",
        "spread by s.A, t.A",
    )


def test_a_subquery_about_rows_of_the_same_home():
    inner = "SELECT C FROM t [RANGE 3] WHERE t.A = s.A"
    expect(f"SELECT B FROM s [NOW] WHERE EXISTS ({inner})", "spread by s.A, t.A")
    expect(f"SELECT B FROM s [NOW] WHERE 1.5 IN ({inner})", "spread by s.A, t.A")
    expect(
        "SELECT B FROM s [NOW] WHERE 1 IN (SELECT COUNT(*) FROM t [RANGE 3] WHERE t.A = s.A)",
        "spread by s.A, t.A",
    )


def test_a_subquery_about_rows_of_all_shards():
    """A null among the values of IN may agree with any row: equal values are not enough."""
    why = WHOLE + "equal rows would be in several shards"
    expect("SELECT B FROM s [NOW] WHERE A IN (SELECT A FROM t [RANGE 3])", why)
    expect("SELECT B FROM s [NOW] WHERE EXISTS (SELECT A FROM t [RANGE 3])", why)


def test_a_subquery_about_relations():
    expect("SELECT B FROM s [NOW] WHERE A IN (SELECT A FROM r)", "spread by s.A")
    expect("SELECT B FROM s [NOW] WHERE 0 IN (SELECT COUNT(*) FROM r)", "spread by s.B")
    expect(
        "SELECT B FROM s [NOW] WHERE A + 1 IN (SELECT MAX(A) FROM r WHERE r.L <> s.B LIMIT 1)",
        "spread by s.A",
    )


def test_a_relation_about_a_stream():
    """The rows of r are in all shards; whether t has one like it is known in one of them."""
    expect(
        "SELECT L FROM r WHERE EXISTS (SELECT C FROM t [NOW] WHERE t.A = r.A)",
        WHOLE + "a subquery looks at rows of other shards",
    )


# --- several queries


def test_queries_over_queries_and_relations_are_whole():
    assert spread("p: SELECT A FROM s [NOW]; q: SELECT A FROM p; m: SELECT A FROM p [NOW];") == [
        "spread by s.A",
        WHOLE + "it reads the query `p`",
        WHOLE + "it reads the query `p`",
    ]
    expect("SELECT A FROM r", WHOLE + "it reads no stream")


def test_queries_that_agree_share_their_shards():
    """`b` works with any column, and takes that of `a`; `c` reads one stream more; `d` is apart."""
    text = """
    a: SELECT B, COUNT(*) AS n FROM s [RANGE 3] GROUP BY B;
    b: SELECT A, B FROM s [NOW];
    c: SELECT C FROM t [NOW];
    d: SELECT A, COUNT(*) AS n FROM s [RANGE 3] GROUP BY A;
    e: SELECT s.A FROM s [NOW], t [NOW] WHERE s.A = t.A;
    """
    found = find_spreading(make_algebra(checked(DATA + text))).shards
    names = [("".join(q.name for q in group.queries), dict(group.pivots)) for group in found]
    assert names == [("abc", {"s": 1, "t": 1}), ("de", {"s": 0, "t": 0})]


def test_columns_of_few_values_are_taken_last():
    text = "REGISTER STREAM b(F bool, G int);\nq: SELECT F, G FROM b [NOW];"
    assert list(words(make_algebra(checked(text)))) == ["spread by b.G"]


def test_wide_streams_that_are_joined_by_their_last_columns():
    """Five streams with ten columns each have 100,000 choices."""
    names = "abcde"
    columns = ", ".join(f"{{0}}{n} int" for n in range(10))
    text = "".join(f"REGISTER STREAM {name}({columns.format(name)});\n" for name in names)
    sources = ", ".join(f"{name} [NOW]" for name in names)
    pairs = " AND ".join(f"{x}9 = {y}9" for x, y in pairwise(names))
    plan = make_algebra(checked(f"{text}q: SELECT * FROM {sources} WHERE {pairs};"))
    (found,) = find_spreading(plan).shards
    assert found.pivots == dict.fromkeys(names, 9)


def test_what_is_gathered():
    """The plan of the join reads the rows of `q`, with the column that only the order needs."""
    text = "q: SELECT A FROM s [NOW] ORDER BY B; p: SELECT COUNT(*) FROM s [ROWS 1];"
    plan = gather(make_algebra(checked(DATA + text)), frozenset({"q"}))
    reads = [(s.read, s.name, s.places) for s in table_scans(plan)]
    assert reads == [(Read.ROWS_OF_QUERY, "q", (0, 1)), (Read.STREAM, "s", (0,))]
    assert plan.queries[0].outputs[0].name.startswith("A")


# --- what is gathered


def gathered(queries: str) -> dict[str, str]:
    return dict(find_spreading(make_algebra(checked(DATA + queries))).gathered)


@pytest.mark.parametrize(
    "body",
    [
        "SELECT B FROM s [RANGE 3]",
        "SELECT A, SUM(A) FROM s [RANGE 4 SLIDE 2] GROUP BY A",
        "ISTREAM(SELECT s.A, C FROM s [RANGE 3], t [NOW] WHERE s.A = t.A)",
        "DSTREAM(SELECT t.A FROM s [RANGE 3], t [NOW] WHERE s.A = t.A)",
    ],
)
def test_shards_answer_where_others_have_no_say(body: str):
    assert gathered(f"q: {body};") == {}


def test_rows_are_gathered_where_others_have_a_say():
    ordered = "its rows are ordered among those of all shards"
    changed = "equal rows may be in several shards"
    assert gathered("q: SELECT A FROM s [NOW] ORDER BY A;") == {"q": ordered}
    assert gathered("q: ISTREAM(SELECT B FROM s [PARTITION BY A ROWS 1]);") == {"q": changed}
    assert gathered("q: DSTREAM(SELECT COUNT(*) FROM s [NOW] GROUP BY A);") == {"q": changed}
    assert gathered("p: SELECT A FROM s [NOW]; q: SELECT A FROM p;") == {
        "p": "other queries read it"
    }


def test_changes_are_spread_by_an_output_if_they_can_be():
    assert spread("q: ISTREAM(SELECT B FROM s [NOW] WHERE A > 1);") == ["spread by s.B"]
