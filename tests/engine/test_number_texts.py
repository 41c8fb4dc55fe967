"""Numbers as text: the same digits and the same form as Python's, whatever the number."""

from __future__ import annotations

import json
import struct

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from horae.data.seconds import seconds_of_ticks
from horae.engine.number_texts import double_texts, second_texts

TICKS = pa.decimal128(38, 0)
EDGES = [0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1.7976931348623157e308]
EDGES += [10.0**power * factor for power in range(-8, 24) for factor in (1, -1, 0.999999, 1.000001)]
EDGES += [
    float("inf"),
    float("-inf"),
    float("nan"),
    2.0**53,
    2.0**53 + 2,
    1e10 - 0.125,
    1e15 - 0.125,
    1e16 - 2,
]


def written(numbers):
    return double_texts(pa.array(numbers, pa.float64())).to_pylist()


def test_doubles_at_the_edges_of_what_arrow_writes_as_python_does():
    assert written(EDGES) == [json.dumps(number) for number in EDGES]


@given(st.lists(st.none() | st.floats() | st.floats(-1e6, 1e6) | st.floats(1e-6, 1e-3)))
def test_doubles_of_all_kinds(numbers):
    assert written(numbers) == [None if n is None else json.dumps(n) for n in numbers]


def test_doubles_of_random_bits():
    random = np.random.default_rng(14)
    bits = random.integers(0, 2**64, 100_000, dtype=np.uint64).view(np.float64)
    decimals = random.integers(-(10**12), 10**12, 100_000) / 10.0 ** random.integers(0, 16, 100_000)
    numbers = [*bits.tolist(), *decimals.tolist()]
    assert written(numbers) == [json.dumps(number) for number in numbers]


def test_doubles_of_32_bits_are_written_as_the_doubles_that_they_are():
    (number,) = struct.unpack("f", struct.pack("f", 0.1))
    assert double_texts(pa.array([0.1], pa.float32())).to_pylist() == [json.dumps(number)]


@given(
    st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-(10**7), 10**7)),
    st.sampled_from([1, 3, 10, 1000, 10**6, 7 * 10**9, 2**62]),
)
def test_times_in_seconds(ticks, resolution):
    expected = [json.dumps(seconds_of_ticks(time, resolution)) for time in ticks]
    for type in (pa.int64(), TICKS):
        texts = second_texts(pa.array(ticks, type), resolution)
        assert texts is not None
        assert texts.to_pylist() == expected


def test_times_of_more_than_64_bits_are_left_to_others():
    assert second_texts(pa.array([2**63], TICKS), 10) is None
    assert second_texts(pa.array([1], TICKS), 2**63) is None
