"""Times of answers in the types of the input: which type, and the nearest time that it holds."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest

from horae.data.clock import Clock
from horae.data.typed_times import point_type, time_type, times_of_ticks
from horae.source.errors import InputError

US, NS, MS = pa.timestamp("us"), pa.timestamp("ns"), pa.timestamp("ms")
ZONED = pa.timestamp("us", "Europe/Rome")
CENTS = pa.decimal128(10, 2)
INT, DOUBLE = pa.int64(), pa.float64()


# --- which type


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], DOUBLE),
        ([None], DOUBLE),
        ([pa.int64()], INT),
        ([pa.int32(), pa.uint8()], INT),
        ([pa.float32()], DOUBLE),
        ([pa.int64(), pa.float64()], DOUBLE),
        ([pa.int64(), None], DOUBLE),
        ([CENTS], CENTS),
        ([CENTS, CENTS], CENTS),
        ([CENTS, pa.decimal128(12, 3)], DOUBLE),
        ([CENTS, None], DOUBLE),
        ([CENTS, pa.int64()], DOUBLE),
        ([US], US),
        ([NS], NS),
        ([MS], US),
        ([pa.timestamp("s")], US),
        ([MS, NS], NS),
        ([pa.date32()], US),
        ([pa.date32(), NS], NS),
        ([ZONED], ZONED),
        ([US, ZONED], ZONED),
        ([US, pa.int64()], DOUBLE),
        ([US, None], US),
        ([pa.string()], DOUBLE),
        ([pa.string(), US], US),
    ],
)
def test_the_type_of_times(given: list[Any], expected: pa.DataType):
    assert time_type(given, DOUBLE, whole=True) == expected


@pytest.mark.parametrize(
    ("given", "expected"), [(pa.int64(), DOUBLE), (pa.float64(), DOUBLE), (US, US), (CENTS, CENTS)]
)
def test_a_program_that_makes_fractions_of_whole_numbers(given: pa.DataType, expected: pa.DataType):
    assert time_type([given], DOUBLE, whole=False) == expected


@pytest.mark.parametrize(
    ("unit", "precision", "given", "expected"),
    [
        (None, "s", [], INT),
        (None, "s", [None], INT),
        (None, "s", [pa.int64()], INT),
        (None, "s", [pa.int64(), None], INT),
        (None, "s", [pa.float64()], DOUBLE),
        ("ms", "s", [pa.int64()], INT),  # points are seconds, so milliseconds of them are whole
        (None, "ms", [pa.int64()], INT),
        ("s", "ms", [pa.int64()], DOUBLE),  # points are thousandths of what numbers count
        ("s", "ms", [], DOUBLE),
        ("s", "ms", [US], US),
    ],
)
def test_the_type_of_time_points(
    unit: str | None, precision: str, given: list[Any], expected: pa.DataType
):
    assert point_type(given, Clock(unit, precision, natural=True)) == expected


# --- the times


def times(ticks: list[Any], per_second: int, type: pa.DataType, unit: int = 1) -> list[Any]:
    array = pa.array(ticks, pa.int64()) if _are_small(ticks) else pa.array(ticks)
    found = times_of_ticks(array, per_second, type, unit)
    assert found.type == type
    return found.to_pylist()


def _are_small(ticks: list[Any]) -> bool:
    return all(tick is None or (isinstance(tick, int) and abs(tick) < 2**63) for tick in ticks)


@pytest.mark.parametrize(
    ("type", "unit", "expected"),
    [
        (INT, 1, [2, None, -2, 0]),  # 2.5 and -1.5 and 0.5: to the even one of two
        (INT, 1000, [2500, None, -1500, 500]),
        (DOUBLE, 1, [2.5, None, -1.5, 0.5]),
        (DOUBLE, 1000, [2500.0, None, -1500.0, 500.0]),
        (CENTS, 1, [Decimal("2.50"), None, Decimal("-1.50"), Decimal("0.50")]),
        (pa.decimal128(5, 0), 1, [Decimal(2), None, Decimal(-2), Decimal(0)]),
    ],
)
def test_numbers(type: pa.DataType, unit: int, expected: list[Any]):
    assert times([2500, None, -1500, 500], 1000, type, unit) == expected


@pytest.mark.parametrize("type", [US, pa.timestamp("us", "UTC"), ZONED])
def test_timestamps_are_those_of_ticks_since_1970(type: pa.DataType):
    moment = datetime(2026, 11, 18, 21, 0, 0, 250_000, tzinfo=UTC)
    ticks = round(moment.timestamp() * 1000)
    (found, nothing) = times([ticks, None], 1000, type)
    assert nothing is None
    assert (found if found.tzinfo else found.replace(tzinfo=UTC)) == moment


@pytest.mark.parametrize(
    ("type", "ticks", "expected"),
    [
        (US, [1, 2, 3, 6, -3], [0, 0, 1, 2, -1]),  # quarters: 1/4 1/2 3/4 3/2 -3/4
        (NS, [1, 2, 3, 6, -3], [250, 500, 750, 1500, -750]),
    ],
)
def test_timestamps_of_finer_ticks_are_the_nearest(
    type: pa.DataType, ticks: list[int], expected: list[int]
):
    found = times_of_ticks(pa.array(ticks), 4 * 10**6, type)
    assert found.cast(pa.int64()).to_pylist() == expected


def test_thirds_of_a_second():
    """2/3 s are 666,666.67 µs; in a double it is the nearest."""
    assert times_of_ticks(pa.array([2]), 3, US).cast(pa.int64()).to_pylist() == [666_667]
    assert times([2, 4], 3, DOUBLE) == [2 / 3, 4 / 3]
    assert times([2, 4], 3, pa.decimal128(10, 3)) == [Decimal("0.667"), Decimal("1.333")]
    assert times([2, 4, 3], 3, INT) == [1, 1, 1]


@pytest.mark.parametrize("kind", [str, Decimal])
def test_ticks_beyond_64_bits(kind: Any):
    """They come as decimals or as text; 2^70 ticks of 2^-10 s are 2^60 s."""
    ticks = pa.array([kind(2**70), None, kind(-(2**70) - 2**9)])
    assert times_of_ticks(ticks, 2**10, INT).to_pylist() == [2**60, None, -(2**60)]
    assert times_of_ticks(ticks, 2**10, DOUBLE).to_pylist() == [2.0**60, None, -(2.0**60)]
    found = times_of_ticks(ticks, 2**20 * 10**6, US).cast(pa.int64()).to_pylist()
    assert found == [2**50, None, -(2**50)]


def test_large_ticks_of_64_bits_are_exact():
    tick = 2**62 + 1
    assert times([tick], 1, INT) == [tick]
    assert times([tick], 2, INT) == [2**61]  # the half is rounded to even
    assert times([tick + 1], 3, DOUBLE) == [float(Fraction(tick + 1, 3))]


@pytest.mark.parametrize(
    ("ticks", "per_second", "type", "unit"),
    [
        ([2**62], 1, INT, 1000),
        ([2**62], 1, US, 1),
        ([2**62], 1, NS, 1),
        ([str(2**64)], 1, INT, 1),
        ([str(10**400)], 1, DOUBLE, 1),
        ([10**10], 1, CENTS, 1),
        ([99_999_999_995], 1000, CENTS, 1),  # 99,999,999.995 becomes 100,000,000.00: one digit more
    ],
)
def test_times_that_do_not_fit(ticks: list[Any], per_second: int, type: pa.DataType, unit: int):
    with pytest.raises(InputError, match="RUN070"):
        times(ticks, per_second, type, unit)


def test_the_largest_decimal_fits():
    assert times([99_999_999_994], 1000, CENTS) == [Decimal("99999999.99")]


def test_no_times_and_chunks():
    assert times([], 7, US) == []
    chunks = pa.chunked_array([pa.array([1]), pa.array([], pa.int64()), pa.array([None, 3])])
    assert times_of_ticks(chunks, 1, INT).to_pylist() == [1, None, 3]
