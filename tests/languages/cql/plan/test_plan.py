"""Plans of CQL queries, operator by operator."""

from __future__ import annotations

from textwrap import dedent

from tests.languages.cql.kernel.driving import checked

from horae.languages.cql.plan.algebra import TAU, Join, Read, TableScan, node_columns
from horae.languages.cql.plan.make_algebra import make_algebra
from horae.languages.cql.plan.print_algebra import print_algebra
from horae.languages.cql.plan.walk import nodes_of, shared_nodes, table_scans

DATA = """
REGISTER STREAM tram(ID string, X string, T1 int);
REGISTER RELATION line(ID string, L string);
REGISTER RELATION plan(L string, X string, Y string, Z int);
"""


def explained(text: str) -> str:
    return "\n".join(print_algebra(make_algebra(checked(DATA + text)))) + "\n"


def expect(text: str, words: str) -> None:
    assert explained(text) == dedent(words).removeprefix("\n")


def test_equalities_become_keys_and_the_rest_filters_early():
    """Only columns that are used are read. The stream comes first, then what is connected."""
    expect(
        """exp: SELECT tram.ID, plan.Y, T2 FROM plan, tram [PARTITION BY ID ROWS 1], line
           WHERE tram.ID = line.ID AND line.L = plan.L AND tram.X = plan.X AND plan.Z > 3
           AND T2 = tram.T1 + plan.Z""",
        """
        exp: rstream of ID_9, Y_10, T2_11
          project tau, ID_9 = ID_4, Y_10 = Y_2, T2_11 = (T1_6 + Z_3)
            join on ID_4 = ID_7, L_0 = L_8
              join on X_5 = X_1
                stream tram [PARTITION BY ID ROWS 1]: ID_4, X_5, T1_6
                relation plan: L_0, X_1, Y_2, Z_3 where Z_3 > 3
              relation line: ID_7, L_8
        """,
    )


def test_conditions_that_can_fail_come_last():
    expect(
        "q: SELECT X FROM tram [NOW] WHERE 10 / T1 > 2 AND X = 'p1' AND T1 != 0",
        """
        q: rstream of X_2
          project tau, X_2 = X_0
            filter (10 / T1_1) > 2
              stream tram [NOW]: X_0, T1_1 where X_0 = 'p1' AND T1_1 != 0
        """,
    )


def test_a_subquery_is_evaluated_for_the_rows_around_it():
    """Its context has the evaluation time and the outer column it reads."""
    expect(
        """q: SELECT L FROM line WHERE NOT EXISTS
           (SELECT X FROM tram [RANGE 5] WHERE tram.ID = line.ID AND T1 > 3)""",
        """
        q: rstream of L_7
          project tau, L_7 = L_1
            filter NOT (found_6)
              mark found_6: a row with the same tau, ID_0
                #1 join on nothing
                  evaluation times
                  relation line: ID_0, L_1
                project tau, ID_0, X_5 = X_3
                  join on tau, ID_0 = ID_2
                    distinct
                      project tau, ID_0
                        #1
                    stream tram [RANGE 5]: ID_2, X_3, T1_4 where T1_4 > 3
        """,
    )


def test_groups_compute_their_keys_first():
    expect(
        "q: SELECT T1 + 1, COUNT(*), SUM(T1 * 2) FROM tram [ROWS 3] GROUP BY T1 + 1 HAVING COUNT(*) > 1",
        """
        q: rstream of column1_5, count_6, sum_7
          project tau, column1_5 = key_1, count_6 = count_2, sum_7 = sum_4
            filter count_2 > 1
              group by tau, key_1: count_2 = COUNT(*), sum_4 = SUM(argument_3)
                project tau, key_1 = (T1_0 + 1), argument_3 = (T1_0 * 2)
                  stream tram [ROWS 3]: T1_0
        """,
    )


def test_one_group_exists_for_every_evaluation_time():
    assert "COUNT(*), also of no rows" in explained("q: SELECT COUNT(*) FROM tram [NOW]")


def test_what_is_read():
    text = """a: SELECT ID FROM tram [NOW]; b: SELECT a.ID FROM a, line WHERE a.ID = line.ID;
              c: SELECT ID FROM a [RANGE 3 SLIDE 2]"""
    scans = table_scans(make_algebra(checked(DATA + text)))
    assert [(scan.name, scan.read) for scan in scans] == [
        ("tram", Read.STREAM),
        ("a", Read.ROWS_OF_QUERY),
        ("line", Read.RELATION),
        ("a", Read.ANSWERS_OF_QUERY),
    ]
    assert [TAU in node_columns(scan) for scan in scans] == [True, True, False, True]


def test_joins_keep_the_evaluation_time():
    plan = make_algebra(checked(DATA + "SELECT a.X FROM tram [NOW] AS a, tram [ROWS 2] AS b"))
    (join,) = (node for node in nodes_of(plan) if isinstance(node, Join))
    assert join.shared == (TAU,)
    assert isinstance(join.left, TableScan)
    assert join.left.name == "tram"


def test_names_are_unique():
    text = "SELECT a.X, b.X FROM tram [NOW] AS a, tram [NOW] AS b WHERE a.X = b.X"
    plan = make_algebra(checked(DATA + text))
    names = [column.name for scan in table_scans(plan) for column in scan.columns]
    assert len(names) == len(set(names)) == 2
    assert not shared_nodes(plan)
