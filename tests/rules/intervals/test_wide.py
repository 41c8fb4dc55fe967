"""Cuts beyond 64 bits: their order, their arithmetic, and what NumPy makes of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from horae.data.cuts import FUTURE, PAST
from horae.rules.intervals.relation import clip, relation
from horae.rules.intervals.wide import WideCut, cut_ranks

ORDERED = [
    PAST,
    WideCut(-(2**80)),
    WideCut(PAST),
    WideCut(-1),
    WideCut(0),
    WideCut(7),
    WideCut(FUTURE),
    WideCut(FUTURE + 1),
    WideCut(2**80),
    FUTURE,
]


def test_infinite_cuts_lie_before_and_after_all():
    for left, right in pairwise(ORDERED):
        assert left < right
        assert left <= right
        assert right > left
        assert right >= left
        assert left != right
        assert not right < left
        assert not right <= left


def test_finite_cuts_are_numbers():
    assert WideCut(7) == 7
    assert WideCut(7) < 8
    assert WideCut(7) > 6
    assert hash(WideCut(7)) == hash(7)
    assert bool(WideCut(0)) is False
    assert str(WideCut(7) >> 1) == "3"


@pytest.mark.parametrize(
    "scalar", [WideCut(5), WideCut(FUTURE), WideCut(FUTURE + 3), WideCut(2**90)]
)
def test_numpy_keeps_them_wide(scalar: WideCut):
    """An int64 in [2^62, 2^63) would lie behind infinity."""
    column = np.array([PAST, WideCut(3), FUTURE], object)
    for found in (np.maximum(column, scalar), np.minimum(column, scalar), column + scalar):
        kinds = {type(cut) for cut in found.tolist() if cut not in (PAST, FUTURE)}
        assert kinds == {WideCut}
    assert {type(cut) for cut in np.full(2, scalar, object)} == {WideCut}
    assert (scalar - column)[1] == scalar - WideCut(3)
    assert (column < scalar).tolist() == [True, int(scalar) > 3, False]


def test_ranks_are_in_their_order():
    column = np.array(ORDERED[::-1], object)
    distinct, (places,) = cut_ranks(column)
    assert distinct.tolist() == ORDERED
    assert places.tolist() == [*range(len(ORDERED))][::-1]


def test_clipping_at_a_cut_behind_int64():
    end = WideCut(FUTURE + 10)
    rows = relation(
        np.zeros((1, 0), np.int64), np.array([WideCut(4)], object), np.array([FUTURE], object)
    )
    clipped = clip(rows, PAST, end)
    assert clipped.hi.tolist() == [end]
    assert (clipped.hi < FUTURE).all()
