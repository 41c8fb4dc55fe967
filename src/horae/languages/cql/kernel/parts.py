"""Evaluation times in parts, so that memory holds the rows of some times, not of all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from horae.data.columns import Ints
from horae.languages.cql.kernel.scan import Timed

BUDGET = 200_000
"""About how many rows come into the windows in a part; and how many rows are answered at once."""


def parts(scans: Iterable[Timed], count: int, budget: int) -> Iterator[tuple[int, int]]:
    """Places of evaluation times, from and until. A time costs one, and one for each row that comes.

    A part also has the rows that are there from before. It takes as many new ones at least: so all parts
    together have at most twice the rows that there are, however long these stay.
    """
    come, stay = np.ones(count, np.int64), np.zeros(count, np.int64)
    for scan in scans:
        new, old = scan.changes(count)
        come, stay = come + new, stay + old
    total, begin = np.concatenate([[0], np.cumsum(come)]), 0
    while begin < count:
        most = max(budget, int(stay[begin]))
        end = int(np.searchsorted(total, total[begin] + most, "right")) - 1
        end = max(begin + 1, end)
        yield begin, end
        begin = end


def pieces(sizes: Ints, budget: int) -> Iterator[tuple[int, int]]:
    """Places from and until, so that the sizes between them stay small together; none is left out."""
    total, begin = np.concatenate([[0], np.cumsum(sizes)]), 0
    while begin < len(sizes):
        end = int(np.searchsorted(total, total[begin] + budget, "right")) - 1
        end = max(begin + 1, end)
        yield begin, end
        begin = end
