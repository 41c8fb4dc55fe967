"""Conditions under which nothing is wrong with a column: which types have one, and what it says."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from horae.data.layout import Layout
from horae.data.sound_columns import Anything, Counts, Finite, NearDecimals, sound_events
from horae.data.types import Type

LAYOUT = Layout((("x", Type.DOUBLE), ("s", Type.STRING)))


def _conditions(layout=LAYOUT, **types):
    columns: dict[str, Any] = {"time": pa.float64(), "x": pa.float64(), "s": pa.string()} | types
    found = sound_events(pa.schema(columns), layout)
    return None if found is None else dict(found.conditions)


def test_the_condition_of_each_column():
    assert _conditions() == {"time": NearDecimals(6), "x": Finite(), "s": Anything()}


def test_whole_numbers_are_finite():
    assert _conditions(x=pa.int32())["x"] == Anything()


@pytest.mark.parametrize(
    ("unit", "decimals", "condition"),
    [
        (None, 6, Counts(1, 2**62 // 10**6)),
        ("us", 6, Counts(1, 2**62)),
        ("us", 3, Counts(1000, 2**63 - 1)),
    ],
)
def test_times_that_are_whole_numbers(unit, decimals, condition):
    layout = Layout(LAYOUT.inputs, decimals=decimals, unit=unit)
    assert _conditions(layout, time=pa.int64())["time"] == condition


@pytest.mark.parametrize(
    "types",
    [
        {"time": pa.string()},
        {"time": pa.float32()},
        {"time": pa.timestamp("ns")},
        {"x": pa.string()},
        {"x": pa.decimal128(20, 3)},
        {"s": pa.int64()},
    ],
)
def test_columns_that_must_be_read(types):
    assert _conditions(**types) is None


def test_a_clock_that_is_read_as_a_stream_of_whole_seconds_may_be_finer():
    layout = Layout((("time", Type.INT),))
    assert sound_events(pa.schema({"time": pa.float64()}), layout) is None
