"""The one conversion from ticks to seconds."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horae.data.seconds import in_seconds, seconds_of_ticks

TICKS = st.integers(-(2**63), 2**63 - 1) | st.integers(0, 2**54)


@given(st.lists(TICKS), st.sampled_from([1, 7_000_000, 10**9, 3003, 2**53 + 1]))
def test_the_nearest_double(ticks: list[int], resolution: int):
    found = in_seconds(np.array(ticks, np.int64), resolution).tolist()
    assert found == [float(Fraction(tick, resolution)) for tick in ticks]
    assert found == [float(seconds_of_ticks(tick, resolution)) for tick in ticks]


@pytest.mark.parametrize(("ticks", "seconds"), [(3_000, "3"), (3_500, "3.5"), (-1, "-0.001")])
def test_whole_seconds_stay_whole_numbers(ticks: int, seconds: str):
    assert repr(seconds_of_ticks(ticks, 1000)) == seconds
