"""Times become ticks exactly, or are refused."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horae.data import catalogue
from horae.data.clock import SECONDS, Clock, WrongTimeError
from horae.data.layout import Layout, Place
from horae.data.times import read_times, to_ticks
from horae.data.types import Type
from horae.data.validate import validate
from horae.source.errors import InputError

MICRO = Layout((), time="ts")


def ticks(values, layout=MICRO, type=None):
    try:
        return to_ticks(pa.chunked_array([pa.array(values, type)]), layout.clock).tolist()
    except WrongTimeError as error:
        raise catalogue.wrong_time(Place("t"), "ts", layout.clock, error) from None


def refusal(values, layout=MICRO, type=None):
    with pytest.raises(InputError) as caught:
        ticks(values, layout, type)
    return str(caught.value).splitlines()[0]


@pytest.mark.parametrize(
    ("values", "type"),
    [
        ([0, -1, 12], pa.int64()),
        ([0, 12], pa.uint64()),
        ([0, 12], pa.int8()),
        ([0.0, -1.0, 12.0], None),
        (["0", "-1", "12"], None),
        (["0", "-1.000", "1.2e1"], None),
        (["+0", " -1", "12 "], None),
        ([Decimal("0.00"), Decimal("12.00")], None),
        ([datetime(1970, 1, 1), datetime(1970, 1, 1, 0, 0, 12)], None),
        (["1970-01-01T00:00:00Z", "1970-01-01T01:00:12+01:00"], None),
        (["1970-01-01 00:00:00", "1970-01-01T00:00:12.000"], None),
        (["1970-01-01", "1970-01-01T00:00:12Z"], None),
    ],
)
def test_seconds_in_all_their_forms(values, type):
    expected = [0, 12_000_000] if len(values) == 2 else [0, -1_000_000, 12_000_000]
    assert ticks(values, type=type) == expected


def test_a_double_means_the_decimal_number_that_was_written():
    assert ticks([0.1, 0.3, 1396396800.123456]) == [100_000, 300_000, 1_396_396_800_123_456]
    assert ticks([0.1], type=pa.float32()) == [100_000]


def test_dates_are_midnights():
    assert ticks([1], type=pa.date32()) == [86_400_000_000]


def test_dictionary_encoding_does_not_matter():
    column = pa.chunked_array([pa.array(["1", "2", "1"]).dictionary_encode()])
    assert to_ticks(column, MICRO.clock).tolist() == [1_000_000, 2_000_000, 1_000_000]


def test_nanoseconds_need_their_precision():
    nano = Layout((), time="ts", decimals=9)
    assert ticks(["2024-05-01T12:00:00.123456789Z"], nano) == [1_714_564_800_123_456_789]
    assert ticks(["1714564800.123456789"], nano) == [1_714_564_800_123_456_789]
    assert ticks([1714564800.0], nano) == [1_714_564_800_000_000_000]
    assert refusal([1714564800.1], nano) == (
        "INP014: a double cannot hold the time `1714564800.1` in `ts` to 1 ns (t, row 1)"
    )


@pytest.mark.parametrize(
    ("values", "type", "shown"),
    [
        ([1.0, 0.1234567], None, "0.1234567"),
        (["1", "0.1234567"], None, "0.1234567"),
        (["1970-01-01", "1970-01-01T00:00:00.1234567"], None, "1970-01-01T00:00:00.1234567"),
        ([0, 1], pa.timestamp("ns"), "1970-01-01 00:00:00.000000001"),
        ([Decimal("1.0000000"), Decimal("0.1234567")], None, "0.1234567"),
    ],
)
def test_a_time_that_is_too_fine_is_refused(values, type, shown):
    assert refusal(values, type=type) == (
        f"INP013: the time `{shown}` in `ts` is finer than 1 µs (t, row 2)"
    )


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([0, 2**62], str(2**62)),
        ([0.0, 1e15], "1000000000000000.0"),
        (["0", "1e15"], "1e15"),
        (["0", "1" * 30], "1" * 30),
    ],
)
def test_a_time_beyond_all_ticks_is_refused(values, shown):
    assert (
        refusal(values)
        == f"INP015: the time `{shown}` in `ts` is more than 2^62 ticks from time 0 (t, row 2)"
    )


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_a_time_that_is_no_number_is_refused(bad):
    assert refusal([1.0, bad]) == (
        f"INP010: the column `ts` holds `{bad}`, which is not a finite number (t, row 2)"
    )


@pytest.mark.parametrize("bad", ["noon", "nan", "", "2024-13-01", "1e999999999", "0x10", "1_000"])
def test_text_that_is_no_time_is_refused(bad):
    assert refusal(["1", bad]) == (
        f"INP012: the column `ts` holds `{bad}`, which is not a time (t, row 2)"
    )


def test_no_time_is_refused():
    assert refusal([1, None]) == "INP011: the time in `ts` is missing (t, row 2)"


def test_a_column_of_another_type_is_refused():
    assert refusal([True]) == "INP012: the column `ts` holds bool, which is not a time (t)"


@pytest.mark.parametrize(
    ("values", "seconds"),
    [
        ([1, 2**70], [1, 2**70]),
        (["7/2", "1e-3", "1970-01-02"], [Fraction(7, 2), Fraction(1, 1000), 86400]),
        ([0.1, 0.30000000000000004], [Fraction(1, 10), Fraction("0.30000000000000004")]),
        ([1e300, 0.5], [10**300, Fraction(1, 2)]),
        ([None, 3, None], [None, 3, None]),
        ([datetime(1970, 1, 1, 0, 0, 1), 5, "2.5"], [1, 5, Fraction(5, 2)]),
        ([Fraction(1, 3), Decimal("0.25")], [Fraction(1, 3), Fraction(1, 4)]),
    ],
)
def test_times_without_a_precision_are_rationals(values, seconds):
    times = read_times(values, SECONDS)
    nulls = [False] * len(values) if times.nulls is None else times.nulls.tolist()
    exact = [Fraction(count, times.per) for count in times.counts.tolist()]
    assert [None if null else time for time, null in zip(exact, nulls, strict=True)] == seconds


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5))
def test_a_double_is_its_shortest_decimal(values):
    times = read_times(pa.array(values), SECONDS)
    exact = [Fraction(count, times.per) for count in times.counts.tolist()]
    assert exact == [Fraction(repr(value)) for value in values]


@pytest.mark.parametrize(
    ("clock", "values", "expected"),
    [
        (Clock(precision="ms", natural=True), [5, 7], [5, 7]),
        (Clock("s", "ms", natural=True), [0.5, 7.0], [500, 7000]),
        (Clock("s", "ms", natural=True), [5, 7], [5000, 7000]),
        (Clock("us", "ms", natural=True), ["5000", "1970-01-01T00:00:01"], [5, 1000]),
        (Clock(precision="ms", natural=True), [datetime(1970, 1, 1, 0, 0, 1, 5000)], [1005]),
        (Clock("ms", "s"), [-2000, 3000], [-2, 3]),
    ],
)
def test_numbers_and_dates_on_clocks(clock, values, expected):
    assert to_ticks(values, clock).tolist() == expected
    assert to_ticks(pa.array(values), clock).tolist() == expected
    assert [clock.exact(value) for value in values] == expected


@given(st.integers(-(10**15), 10**15))
def test_all_ways_of_writing_a_time_agree(micros):
    exact = Fraction(micros, 10**6)
    text = f"{'-' if micros < 0 else ''}{abs(micros) // 10**6}.{abs(micros) % 10**6:06d}"
    assert ticks([text]) == ticks([float(text)]) == ticks([Decimal(text)]) == [micros]
    assert SECONDS.exact(text) == exact


@given(st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)))
def test_calendar_times_agree_in_all_forms(moment):
    texts = [moment.isoformat(), moment.isoformat().replace("+00:00", "Z")]
    assert ticks(texts[:1]) == ticks(texts[1:]) == ticks([moment])
    assert SECONDS.exact(texts[0]) == Fraction(ticks([moment])[0], 10**6)


@given(st.lists(st.integers(-(10**9), 10**9), min_size=1), st.data())
def test_slices_of_decimals_are_read_from_their_own_rows(seconds, data):
    start = data.draw(st.integers(0, len(seconds) - 1))
    whole = pa.array([Decimal(s) for s in seconds], pa.decimal128(20, 0))
    column = pa.chunked_array([whole.slice(start)])
    assert to_ticks(column, MICRO.clock).tolist() == [s * 10**6 for s in seconds[start:]]


def test_a_clock_of_dates_is_readable_as_the_nearest_doubles():
    """Of nanoseconds since 1970 there are too many for a double: dividing must not round twice."""
    moments = [1_700_000_000_144_272_509, 1_700_000_000_909_925_047]
    layout = Layout((("ts", Type.DOUBLE),), time="ts", decimals=9)
    events = validate(pa.table({"ts": pa.array(moments, pa.timestamp("ns"))}), layout, Place("t"))
    assert events.column("ts").to_pylist() == [float(Fraction(m, 10**9)) for m in moments]


def test_a_time_whose_denominator_has_more_than_64_bits_is_too_fine():
    told = "INP013: the time `1e-40` in `ts` is finer than 1 µs (t, row 2)"
    assert refusal(["0", "1e-40"]) == told
