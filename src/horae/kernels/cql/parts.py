"""Evaluation times in parts, so that memory holds the rows of some times, not of all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from horae.kernels.cql.scan import Timed

BUDGET = 200_000
"""About how many rows the windows of a part hold together; one evaluation time may hold more."""


def parts(scans: Iterable[Timed], count: int, budget: int) -> Iterator[tuple[int, int]]:
    """Places of evaluation times, from and until. A time costs one, and one for each row it sees."""
    cost = np.ones(count, np.int64)
    for scan in scans:
        cost += scan.sizes(count)
    total = np.concatenate([[0], np.cumsum(cost)])
    begin = 0
    while begin < count:
        end = int(np.searchsorted(total, total[begin] + budget, "right")) - 1
        end = max(begin + 1, end)
        yield begin, end
        begin = end
