"""Windows that hold many rows at many times: the work is in proportion to rows and answers.

Work is the number of rows of all operators together. If rows were spread over the evaluation times,
it would be in proportion to the square of COUNT.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.languages.cql.kernel.driving import answers, checked

from horae.languages.cql.kernel.nodes import Nodes

S = "REGISTER STREAM s(A int, B double); "
COUNT = 3000


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    found: list[int] = []
    compute = Nodes._compute

    def counted(self: Nodes, node: Any) -> Any:
        table = compute(self, node)
        found.append(table.num_rows)
        return table

    monkeypatch.setattr(Nodes, "_compute", counted)
    return found


def rows(text: str) -> list[list[Any]]:
    """A row at each time point: `A` is 0, 1, 2, 0, …, `B` the time."""
    facts = [("s", (time % 3, float(time)), time) for time in range(COUNT)]
    return [a["row"] for a in answers(checked(S + text), facts, range(COUNT))]


def test_aggregates_without_bound(work: list[int]):
    found = rows("SELECT COUNT(*), SUM(B), AVG(A), MIN(B), MAX(B) FROM s [RANGE UNBOUNDED]")
    sums = [time * (time + 1) / 2 for time in range(COUNT)]
    assert [row[:2] for row in found] == [[time + 1, sums[time]] for time in range(COUNT)]
    assert found[-1][2:] == [1.0, 0.0, COUNT - 1.0]
    assert sum(work) <= 10 * COUNT


@pytest.mark.parametrize("window", ["RANGE 999", "ROWS 1000"])
def test_aggregates_of_groups(window: str, work: list[int]):
    found = rows(f"SELECT A, COUNT(*), MIN(B), COUNT(DISTINCT A) FROM s [{window}] GROUP BY A")
    last = [[a, 333 + (a == 2), COUNT - 1000 + (a + 1) % 3, 1] for a in range(3)]
    assert [row[:2] for row in found[-3:]] == [row[:2] for row in last]
    assert sum(work) <= 20 * COUNT


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("ISTREAM(SELECT A, B FROM s [RANGE UNBOUNDED])", COUNT),
        ("ISTREAM(SELECT A FROM s [RANGE UNBOUNDED])", COUNT),
        ("DSTREAM(SELECT B FROM s [ROWS 1000])", COUNT - 1000),
        ("ISTREAM(SELECT DISTINCT A FROM s [RANGE UNBOUNDED])", 3),
        ("ISTREAM(SELECT x.B FROM s [RANGE UNBOUNDED] x, s [ROWS 500] y WHERE x.B = y.B)", COUNT),
        (
            "ISTREAM(SELECT B FROM s [RANGE UNBOUNDED] EXCEPT ALL SELECT B FROM s [RANGE 9])",
            COUNT - 10,
        ),
        ("SELECT B FROM s [RANGE UNBOUNDED] ORDER BY B DESC LIMIT 1", COUNT),
        (
            "ISTREAM(SELECT B FROM s [RANGE UNBOUNDED] WHERE EXISTS (SELECT A FROM s [RANGE 1000]))",
            COUNT,
        ),
        ("a: SELECT MAX(B) AS m FROM s [RANGE UNBOUNDED]; b: ISTREAM(SELECT m FROM a)", 2 * COUNT),
    ],
)
def test_what_changes(text: str, count: int, work: list[int]):
    assert len(rows(text)) == count
    assert sum(work) <= 20 * COUNT
