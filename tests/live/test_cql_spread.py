"""CQL queries in several shards: what shards do, and what is gathered. Expected answers by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from tests.live.cql_streams import At, live
from tests.live.driving import Driver, Stage, Step

import horae
from horae.data.key_homes import hash_column
from horae.engine.contract import Wants, stages_of
from horae.languages.cql.kernel.answers import sorted_answers
from horae.languages.cql.live.join import LiveCQLJoin
from horae.languages.cql.live.kernel import LiveCQLKernel
from horae.languages.cql.live.parts import homes_of_rows
from horae.languages.cql.live.program import LiveCQL
from horae.languages.cql.plan.asked import only_asked
from horae.reference.cql import Fact
from horae.source.errors import InputError

SHARDS = 3
DATA = """
REGISTER STREAM s(A int, B string);
REGISTER STREAM t(A int, C double);
REGISTER RELATION r(A int, L string);
"""
Answers = list[tuple[int, str, list[object]]]


def program(queries: str, facts: Sequence[Fact] = (), at: At = "events") -> LiveCQL:
    return live(DATA + queries, facts, at, SHARDS)[0]


def steps(queries: str, facts: Sequence[Fact], at: At = "events") -> list[Step]:
    """One row in each micro-batch, and a restart after each."""
    found, unordered = live(DATA + queries, facts, at, SHARDS)
    rows = unordered.sort_by("time")
    driver = Driver(found, 0, restart=lambda _: True)
    return driver.run(rows, [[row] for row in range(rows.num_rows)])


def answers(queries: str, facts: Sequence[Fact], at: At = "events") -> Answers:
    tables = [step.answers for step in steps(queries, facts, at)]
    found = sorted_answers(pa.concat_tables(tables), program(queries).plan.program)
    return [(a["time"], a["query"], a["row"]) for a in found]


def join_of(found: LiveCQL) -> LiveCQLJoin:
    assert found.later is not None
    return found.later


def s_rows(*rows: tuple[int, int, str]) -> list[Fact]:
    """Time, A, B."""
    return [("s", (a, b), time) for time, a, b in rows]


# --- queries that are spread


def test_groups():
    """Ten keys over three shards; ranks go through all of them."""
    query = "q: SELECT A, COUNT(*) AS n FROM s [RANGE 2] GROUP BY A;"
    assert program(query).width == SHARDS
    facts = s_rows(*((0, n, "x") for n in range(9, -1, -1)), (2, 4, "y"), (3, 4, "z"))
    expected = [(0, "q", [n, 1]) for n in range(10)]
    expected += [(2, "q", [n, 2 if n == 4 else 1]) for n in range(10)]
    expected += [(3, "q", [4, 2])]
    assert answers(query, facts) == expected


def test_a_join_by_key():
    query = "q: SELECT s.A, C FROM s [RANGE 1], t [NOW] WHERE s.A = t.A ORDER BY C DESC;"
    assert program(query).width == SHARDS
    facts: list[Fact] = [*s_rows(*((0, n, "x") for n in range(4)))]
    facts += [("t", (n, n / 2), 1) for n in range(2, 6)]
    assert answers(query, facts) == [(1, "q", [3, 1.5]), (1, "q", [2, 1.0])]


def test_an_int_meets_the_double_that_it_equals():
    query = "q: SELECT s.A, t.A FROM s [RANGE 9], t [NOW] WHERE s.A = t.C;"
    facts: list[Fact] = [*s_rows(*((0, n, "x") for n in range(6)))]
    facts += [("t", (n, float(n)), 1) for n in range(6)] + [("t", (7, 0.5), 1)]
    assert program(query).parts[0].pivots == {"s": 0, "t": 1}
    assert answers(query, facts) == [(1, "q", [n, n]) for n in range(6)]


def test_the_last_row_of_each_key():
    query = "q: SELECT B FROM s [PARTITION BY A ROWS 1];"
    assert program(query).parts[0].pivots == {"s": 0}
    facts = s_rows((0, 1, "a"), (1, 2, "b"), (2, 3, "c"), (3, 1, "d"))
    assert answers(query, facts) == [
        *((0, "q", [b]) for b in "a"),
        *((1, "q", [b]) for b in "ab"),
        *((2, "q", [b]) for b in "abc"),
        *((3, "q", [b]) for b in "bcd"),
    ]


def test_relations_are_in_all_shards():
    query = "q: SELECT L, s.A FROM s [NOW], r WHERE s.A >= r.A;"
    relation: list[Fact] = [("r", (2, "two"), None), ("r", (4, "four"), None)]
    assert answers(query, [*relation, *s_rows(*((0, n, "x") for n in range(6)))]) == [
        *((0, "q", ["four", n]) for n in (4, 5)),
        *((0, "q", ["two", n]) for n in (2, 3, 4, 5)),
    ]


def test_a_subquery_of_the_same_key():
    """Who is in s, but has not been in t for two time points."""
    query = """q: SELECT A FROM s [NOW]
        WHERE NOT EXISTS (SELECT C FROM t [RANGE 2] WHERE t.A = s.A);"""
    facts: list[Fact] = [("t", (n, 0.0), n) for n in range(4)]
    facts += s_rows(*((4, n, "x") for n in range(5)))
    assert answers(query, facts) == [(4, "q", [n]) for n in (0, 1, 4)]


def test_duplicates_of_a_bag_stay():
    query = "q: SELECT B FROM s [RANGE 1];"
    facts = s_rows((0, 1, "x"), (0, 1, "x"), (0, 2, "x"), (1, 3, "x"))
    assert answers(query, facts) == [(0, "q", ["x"])] * 3 + [(1, "q", ["x"])] * 4


# --- changes


def test_changes_are_those_of_all_shards_together():
    """An x goes from one shard's key to another's: as a bag nothing changes."""
    body = "SELECT B FROM s [PARTITION BY A ROWS 1]"
    text = f"more: ISTREAM({body}); less: DSTREAM({body});"
    assert {q.name for part in program(text).parts for q in part.plan.queries} == {"more", "less"}
    facts = s_rows((0, 1, "x"), (1, 2, "y"), (2, 1, "y"), (2, 2, "x"), (3, 4, "y"))
    assert answers(text, facts) == [(0, "more", ["x"]), (1, "more", ["y"]), (3, "more", ["y"])]


def test_changes_are_told_by_shards_that_have_all_equal_rows():
    """By the output B, since by A they would have to be gathered."""
    found = program("q: ISTREAM(SELECT B FROM s [RANGE 1] WHERE A > 0);")
    assert (found.parts[0].pivots, found.later) == ({"s": 1}, None)
    facts = s_rows((0, 1, "x"), (1, 2, "y"), (1, 3, "x"), (2, 4, "x"), (4, 5, "x"))
    text = "more: ISTREAM(SELECT B FROM s [RANGE 1]); less: DSTREAM(SELECT B FROM s [RANGE 1]);"
    assert answers(text, facts) == [
        (0, "more", ["x"]),
        (1, "more", ["x"]),
        (1, "more", ["y"]),
        (4, "less", ["x"]),
        (4, "less", ["y"]),
    ]


def test_the_rank_of_a_change_is_its_place_among_all_changes():
    """By A descending: at 1 the new row 3 comes before the new row 1; the row 2 was there."""
    text = "q: ISTREAM(SELECT A FROM s [RANGE 5] ORDER BY A DESC);"
    found = steps(text, s_rows((0, 2, "x"), (1, 1, "x"), (1, 3, "x")))
    table = pa.concat_tables([step.answers for step in found])
    ordered = table.sort_by([("time", "ascending"), ("rank", "ascending")])
    assert [(a["time"], a["0:int"], a["rank"]) for a in ordered.to_pylist()] == [
        (0, 2, 0),
        (1, 3, 0),
        (1, 1, 1),
    ]


def test_hidden_columns_of_the_order_are_gathered():
    query = "q: SELECT A FROM s [NOW] ORDER BY B;"
    facts = s_rows((0, 1, "c"), (0, 2, "b"), (0, 3, "a"))
    assert answers(query, facts) == [(0, "q", [n]) for n in (3, 2, 1)]


# --- queries that are not


def test_queries_over_spread_queries():
    """`p` as a relation, and as a stream: at 2 the window holds the answers since 1."""
    text = """p: ISTREAM(SELECT A FROM s [RANGE UNBOUNDED]);
        now: SELECT COUNT(*) FROM p; last: SELECT COUNT(*) FROM p [RANGE 1];"""
    facts = s_rows((0, 1, "x"), (0, 2, "x"), (1, 3, "x"), (2, 4, "x"))
    assert answers(text, facts) == [
        (0, "last", [2]),
        (0, "now", [2]),
        (0, "p", [1]),
        (0, "p", [2]),
        (1, "last", [3]),
        (1, "now", [3]),
        (1, "p", [3]),
        (2, "last", [2]),
        (2, "now", [4]),
        (2, "p", [4]),
    ]


def test_an_aggregate_of_all_rows_is_in_one_place():
    """Beside a spread query, its rows come to the join, and only they."""
    text = (
        "sum: SELECT COUNT(*) FROM s [NOW]; each: SELECT A, COUNT(*) AS n FROM t [NOW] GROUP BY A;"
    )
    found = program(text)
    assert join_of(found).reads == {"s"}
    facts: list[Fact] = [*s_rows((0, 1, "x"), (0, 2, "x"), (2, 1, "x")), ("t", (5, 0.5), 1)]
    assert answers(text, facts, "all") == [
        (0, "sum", [2]),
        (1, "each", [5, 1]),
        (1, "sum", [0]),
        (2, "sum", [1]),
    ]


def test_nothing_to_spread():
    found = program("q: SELECT COUNT(*) FROM s [NOW];")
    assert (found.width, found.later, found.parts) == (1, None, ())


def test_one_shard_needs_no_second_stage():
    found, _ = live(DATA + "q: SELECT A FROM s [NOW];", [], "events")
    assert (found.width, found.later) == (1, None)


# --- nulls


def test_nulls_of_aggregates_are_compared_in_the_shard():
    """The maximum of nothing is null: IN is unknown there, and so is its negation."""
    query = """q: SELECT A FROM s [NOW]
        WHERE NOT 1.0 IN (SELECT MAX(C) FROM t [RANGE 9] WHERE t.A = s.A);"""
    assert program(query).width == SHARDS
    facts: list[Fact] = [("t", (1, 1.0), 0), ("t", (2, 2.0), 0)]
    assert answers(query, [*facts, *s_rows(*((1, n, "x") for n in range(5)))]) == [(1, "q", [2])]


def test_equal_values_have_one_home():
    shards = 1000
    ints = homes_of_rows(pa.array([0, 3, -7, 2**62, None]), shards)
    doubles = homes_of_rows(pa.array([-0.0, 3.0, -7.0, 2.0**62, None]), shards)
    assert ints.tolist() == doubles.tolist()
    assert len(set(ints.tolist())) == 5
    texts = homes_of_rows(pa.array(["", "x", None, "x"]), shards)
    assert texts[1] == texts[3] != texts[0]
    assert texts[2] == ints[4] == 0
    assert len(set(homes_of_rows(pa.array([True, False]), shards).tolist())) == 2


def test_doubles_that_are_not_whole_are_spread_too():
    values = pa.array([n / 7 for n in range(1, 700) if n % 7])
    counts = np.bincount(homes_of_rows(values, 4), minlength=4)
    assert counts.min() > 100
    assert homes_of_rows(values, 10**6).tolist() == (hash_column(values) % 10**6).tolist()


# --- what cannot be computed


def failing(text: str, facts: Sequence[Fact], shards: int) -> str:
    """All times are evaluated together."""
    found, rows = live(DATA + text, facts, "events", shards)
    with pytest.raises(InputError) as raised:
        Driver(found, lateness=1000).run(rows, [range(rows.num_rows)])
    return str(raised.value).splitlines()[0]


@pytest.mark.parametrize("shards", [1, 2, 3, 4])
def test_the_earliest_of_the_first_faults(shards: int):
    """The condition fails for each row, in all shards; the one at 0 comes last."""
    text = "q: SELECT 6 / (A - 9) FROM s [NOW] WHERE 1 / (A - A) > 0 AND A < 100 ORDER BY 1;"
    facts = s_rows(*((n, 9 + n, "x") for n in range(1, 8)), (0, 9, "x"))
    assert failing(text, facts, shards) == (
        "RUN022: division by zero in `1 / (A - A)` (spec.cql:5:42, time 0)"
    )


@pytest.mark.parametrize("shards", [1, 2, 3, 4])
def test_an_operator_fails_before_those_that_read_it(shards: int):
    """The sum of 7 fails at 3, the output of 0 at 1: sums come before outputs."""
    total = "SUM(A * 1317624576693539401)"
    text = f"q: SELECT A, 1 / A, {total} FROM s [RANGE 9] GROUP BY A ORDER BY 1;"
    facts = s_rows((1, 0, "x"), (2, 3, "x"), (3, 7, "x"), (3, 7, "y"))
    expected = "RUN021: integer overflow in `SUM(A * 1317624576693539401)` (spec.cql:5:21, time 3)"
    assert failing(text, facts, shards) == expected


@pytest.mark.parametrize("shards", [1, 2, 3, 4])
def test_queries_fail_in_their_order(shards: int):
    """`b` fails at 0, but `a` is asked before it, whether it is spread or not."""
    spread, whole = "SELECT 1 / (A - 2) FROM s [NOW]", "SELECT 1 / (MAX(A) - 2) FROM s [NOW]"
    facts = s_rows((0, 1, "x"), (1, 2, "x"))
    for first in (f"{spread} ORDER BY 1", whole):
        text = f"a: {first};\nb: SELECT 1 / (A - 1) FROM s [NOW];"
        assert failing(text, facts, shards).endswith("(spec.cql:5:11, time 1)")


def test_a_shard_that_answers_tells_its_own_first_fault():
    """All rows have one key: one shard has them."""
    text = "q: SELECT A, 1 / (A - 1) FROM s [NOW];"
    found = failing(text, s_rows((2, 1, "x"), (1, 1, "x")), SHARDS)
    assert found == "RUN022: division by zero in `1 / (A - 1)` (spec.cql:5:14, time 1)"


def test_a_fault_of_an_answered_query_comes_in_its_turn():
    """`a` fails in a shard, `b` in the join."""
    text = "a: SELECT A, 1 / (A - 1) FROM s [NOW]; b: SELECT 1 / (MAX(A) - 1) FROM s [NOW];"
    found = failing(text, s_rows((0, 1, "x")), SHARDS)
    assert found == "RUN022: division by zero in `1 / (A - 1)` (spec.cql:5:14, time 0)"


# --- rows, state, programs


def test_rows_come_to_the_shards_that_read_them():
    """To one shard for each group of queries; those that nothing reads to the first one."""
    text = """a: SELECT A, COUNT(*) FROM s [NOW] GROUP BY A;
        b: SELECT B, COUNT(*) FROM s [NOW] GROUP BY B;"""
    facts: list[Fact] = [*s_rows(*((0, n, f"x{n}") for n in range(20))), ("t", (1, 0.5), 3)]
    found, rows = live(DATA + text, facts, "events", SHARDS)
    assert found.width == 2 * SHARDS
    parts = list(found.route(rows))
    counts = [sum(len(own) for shard, own in parts if shard // SHARDS == n) for n in (0, 1)]
    assert counts == [21, 20]
    assert [(shard, own.column("name").to_pylist()) for shard, own in parts][-1] == (0, ["t"])
    assert found.later is None


@pytest.mark.parametrize(
    ("at", "wants"), [("events", Wants.ALL), ("every 3", Wants.ENDS), ("3,4", Wants.NOTHING)]
)
def test_all_stages_see_the_same_times(at: str, wants: Wants):
    found = program("q: SELECT A FROM s [NOW] ORDER BY A;", at=at)
    assert found.wants is join_of(found).wants is wants


def test_shards_keep_their_rows_and_the_join_what_it_compares():
    text = """q: ISTREAM(SELECT A FROM s [RANGE 5] ORDER BY A);
        n: SELECT COUNT(*) FROM t [RANGE 5];"""
    facts: list[Fact] = [*s_rows(*((time, time, "x") for time in range(50)))]
    found, rows = live(DATA + text, facts, "events", SHARDS)
    shards, (join,) = decided(found, rows, 48)
    assert [rows_of(kernels) for kernels in (shards, [join])] == [6, 0]  # 44 … for the window at 49
    assert join.kernel.memory.before["q"].num_rows == 6  # 43 … 48


def test_shards_that_answer_keep_what_they_compare():
    text = "q: ISTREAM(SELECT A FROM s [RANGE 5]);"
    facts: list[Fact] = [*s_rows(*((time, time, "x") for time in range(50)))]
    found, rows = live(DATA + text, facts, "events", SHARDS)
    (shards,) = decided(found, rows, 48)
    assert sum(shard.kernel.memory.before["q"].num_rows for shard in shards) == 6  # 43 … 48


def decided(found: LiveCQL, rows: pa.Table, until: int) -> list[list[LiveCQLKernel]]:
    """The kernels of each stage after these rows."""
    stages = [Stage.started(stage) for stage in stages_of(found)]
    derived: list[pa.Table] = []
    for stage in stages:
        stage.see(np.unique(rows.column("time").to_numpy()))
        for shard, own in stage.program.route(rows):
            stage.kernels[shard].add(own)
        stage.decide(until, derived)
        derived += stage.derived()
    return [[k for k in stage.kernels if isinstance(k, LiveCQLKernel)] for stage in stages]


def rows_of(kernels: Sequence[LiveCQLKernel]) -> int:
    return sum(kept.rows.num_rows for k in kernels for kept in k.kernel.streams.values())


def most_elements(length: int) -> int:
    """One row at each time, 20 in each micro-batch; spread queries beside others and over each other."""
    text = """a: SELECT A, COUNT(*) AS n FROM s [RANGE 5 SLIDE 2] GROUP BY A;
        b: ISTREAM(SELECT B FROM s [PARTITION BY A ROWS 2]);
        c: DSTREAM(SELECT A FROM s [ROWS 3]);
        d: SELECT COUNT(*) FROM b [RANGE 4], c [ROWS 2];"""
    facts = s_rows(*((time, time % 4, f"x{time % 3}") for time in range(length)))
    found, rows = live(DATA + text, facts, "events", SHARDS)
    batches = [range(start, start + 20) for start in range(0, length, 20)]
    return max(step.elements for step in Driver(found, 2).run(rows, batches))


def test_state_does_not_grow_with_the_stream():
    assert most_elements(1200) == most_elements(120)


def test_the_report_says_how_a_stream_is_spread():
    found = horae.compile(DATA + "p: SELECT A FROM s [NOW]; q: SELECT A FROM p;", language="cql")
    lines = [" ".join(line.split()) for line in str(found.report).splitlines()]
    spread, gathered = (
        lines.index("stage 1, spread: rows of `p`"),
        lines.index("why `q`: it reads the query `p`"),
    )
    assert lines[spread + 1] == "reads `s` by `A`"
    assert gathered > lines.index("stage 2, in one shard: answers of `p`, `q`")


# --- some queries alone


HIDDEN = """a: SELECT A, COUNT(*) AS n FROM s [RANGE 5] GROUP BY A;
b: ISTREAM(SELECT n FROM a);
c: SELECT n FROM b [RANGE 3];
d: SELECT A FROM s [NOW] ORDER BY A LIMIT 1;
"""


@pytest.mark.parametrize("only", ["a", "b", "c", "d", "ac", "bd"])
def test_queries_that_are_not_answered(only: str):
    """Those that others read are computed, in their shards as in the join, and after restarts."""
    facts = s_rows((1, 1, "x"), (2, 2, "y"), (3, 1, "x"), (7, 1, "z"), (8, 3, "x"))
    whole, unordered = live(DATA + HIDDEN, facts, "events", SHARDS)
    rows = unordered.sort_by("time")
    hidden = replace(whole, plan=only_asked(whole.plan, only))
    assert hidden.fingerprint != whole.fingerprint
    batches = [[row] for row in range(rows.num_rows)]
    tables = [step.answers for step in Driver(hidden, 0, lambda _: True).run(rows, batches)]
    rows_found = sorted_answers(pa.concat_tables(tables), whole.plan.program)
    found = [(a["time"], a["query"], a["row"]) for a in rows_found]
    expected = [answer for answer in answers(HIDDEN, facts) if answer[1] in only]
    assert found == expected
    assert {query for _, query, _ in found} == {*only}
