"""Columns of facts become what the kernel takes, as facts in process do."""

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

from horae.data.fact_columns import timed_rows, to_columns
from horae.data.facts import read_fact_text
from horae.data.ground_facts import GroundFact
from horae.data.intervals import Interval, point
from horae.data.predicate_facts import ground_facts
from horae.languages.lars.kernel.codes import Codes
from horae.languages.lars.kernel.encode_rows import encode_rows, moments
from horae.languages.lars.kernel.facts import encode
from horae.source.errors import InputError

FACTS = """
tram(a1,p1)@36
tram("a 2",7)@40
tram(-3,1/2)@[3,5]
tram(x,y)@(5/2,4)
tram(x,z)@(1/3,2/3)
line(a1,l1)
tram(b,b)
up@[0,1]
up
"""


def rows_of(facts: list[GroundFact]) -> pa.Table:
    return pa.Table.from_batches([to_columns(facts)])


def test_as_in_process():
    facts = ground_facts(read_fact_text(FACTS, {}, others=True))
    facts += [GroundFact("tram", ("o", 1), point(Fraction(9)), order) for order in (4, "z", None)]
    codes, others = Codes(), Codes()
    found, expected = encode_rows(rows_of(facts), codes), encode(facts, others)
    assert found.static.keys() == expected.static.keys() == {"line", "tram", "up"}
    assert found.logs.keys() == expected.logs.keys() == {"tram", "up"}
    for name, relation in expected.static.items():
        mine = found.static[name]
        assert [codes.decode(row) for row in mine.arguments] == [
            others.decode(row) for row in relation.arguments
        ]
        assert np.array_equal(mine.lo, relation.lo)
        assert np.array_equal(mine.hi, relation.hi)
    for name, log in expected.logs.items():
        rows = found.logs[name]
        assert [codes.decode(row) for row in rows.arguments] == [
            others.decode(row) for row in log.arguments
        ]
        assert rows.times.tolist() == log.times.tolist()
        assert _orders(rows.order, codes) == _orders(log.order, others)


def _orders(column: np.ndarray, codes: Codes) -> list[object]:
    return [None if code < 0 else codes.value(code) for code in column.tolist()]


def test_time_points_are_those_of_intervals():
    rows = timed_rows(rows_of(ground_facts(read_fact_text(FACTS, {}, others=True))))
    assert moments(rows).tolist() == [0, 1, 3, 4, 5, 36, 40]


@pytest.mark.parametrize(
    ("interval", "why"),
    [
        (point(Fraction(1, 2)), "it is not a whole number"),
        (point(Fraction(-1)), "it is before 0"),
        (Interval(Fraction(3), None), "it has no end"),
        (Interval(None, Fraction(3)), "it has no "),
        (point(Fraction(2**62 + 1)), "it is too large"),
        (Interval(Fraction(0), Fraction(10**6)), "it is too long"),
    ],
)
def test_other_times_are_refused(interval: Interval, why: str):
    facts = [GroundFact("p", ("a",), point(Fraction(1))), GroundFact("p", ("b",), interval)]
    with pytest.raises(InputError, match=f"INP040: .*{why}"):
        encode_rows(rows_of(facts), Codes())


def test_a_predicate_has_one_arity():
    facts = [GroundFact("p", ("a",) * width, point(Fraction(1))) for width in (1, 2)]
    with pytest.raises(InputError, match="INP021"):
        encode_rows(rows_of(facts), Codes())
