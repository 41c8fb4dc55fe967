"""A first look at typed columns: what it asks Spark says the same as reading every row."""

from __future__ import annotations

import math
from datetime import datetime

import pytest
from tests.spark.rtlola.frames import collect

import horae
from horae.source.errors import InputError, InputWarning
from horae.spark import doors
from horae.spark.doors import door_of
from horae.spark.first_look import FirstLook, look_at

pytestmark = pytest.mark.spark

PAID = """input int key
input double amount
output double paid<int k>
    invoke: key
    extend: key = k
    := amount
"""
COLUMNS = "time double, key int, amount double"
SOUND = [
    ("time double", [0.1, 1_700_000_000.123456, -3.0]),
    ("time bigint", [3, 4, 2**42]),
    ("time timestamp", [datetime(2026, 1, 2, 3, 4, 5, 6)]),
    ("time timestamp_ntz", [datetime(1969, 1, 2, 3, 4, 5, 6)]),
]
READ = [
    ("time double", [0.1, None]),
    ("time double", [0.1, math.nan]),
    ("time double", [math.inf, 0.1]),
    ("time double", [1e300]),
    ("time double", [0.12345678]),
    ("time bigint", [2**60]),
    ("time string", ["1"]),
]


def _witnesses(frame, text=PAID, **options):
    """Those of a table in which nothing can be wrong, else None."""
    run = horae.compile(text).prepare(options)
    look = look_at(run, door_of(run).frames({"": frame}))
    return None if look.unread else look.witnesses


def _frame(spark, column, times):
    return spark.createDataFrame([(t, 1, 2.5) for t in times], f"{column}, key int, amount double")


@pytest.mark.parametrize(("column", "times"), SOUND)
def test_times_in_which_nothing_can_be_wrong(spark, column, times):
    found = _witnesses(_frame(spark, column, times))
    assert found is not None
    ends = _frame(spark, column, [min(times), max(times)])
    assert found.column("time").to_pylist() == _witnesses(ends).column("time").to_pylist()


@pytest.mark.parametrize(("column", "times"), READ)
def test_rows_are_read_where_a_time_may_be_wrong(spark, column, times):
    assert _witnesses(_frame(spark, column, times)) is None


@pytest.mark.parametrize("amount", [math.nan, math.inf, -math.inf])
def test_rows_are_read_where_a_value_is_no_number(spark, amount):
    frame = spark.createDataFrame([(1.0, 1, 2.0), (2.0, 1, amount)], COLUMNS)
    assert _witnesses(frame) is None
    with pytest.raises(InputError, match="amount"):
        horae.compile(PAID).answers(frame, shards=2)


def test_a_timestamp_between_two_ticks_is_read(spark):
    frame = _frame(spark, "time timestamp", [datetime(2026, 1, 2, 3, 4, 5, 6)])
    assert _witnesses(frame, precision="ms") is None


def test_each_pattern_of_missing_values_has_witnesses(spark):
    rows = [(1.0, 1, 2.0), (2.0, 1, None), (3.0, None, 2.0), (4.0, 1, 2.0)]
    found = _witnesses(spark.createDataFrame(rows, COLUMNS))
    given = [(row["0:key"] is not None, row["1:amount"] is not None) for row in found.to_pylist()]
    assert sorted({*given}) == [(False, True), (True, False), (True, True)]


def test_patterns_of_more_columns(spark):
    names = [f"x{number}" for number in range(8)]
    spread = "\noutput int o<int k>\n    invoke: x0\n    extend: x0 = k\n    := x1"
    text = "\n".join(f"input int {name}" for name in names) + spread
    rows = [(time, 1, None if time % 2 else 1, *[time] * 6) for time in range(4)]
    frame = spark.createDataFrame(rows, ", ".join(["time int", *(f"{n} int" for n in names)]))
    found = _witnesses(frame, text)
    assert {row["1:x1"] is not None for row in found.to_pylist()} == {False, True}


def test_an_empty_table_has_none(spark):
    assert len(_witnesses(spark.createDataFrame([], COLUMNS))) == 0


@pytest.mark.parametrize("amount", [2.0, None])
def test_answers_are_those_of_a_table_that_is_read(spark, monkeypatch, amount):
    frame = spark.createDataFrame([(1.0, 1, 1.5), (2.0, 2, amount), (3.0, 1, 3.0)], COLUMNS)
    program = horae.compile(PAID)
    looked = collect(program.answers(frame, shards=2), program)
    none = horae.compile(PAID).prepare({}).records.empty_table()
    monkeypatch.setattr(doors, "look_at", lambda run, records: FirstLook(none, tuple(records)))
    assert looked == collect(program.answers(frame, shards=2), program)


def test_python_reads_no_row_of_a_sound_table(spark, monkeypatch):
    monkeypatch.setattr(doors, "refuse_bad", lambda rows: pytest.fail("rows were read"))
    horae.compile(PAID).answers(spark.createDataFrame([(1.0, 1, 1.5)], COLUMNS), shards=2)


def test_what_a_first_look_notes(spark):
    frame = spark.createDataFrame([(1e12, 1, None)], COLUMNS)
    with pytest.warns(InputWarning) as found:
        horae.compile(PAID).answers(frame, shards=2)
    said = " ".join(str(warning.message) for warning in found)
    assert "amount" in said
    assert "1000000000000" in said
