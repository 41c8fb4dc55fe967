"""Which evaluation times a stream has reached."""

from __future__ import annotations

import numpy as np
import pytest

from horae.data.time_points import AtEvents, AtEvery, EvaluationTimes
from horae.engine.evaluation_times import FOREVER, ReachedTimes


@pytest.mark.parametrize("at", [AtEvents(), AtEvery(1), AtEvery(5)])
def test_a_stream_without_rows_has_no_evaluation_times(at: EvaluationTimes):
    times = ReachedTimes(at)
    assert times.decide(7).tolist() == []
    assert times.decide(FOREVER).tolist() == []


def test_a_grid_ends_with_the_last_row():
    times = ReachedTimes(AtEvery(5))
    times.see(np.array([3, 17]))
    assert times.decide(11).tolist() == [5, 10]
    assert times.decide(FOREVER).tolist() == [15]
