"""A kernel program in process: what all shards answer is what one answers."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from tests.spark.streaming.sums import ROWS, Sums

from horae.engine.contract import Wants
from horae.engine.in_process import (
    answers_in_process,
    blocks_in_time,
    run_in_process,
    wanted_points,
)


@pytest.mark.parametrize("width", [1, 3])
@pytest.mark.parametrize("block", [1, 2, 10])
def test_sums_at_all_time_points(width: int, block: int):
    rows = pa.Table.from_pylist(
        [{"time": t, "key": k, "value": v} for t, k, v in ((3, 1, 5), (1, 2, 7), (1, 1, 2))], ROWS
    )
    found = run_in_process(Sums(width), rows, block)
    found = found.sort_by([("time", "ascending"), ("key", "ascending")])
    assert [tuple(row.values()) for row in found.to_pylist()] == [
        (1, 1, 2),
        (1, 2, 7),
        (3, 1, 7),
        (3, 2, 7),
    ]


def test_without_rows():
    assert run_in_process(Sums(), ROWS.empty_table()).num_rows == 0


def test_answers_come_as_they_are_decided():
    rows = pa.table({"time": [1, 1, 2, 3], "key": [1, 2, 1, 2], "value": [5, 6, 7, 8]}, ROWS)
    parts = answers_in_process(Sums(1), rows, 2)
    assert [part.column("time").to_pylist() for part in parts] == [[1, 1], [2, 2, 3, 3]]


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


# --- blocks


def blocks_of(chunks: list[list[int]], sizes: list[int]) -> list[tuple[list[int], int | None]]:
    """The times of each block, and up to which they are all there."""
    tables = [pa.table({"time": pa.array(chunk, pa.int64())}) for chunk in chunks]
    asked = iter(sizes)
    return [
        (block.column("time").to_numpy().tolist(), until)
        for block, until in blocks_in_time(pa.concat_tables(tables), lambda: next(asked))
    ]


@pytest.mark.parametrize("chunks", [[[1, 1, 2, 4, 4, 4, 5, 6]], [[1], [1, 2, 4], [], [4, 4, 5, 6]]])
def test_rows_of_one_time_are_in_one_block(chunks: list[list[int]]):
    assert blocks_of(chunks, [3] * 9) == [([1, 1, 2], 2), ([4, 4, 4], 4), ([5, 6], None)]
    assert blocks_of(chunks, [2] * 9) == [([1, 1], 1), ([2], 2), ([4, 4, 4, 5], 5), ([6], None)]


def test_blocks_are_as_large_as_is_asked_for():
    asked = [1, 2, 3, 9]  # the first one also for all rows
    assert blocks_of([[1, 2, 3, 4, 5, 6]], asked) == [([1, 2], 2), ([3, 4, 5], 5), ([6], None)]


@pytest.mark.parametrize("chunks", [[[5, 1, 2, 1]], [[5], [1, 2], [1]], [[1, 5], [1, 2]]])
def test_rows_that_do_not_come_by_time(chunks: list[list[int]]):
    assert blocks_of(chunks, [2] * 9) == [([1, 1], 1), ([2, 5], None)]


def test_rows_that_are_one_block_stay_as_they_are():
    assert blocks_of([[5, 1], [2]], [3]) == [([5, 1, 2], None)]
    assert blocks_of([[]], [3]) == [([], None)]
