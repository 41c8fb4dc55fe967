"""Evaluation times: of a whole input, and those that a stream has reached."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horae.data.time_points import AtEvents, AtEvery, EvaluationTimes, read_evaluation_times
from horae.engine.evaluation_times import FOREVER, ReachedTimes, distinct_points, find_times
from horae.source.errors import InputError


@given(st.lists(st.integers(0, 9)), st.booleans())
def test_each_point_once(points: list[int], in_order: bool):
    given = sorted(points) if in_order else points
    assert distinct_points(np.array(given, np.int64)).tolist() == sorted(set(points))


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("events", [3, 4, 11]),
        ("all", [3, 4, 5, 6, 7, 8, 9, 10, 11]),
        ("every 5", [5, 10]),
        ("every 4", [4, 8]),
        ("20,3", [3, 20]),
    ],
)
def test_times_of_an_input(at: str, expected: list[int]):
    assert find_times(read_evaluation_times(at), [4, 11, 3, 4]).tolist() == expected


@pytest.mark.parametrize("at", ["events", "every 5"])
def test_no_input_has_no_times(at: str):
    assert find_times(read_evaluation_times(at), []).tolist() == []


def test_a_grid_that_is_too_fine():
    with pytest.raises(InputError, match="every 1"):
        find_times(read_evaluation_times("all"), [0, 2**40])


# --- streams


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
