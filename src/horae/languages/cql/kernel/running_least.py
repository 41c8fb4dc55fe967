"""The least row at each step: sums can take away what leaves a window, a minimum cannot.

A row that is there for n steps is laid over two stretches of 2^k steps that together are those n, where
2^k is the greatest power of two up to n. From long stretches to short ones, each is then divided into
its halves. So the work is in proportion to the rows, and to the steps times the logarithm of the longest
stay.
"""

from __future__ import annotations

import numpy as np

from horae.data.columns import Ints
from horae.languages.cql.kernel.spans import Spans


def least_over_steps(rows: Spans, size: int) -> Ints:
    """For each step the first of the rows that are there; the number of rows where there is none."""
    least = np.full(size, len(rows.first), np.int64)
    powers = _greatest_powers(rows.after - rows.first)
    order = np.argsort(powers, kind="stable")
    first_of_power = np.searchsorted(powers[order], np.arange(65))
    for power in range(int(powers.max(initial=0)), -1, -1):
        own = order[first_of_power[power] : first_of_power[power + 1]]
        np.minimum.at(least, rows.first[own], own)
        np.minimum.at(least, rows.after[own] - (1 << power), own)
        if power:
            _divide(least, 1 << (power - 1))
    return least


def _greatest_powers(lengths: Ints) -> Ints:
    """The logarithm of the greatest power of two up to each length."""
    return np.frexp(lengths.astype(np.float64))[1].astype(np.int64) - 1


def _divide(least: Ints, half: int) -> None:
    """What lies over a stretch of twice as many steps lies over both of its halves."""
    least[half:] = np.minimum(least[half:], least[:-half].copy())
