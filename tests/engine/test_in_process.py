"""A kernel program in process: what all shards answer is what one answers."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from tests.spark.streaming.sums import ROWS, Sums

from horae.engine.contract import Wants
from horae.engine.in_process import run_in_process, wanted_points


@pytest.mark.parametrize("width", [1, 3])
def test_sums_at_all_time_points(width: int):
    rows = pa.Table.from_pylist(
        [{"time": t, "key": k, "value": v} for t, k, v in ((3, 1, 5), (1, 2, 7), (1, 1, 2))], ROWS
    )
    found = run_in_process(Sums(width), rows).sort_by([("time", "ascending"), ("key", "ascending")])
    assert [tuple(row.values()) for row in found.to_pylist()] == [
        (1, 1, 2),
        (1, 2, 7),
        (3, 1, 7),
        (3, 2, 7),
    ]


def test_without_rows():
    assert run_in_process(Sums(), ROWS.empty_table()).num_rows == 0


def test_points_that_shards_must_see():
    times = np.array([4, 2, 9, 2])
    found = {wants: wanted_points(times, wants).tolist() for wants in Wants}
    assert found == {
        Wants.NOTHING: [],
        Wants.FIRST: [2],
        Wants.ENDS: [2, 9],
        Wants.ALL: [2, 4, 9],
    }
    assert wanted_points(times[:0], Wants.ENDS).tolist() == []
