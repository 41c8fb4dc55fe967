"""Relations that grow, against relations that are made at once."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tests.rules.intervals.test_relation import drawn
from tests.rules.intervals.timelines import columns, listed

from horae.data import cuts
from horae.rules.intervals.growing import Growing, GrownSelection
from horae.rules.intervals.join import TooManyPairsError, join_pairs, subtract
from horae.rules.intervals.relation import Relation, empty, relation, union

SEEDS = range(100)


def grow(rng: Random, width: int) -> tuple[Growing, Relation]:
    """The same rows, added in steps and at once."""
    growing, whole = Growing(empty(width)), empty(width)
    for _ in range(rng.randint(1, 6)):
        _, more = drawn(rng, width)
        before, whole = listed(whole), union(whole, more)
        fresh = listed(growing.add(more))
        assert fresh == [row for row in listed(whole) if row not in before]
        assert len(growing) == len(whole)
    return growing, whole


def in_any_order(rng: Random, rows: Relation) -> Relation:
    """Whoever looks rows up need not be sorted."""
    if rng.random() < 0.5:
        return rows
    return rows.take(np.array(rng.sample(range(len(rows)), len(rows)), np.int64))


@pytest.mark.parametrize("width", [0, 1, 2])
def test_rows_added_in_steps(width: int):
    for seed in SEEDS:
        growing, whole = grow(Random(seed), width)
        assert listed(growing.relation()) == listed(whole)


@pytest.mark.parametrize("widened", [False, True])
def test_matches_are_those_of_a_join(widened: bool):
    for seed in SEEDS:
        rng = Random(seed)
        growing, whole = grow(rng, 2)
        probe = in_any_order(rng, drawn(rng, 1)[1])
        by = GrownSelection((1,), ((0, rng.randint(0, 2)),) if rng.random() < 0.5 else ())
        seen = whole.take(by.of(whole.arguments))
        wide = Relation(seen.arguments, *cuts.closure(seen.lo, seen.hi)) if widened else seen
        a, b = join_pairs(probe, wide, ((0, 1),))
        expected = sorted((i, *listed(seen.take(np.array([j])))) for i, j in zip(a, b, strict=True))
        pairs = growing.matches(by, probe.arguments, probe.lo, probe.hi, widened=widened)
        found = [
            (i, row) for rows, part in pairs for i, row in zip(rows, listed(part), strict=True)
        ]
        assert sorted(found) == expected


def test_what_is_left_is_a_difference():
    for seed in SEEDS:
        rng = Random(seed)
        growing, whole = grow(rng, 2)
        rows = in_any_order(rng, drawn(rng, 2)[1])
        turned = GrownSelection((1, 0))
        expected = subtract(rows, whole, ((0, 1), (1, 0)))
        found = growing.without(turned, rows.arguments, rows.lo, rows.hi)
        assert [*map(list, found)] == [*map(list, expected)]


def test_matches_have_a_budget():
    growing = Growing(_points(10))
    keys, times = np.empty((10, 0), np.int64), np.zeros(10, np.int64)
    pairs = growing.matches(GrownSelection(), keys, times, times + 1, most=100)
    assert sum(len(a) for a, _ in pairs) == 100
    with pytest.raises(TooManyPairsError):
        [*growing.matches(GrownSelection(), keys, times, times + 1, most=99)]


def _points(count: int, at: int = 0) -> Relation:
    return relation(*columns([((n,), at, at + 1) for n in range(count)], 1))


def test_few_rows_are_not_merged_into_many():
    """What is added in a round is copied a few times, however much is there."""
    growing = Growing(_points(1000))
    large = growing.relation()
    for time in range(1, 200):
        growing.add(_points(1, 10 * time))
    assert growing.largest is large
    assert len(growing) == 1199
