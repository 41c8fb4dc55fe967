"""CQL over live rows: when answers come, what is kept, and what is saved. Expected answers by hand."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.languages.cql.kernel.driving import checked
from tests.live.cql_streams import At, live
from tests.live.driving import Driver, Step, arrivals

from horae.data.time_points import read_evaluation_times
from horae.engine.answers import one_of
from horae.engine.contract import Kernel, Wants
from horae.languages.cql.live.kernel import LiveCQLKernel
from horae.languages.cql.live.program import LiveCQL
from horae.languages.cql.plan.make_algebra import make_algebra
from horae.reference.cql import Fact

STREAM = "REGISTER STREAM s(A int);\n"
BOTH = "REGISTER STREAM s(A int, B int); REGISTER STREAM t(C string, A int, D double);\n"


def rows_at(answers: pa.Table) -> list[tuple[int, list[object]]]:
    """Of one query."""
    names = [name for name in answers.column_names if ":" in name]
    found = sorted(answers.to_pylist(), key=lambda a: (a["time"], a["query"], a["rank"]))
    return [(answer["time"], [answer[name] for name in names]) for answer in found]


def run(text: str, facts: Sequence[Fact], at: At, lateness: int = 0) -> list[Step]:
    """One row in each micro-batch, and a restart after each."""
    program, rows = live(text, facts, at)
    driver = Driver(program, lateness, restart=lambda _: True)
    return driver.run(rows, [[row] for row in range(rows.num_rows)])


def given(steps: Sequence[Step]) -> list[tuple[int | None, list[tuple[int, list[object]]]]]:
    """By what was decided; steps without answers are left out."""
    return [(s.until, rows_at(s.answers)) for s in steps if s.answers.num_rows]


# --- when answers come


def test_a_time_is_answered_once_no_row_at_it_can_come():
    """With lateness 1, the row at 5 decides everything up to 3; the one at 7 up to 5."""
    facts: list[Fact] = [("s", (1,), 2), ("s", (2,), 5), ("s", (3,), 4), ("s", (4,), 7)]
    steps = run(STREAM + "q: SELECT A FROM s [RANGE 2];", facts, "events", lateness=1)
    assert given(steps) == [
        (3, [(2, [1])]),
        (5, [(4, [1]), (4, [3]), (5, [2]), (5, [3])]),
        (None, [(7, [2]), (7, [4])]),
    ]


def test_changes_go_from_one_micro_batch_to_the_next():
    """The windows hold {1}, {1, 1}, {1, 2}: as bags one 1 is new, then a 2, and a 1 has left."""
    facts: list[Fact] = [("s", (1,), 0), ("s", (1,), 1), ("s", (2,), 2)]
    body = "SELECT A FROM s [ROWS 2]"
    steps = run(STREAM + f"more: ISTREAM({body}); less: DSTREAM({body});", facts, "events")
    assert given(steps) == [
        (0, [(0, [1])]),
        (1, [(1, [1])]),
        (None, [(2, [1]), (2, [2])]),
    ]
    last = [(a["query"], a["0:int"]) for a in steps[-1].answers.to_pylist()]
    assert sorted(last) == [("less", 1), ("more", 2)]


def test_answers_are_seen_by_windows_of_later_queries():
    """`new` answers 1 at 0, 2 at 3, 3 at 7. At 3 the window holds two, at 7 it is [4, 7]."""
    facts: list[Fact] = [("s", (1,), 0), ("s", (2,), 3), ("s", (3,), 7)]
    text = "new: ISTREAM(SELECT DISTINCT A FROM s [RANGE UNBOUNDED]);\n"
    text += "old: SELECT COUNT(*) FROM new [RANGE 3];"
    steps = run(STREAM + text, facts, "events")
    answers = pa.concat_tables([step.answers for step in steps])
    counts = rows_at(answers.filter(one_of(answers.column("query"), ["old"])))
    assert counts == [(0, [1]), (3, [2]), (7, [1])]


def test_relations_are_there_from_the_beginning():
    text = STREAM + "REGISTER RELATION r(A int, L string);\n"
    facts: list[Fact] = [("s", (1,), 3), ("r", (1, "x"), None), ("r", (2, "y"), None)]
    steps = run(text + "q: SELECT L FROM s [NOW], r WHERE s.A = r.A;", facts, "events")
    assert given(steps) == [(None, [(3, ["x"])])]


def test_a_grid_goes_from_the_first_row_to_the_last():
    """Multiples of 5 between 3 and 16: the row at 12 makes 5 and 10 known, the one at 16 makes 15 so."""
    facts: list[Fact] = [("s", (1,), 3), ("s", (2,), 4), ("s", (3,), 12), ("s", (4,), 16)]
    steps = run(STREAM + "q: SELECT COUNT(*) FROM s [RANGE 6];", facts, "every 5")
    assert given(steps) == [(11, [(5, [2]), (10, [1])]), (15, [(15, [1])])]


def test_a_list_is_answered_also_without_rows():
    facts: list[Fact] = [("s", (1,), 3)]
    steps = run(STREAM + "q: SELECT COUNT(*) FROM s [RANGE 6];", facts, [1, 3, 20])
    assert given(steps) == [(2, [(1, [0])]), (None, [(3, [1]), (20, [0])])]


def test_a_grid_waits_where_time_goes_on_without_rows():
    """Decided up to 12, but 10 is in the grid only if a row comes after it: the row at 7 stays."""
    program, rows = live(
        STREAM + "q: SELECT A FROM s [RANGE 3];", [("s", (1,), 7), ("s", (2,), 13)], "every 5"
    )
    kernel = program.start(0)
    kernel.add(rows.slice(0, 1))
    assert rows_at(kernel.decide(12)) == []
    kernel = program.restore(0, dict(kernel.save()))
    kernel.add(rows.slice(1))
    assert rows_at(kernel.decide(12)) == [(10, [1])]
    assert rows_at(kernel.finish()) == []


def test_a_row_after_the_decision_is_refused():
    program, rows = live(STREAM + "q: SELECT A FROM s [NOW];", [("s", (1,), 7)], "events")
    kernel = program.start(0)
    kernel.decide(7)
    with pytest.raises(ValueError, match="a row at 7 came when 7 was decided"):
        kernel.add(rows)


def test_all_rows_are_in_the_first_shard():
    """An aggregate without rows has an answer: the other shards must not give it too."""
    program, rows = live(
        STREAM + "q: SELECT COUNT(*) FROM s [NOW];", [("s", (1,), 0), ("s", (1,), 4)], "all"
    )
    steps = Driver(program, 0).run(rows, [[0, 1]])
    counts = [n for _, (n,) in rows_at(pa.concat_tables([s.answers for s in steps]))]
    assert counts == [1, 0, 0, 0, 1]
    assert program.width == 1
    assert [(shard, part.num_rows) for shard, part in program.route(rows)] == [(0, 2)]


@pytest.mark.parametrize(
    ("at", "wants"), [("events", Wants.ALL), ("every 3", Wants.ENDS), ("3,4", Wants.NOTHING)]
)
def test_what_is_wanted_of_the_whole_stream(at: str, wants: Wants):
    assert live(STREAM + "q: SELECT A FROM s [NOW];", [], at)[0].wants is wants


# --- what is kept


def kept(kernel: Kernel) -> int:
    assert isinstance(kernel, LiveCQLKernel)
    return kernel.kernel.streams["s"].rows.num_rows


def rows_kept(window: str, at: At) -> int:
    """Of one row at each time from 0 to 99, with A going from 0 to 3, when all before 99 is decided."""
    facts: list[Fact] = [("s", (time % 4,), time) for time in range(100)]
    program, rows = live(f"{STREAM}q: SELECT A FROM s [{window}];", facts, at)
    kernel = program.start(0)
    kernel.see(np.arange(100))
    kernel.add(rows)
    kernel.decide(98)
    assert kept(program.restore(0, dict(kernel.save()))) == kept(kernel)
    return kept(kernel)


@pytest.mark.parametrize(
    ("window", "count"),
    [
        ("NOW", 1),  # 99, which waits
        ("RANGE 5", 6),  # 94 …: at 99 they are in [94, 99]
        ("RANGE 5 SLIDE 2", 7),  # 93 …: at 99 the window is [93, 98]
        ("RANGE UNBOUNDED", 100),
        ("ROWS 3", 3),
        ("PARTITION BY A ROWS 2", 8),
    ],
)
def test_rows_that_a_window_can_see_at_the_next_event(window: str, count: int):
    assert rows_kept(window, "events") == count


@pytest.mark.parametrize(
    ("window", "count"), [("NOW", 0), ("RANGE 5", 5), ("RANGE UNBOUNDED", 100), ("ROWS 3", 3)]
)
def test_rows_that_a_window_can_see_at_the_next_point_of_a_grid(window: str, count: int):
    """The next one is 100."""
    assert rows_kept(window, "every 10") == count


@pytest.mark.parametrize("window", ["NOW", "RANGE 5", "RANGE UNBOUNDED", "ROWS 3"])
def test_after_the_last_time_of_a_list_nothing_is_kept(window: str):
    assert rows_kept(window, "50") == 0


QUERIES = """
a: SELECT A, COUNT(*) AS n FROM s [RANGE 5 SLIDE 2] GROUP BY A;
b: ISTREAM(SELECT A FROM s [PARTITION BY A ROWS 2]);
c: DSTREAM(SELECT A FROM s [ROWS 3]);
d: SELECT COUNT(*) FROM b [RANGE 4], c [ROWS 2];
e: SELECT A FROM s [NOW];
"""


def most_elements(length: int) -> int:
    """One row at each time, 20 in each micro-batch."""
    facts: list[Fact] = [("s", (time % 4,), time) for time in range(length)]
    program, rows = live(STREAM + QUERIES, facts, "events")
    batches = [range(start, start + 20) for start in range(0, length, 20)]
    return max(step.elements for step in Driver(program, 2).run(rows, batches))


def test_state_does_not_grow_with_the_stream():
    assert most_elements(4000) == most_elements(40)


# --- what is saved


def test_few_chunks_change_where_few_rows_come():
    """50,000 rows wait; ten more touch only the last of their 13 chunks."""
    facts: list[Fact] = [("s", (time % 7,), time) for time in range(50_010)]
    program, rows = live(STREAM + "q: SELECT A FROM s [RANGE UNBOUNDED];", facts, "60000")
    kernel = program.start(0)
    kernel.add(rows.slice(0, 50_000))
    before = dict(kernel.save())
    kernel.add(rows.slice(50_000, 10))
    after = dict(kernel.save())
    assert {name for name in before | after if before.get(name) != after.get(name)} == {
        "times",
        "stream/0/12",
    }


def test_a_result_that_stays_the_same_is_not_written_again():
    facts: list[Fact] = [("s", (time % 2,), time) for time in range(10)]
    program, rows = live(STREAM + "q: ISTREAM(SELECT DISTINCT A FROM s [ROWS 4]);", facts, "events")
    kernel = program.start(0)
    kernel.add(rows)
    kernel.decide(6)
    before = dict(kernel.save())
    kernel.decide(8)
    assert dict(kernel.save())["before/0/0"] == before["before/0/0"]


def test_names_of_any_characters():
    """Chunks of the query `b/0` are not taken for those of `b`."""
    text = 'REGISTER STREAM "s/0"(A int);\n"b/0": SELECT A FROM "s/0" [NOW];\n'
    text += 'b: ISTREAM(SELECT A FROM "b/0" [RANGE 1]); c: SELECT A FROM b [ROWS 1];'
    steps = run(text, [("s/0", (1,), 0), ("s/0", (2,), 1)], "events")
    assert given(steps) == [
        (0, [(0, [1])] * 3),
        (None, [(1, [2])] * 3),
    ]


def test_minus_zero_is_zero_in_every_micro_batch():
    text = "REGISTER STREAM s(A double);\nq: ISTREAM(SELECT A FROM s [ROWS 1]);"
    steps = run(text, [("s", (0.0,), 0), ("s", (-0.0,), 1)], "events")
    assert given(steps) == [(0, [(0, [0.0])])]


# --- rows and programs


def test_rows_of_all_streams_share_columns_of_the_same_type():
    program, rows = live(
        BOTH + "q: SELECT A FROM s [NOW];",
        [("s", (1, 2), 5, 3), ("t", ("x", 4, 0.5), 6)],
        "events",
    )
    assert rows.schema == program.rows
    assert rows.to_pylist() == [
        _row(name="s", time=5, order="3", int0=1, int1=2),
        _row(name="t", time=6, string0="x", int0=4, double0=0.5),
    ]
    apart = program.layout.unpack(rows)
    assert apart["s"].to_pylist() == [{"c0": 1, "c1": 2, "time": 5, "order": "3"}]
    assert apart["t"].to_pylist() == [{"c0": "x", "c1": 4, "c2": 0.5, "time": 6, "order": None}]


def _row(**values: object) -> dict[str, object]:
    names = ("name", "time", "order", "int0", "int1", "string0", "double0")
    return {name: values.get(name) for name in names}


def test_columns_in_any_order_and_kind_of_text():
    """Rows and relations from elsewhere: large texts, columns that are declared to have no nulls."""
    text = "REGISTER STREAM s(A string); REGISTER RELATION r(A string, B int);\n"
    plan = make_algebra(checked(text + "q: SELECT B FROM s [NOW], r WHERE s.A = r.A;"))
    relation = pa.table({"c1": pa.array([7]), "c0": pa.array(["x"], pa.large_string())})
    kernel = LiveCQL(plan, relations={"r": relation}).start(0)
    for time in (1, 2):
        names = [pa.field(n, pa.large_string(), nullable=False) for n in ("string0", "name")]
        whole: Any = [*names, pa.field("time", pa.int64()), pa.field("order", pa.string())]
        kernel.add(pa.table([["x"], ["s"], [time], [None]], schema=pa.schema(whole)))
    assert rows_at(kernel.finish()) == [(1, [7]), (2, [7])]


def test_a_row_of_no_stream_is_refused():
    program, rows = live(STREAM + "q: SELECT A FROM s [NOW];", [("s", (1,), 7)], "events")
    wrong = rows.set_column(0, "name", pa.array(["u"]))
    with pytest.raises(ValueError, match="a row belongs to none of s"):
        program.start(0).add(wrong)


def fingerprint(query: str, at: str, relation: list[int]) -> str:
    text = STREAM + f"REGISTER RELATION r(A int);\nq: {query};"
    relations = {"r": pa.table({"c0": pa.array(relation, pa.int64())})}
    return LiveCQL(make_algebra(checked(text)), read_evaluation_times(at), relations).fingerprint


def test_a_fingerprint_knows_program_times_and_relations():
    query, other = "SELECT A FROM s [NOW]", "SELECT A FROM s [ROWS 1]"
    first = fingerprint(query, "events", [1, 2])
    assert fingerprint(query, "events", [2, 1]) == first
    others = [
        fingerprint(other, "events", [1, 2]),
        fingerprint(query, "all", [1, 2]),
        fingerprint(query, "events", [1, 3]),
        fingerprint(query, "events", [1, 2, 2]),
    ]
    assert len({first, *others}) == 5


def test_the_driver_makes_no_row_late():
    """A row in a micro-batch is not before the greatest time of those before, minus the lateness."""
    rng = Random("arrivals")
    times = [rng.randint(0, 30) for _ in range(60)]
    came = [times[row] for row in arrivals(rng, times, 4)]
    assert all(time >= max(came[:i], default=0) - 4 for i, time in enumerate(came))
    assert came != sorted(came)
