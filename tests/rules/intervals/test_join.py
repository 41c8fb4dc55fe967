"""Joins of interval relations: their budget."""

from __future__ import annotations

import numpy as np
import pytest

from horae.rules.intervals.join import TooManyPairsError, join_pairs
from horae.rules.intervals.relation import Relation, relation


def _numbered(count: int) -> Relation:
    """Tuples (0), (1), … that all hold at the same times."""
    rows = np.arange(count).reshape(-1, 1)
    return relation(rows, np.zeros(count, np.int64), np.ones(count, np.int64))


def test_a_product_within_the_budget():
    left, right = join_pairs(_numbered(10), _numbered(10), (), most=100)
    assert len(left) == len(right) == 100


def test_a_product_beyond_the_budget_stops():
    with pytest.raises(TooManyPairsError, match="more than 99 pairs of rows"):
        join_pairs(_numbered(10), _numbered(10), (), most=99)


def test_a_budget_counts_pairs_not_rows():
    left, _ = join_pairs(_numbered(1000), _numbered(1000), ((0, 0),), most=1000)
    assert len(left) == 1000
