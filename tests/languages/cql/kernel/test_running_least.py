"""The least row at each step, beside what its definition says."""

from __future__ import annotations

from random import Random

import numpy as np

from horae.languages.cql.kernel.running_least import least_over_steps
from horae.languages.cql.kernel.spans import Spans


def found(rows: list[tuple[int, int]], size: int) -> list[int]:
    ends = np.array(rows, np.int64).reshape(-1, 2)
    return [*map(int, least_over_steps(Spans(ends[:, 0], ends[:, 1]), size))]


def test_no_rows():
    assert found([], 3) == [0, 0, 0]


def test_the_first_row_that_is_there():
    assert found([(2, 4), (0, 3)], 5) == [1, 1, 0, 0, 2]


def test_random_rows():
    rng = Random(5)
    for _ in range(300):
        size = rng.randint(1, 40)
        ends = [sorted(rng.sample(range(size + 1), 2)) for _ in range(rng.randint(0, 30))]
        rows = [(first, after) for first, after in ends]
        expected = [
            min((row for row, (a, b) in enumerate(rows) if a <= step < b), default=len(rows))
            for step in range(size)
        ]
        assert found(rows, size) == expected
