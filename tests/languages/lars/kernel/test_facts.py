"""Columns of facts become what the kernel takes: each fact at its time points, one by one."""

from __future__ import annotations

from fractions import Fraction

import pyarrow as pa
import pytest

from horae.data.constants import Value
from horae.data.fact_columns import coded_rows, facts_of_rows, to_columns
from horae.data.facts import read_fact_text
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS, Interval, point
from horae.data.predicate_facts import PredicateFacts, columns_of_facts, ground_facts
from horae.languages.lars.kernel.codes import NOTHING, Codes
from horae.languages.lars.kernel.facts import (
    StreamCheck,
    encode,
    moments,
    spans_of,
    time_points_of,
    with_times,
)
from horae.source.errors import InputError

FACTS = """
tram(a1,p1)@36
tram("a 2",7)@40
tram(-3,1/2)@[3,5]
tram(x,y)@(5/2,4)
tram(x,z)@(1/3,2/3)
tram(123456789012345678901234567890,9223372036854775807)@7
line(a1,l1)
tram(b,b)
up@[0,1]
up
"""
ATOMS = [
    *read_fact_text(FACTS, {}, others=True),
    *columns_of_facts(
        GroundFact("tram", ("o", 1), point(Fraction(9)), order) for order in (4, "z", None)
    ),
]


def _through_rows(facts: list[PredicateFacts], *, coded: bool) -> list[PredicateFacts]:
    if coded:
        return facts_of_rows(coded_rows(facts))
    return facts_of_rows(pa.Table.from_batches([to_columns(ground_facts(facts))]))


Atom = tuple[str, tuple[Value, ...], int, Value | None]


def _atoms(facts: list[PredicateFacts]) -> list[Atom]:
    """Of the logs; with time -1, background data."""
    codes = Codes()
    encoded = encode(facts, codes)
    found: list[Atom] = [
        (name, tuple(codes.decode(row)), -1, None)
        for name, relation in encoded.static.items()
        for row in relation.arguments
    ]
    for name, log in encoded.logs.items():
        for row, time, order in zip(log.arguments, log.times, log.order, strict=True):
            tie = None if order == NOTHING else codes.value(int(order))
            found.append((name, tuple(codes.decode(row)), int(time), tie))
    return sorted(found, key=str)


def _one_by_one(facts: list[GroundFact]) -> list[Atom]:
    found = [
        (f.predicate, f.arguments, time, f.order)
        for f in facts
        for time in ([-1] if f.interval == ALWAYS else time_points_of(f))
    ]
    return sorted(found, key=str)


@pytest.mark.parametrize("coded", [True, False, None])
def test_each_fact_is_at_its_time_points(coded: bool | None):
    expected = _one_by_one([f for part in ATOMS for f in ground_facts([part])])
    facts = ATOMS if coded is None else _through_rows(ATOMS, coded=coded)
    assert _atoms(facts) == expected
    assert len(expected) == 15


def test_time_points_are_those_of_intervals():
    assert moments(map(spans_of, map(with_times, ATOMS))).tolist() == [0, 1, 3, 4, 5, 7, 9, 36, 40]


WRONG = [
    (point(Fraction(1, 2)), "it is not a whole number"),
    (point(Fraction(-1)), "it is before 0"),
    (Interval(Fraction(3), None), "it has no end"),
    (Interval(None, Fraction(3)), "it has no "),
    (point(Fraction(2**62 + 1)), "it is too large"),
    (point(Fraction(2**70)), "it is too large"),
    (Interval(Fraction(0), Fraction(10**6)), "it is too long"),
    (Interval(Fraction(1, 3), Fraction(10**7, 3)), "it is too long"),
]


@pytest.mark.parametrize(("interval", "why"), WRONG)
def test_other_times_are_refused(interval: Interval, why: str):
    facts = [GroundFact("p", ("a",), point(Fraction(1))), GroundFact("p", ("b",), interval)]
    with pytest.raises(InputError, match=rf"INP040: `p\(b\)` .*{why}"):
        encode(columns_of_facts(facts), Codes())


@pytest.mark.parametrize(("interval", "why"), WRONG)
def test_the_first_refused_fact_is_told(interval: Interval, why: str):
    good, bad = point(Fraction(1)), GroundFact("p", ("b",), interval)
    facts = [GroundFact("q", (), good), GroundFact("p", ("a",), good), GroundFact("s", (), ALWAYS)]
    check = StreamCheck({"s"})
    check(columns_of_facts(facts))
    with pytest.raises(InputError, match=why) as error:
        check(columns_of_facts([*facts, bad, GroundFact("s", (), good)]))
    assert error.value.row == 4
    with pytest.raises(InputError, match="`s`") as error:
        check(columns_of_facts([*facts, GroundFact("s", (), good), bad]))
    assert error.value.row == 4


def test_a_predicate_has_one_arity():
    facts = [GroundFact("p", ("a",) * width, point(Fraction(1))) for width in (1, 2)]
    with pytest.raises(InputError, match="INP021"):
        _through_rows(columns_of_facts(facts), coded=False)


def test_codes_of_numbers():
    codes = Codes()
    numbers = [0, 7, 2**62, 2**62 + 1, -1, -5, 7, -1]
    assert codes.encode_numbers(pa.array(numbers).to_numpy()).tolist() == [
        codes.code(n) for n in numbers
    ]
