"""Relations, joins and Since against sets of cells, on random rows."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from tests.rules.intervals.timelines import (
    FIRST,
    LAST,
    Row,
    cells,
    columns,
    covered,
    listed,
    rows_of,
    runs,
)

from horae.data import cuts
from horae.data.cuts import FUTURE, PAST
from horae.rules.intervals.join import join_pairs, subtract
from horae.rules.intervals.relation import (
    Relation,
    bridge,
    clip,
    count_tuples,
    empty,
    grown,
    relation,
    union,
)
from horae.rules.intervals.since import reached_through

SEEDS = range(150)


def random_rows(rng: Random, width: int, most: int = 14) -> list[Row]:
    """Also empty ones, and ones without beginning or end."""
    found = []
    for _ in range(rng.randint(0, most)):
        lo = PAST if rng.random() < 0.08 else rng.randint(0, 40)
        hi = FUTURE if rng.random() < 0.08 else max(lo, 0) + rng.randint(0, 9)
        found.append((tuple(rng.randint(0, 2) for _ in range(width)), lo, hi))
    return found


def drawn(rng: Random, width: int) -> tuple[list[Row], Relation]:
    rows = random_rows(rng, width)
    return rows, relation(*columns(rows, width))


@pytest.mark.parametrize("width", [0, 1, 2, 3])
def test_relations_are_sorted_and_coalesced(width: int):
    for seed in SEEDS:
        rows, r = drawn(Random(seed), width)
        assert listed(r) == rows_of(covered(rows))
        assert count_tuples(r) == len(covered(rows))


@pytest.mark.parametrize("width", [0, 1, 2])
def test_union_and_growth(width: int):
    for seed in SEEDS:
        rng = Random(seed)
        (old, a), (new, b) = drawn(rng, width), drawn(rng, width)
        whole = rows_of(covered([*old, *new]))
        assert listed(union(a, b)) == whole
        grew, fresh = grown(a, b)
        assert listed(grew) == whole
        assert listed(fresh) == [row for row in whole if row not in listed(a)]


def test_clipping():
    for seed in SEEDS:
        rng = Random(seed)
        rows, r = drawn(rng, 1)
        lo = rng.choice((PAST, rng.randint(0, 20)))
        hi = rng.choice((FUTURE, rng.randint(15, 50)))
        kept = {a: seen & cells(lo, hi) for a, seen in covered(rows).items()}
        assert listed(clip(r, lo, hi)) == rows_of(kept)


def test_bridging_fills_short_gaps():
    """Ends less than `gap` apart, as times."""
    for seed in SEEDS:
        rng = Random(seed)
        rows, r = drawn(rng, 1)
        gap = 2 * rng.randint(1, 5)
        filled = covered(rows)
        for arguments, seen in filled.items():
            ordered = [*runs(seen)]
            for (_, hi), (lo, _) in pairwise(ordered):
                if lo // 2 - hi // 2 < gap // 2:
                    filled[arguments] |= cells(hi, lo)
        assert listed(bridge(r, gap)) == rows_of(filled)


ON = [(), ((0, 0),), ((1, 0),), ((0, 1), (1, 0))]


@pytest.mark.parametrize("on", ON)
def test_joins_find_all_pairs_that_overlap(on: tuple[tuple[int, int], ...]):
    for seed in SEEDS:
        rng = Random(seed)
        (_, left), (_, right) = drawn(rng, 2), drawn(rng, 2)
        a, b = join_pairs(left, right, on)
        expected = [
            (i, j)
            for i, (x, lo, hi) in enumerate(listed(left))
            for j, (y, low, high) in enumerate(listed(right))
            if all(x[m] == y[n] for m, n in on) and max(lo, low) < min(hi, high)
        ]
        assert sorted(zip(a.tolist(), b.tolist(), strict=True)) == expected


def test_keys_too_large_for_one_integer():
    """Codes near 2⁴⁰ in three columns do not fit together into 64 bits."""
    big = 2**40
    arguments = np.array([[big, big, big], [big, big, big - 1], [1, big, big]], np.int64)
    r = relation(arguments, np.zeros(3, np.int64), np.full(3, 5, np.int64))
    a, b = join_pairs(r, r, ((0, 0), (1, 1), (2, 2)))
    assert a.tolist() == b.tolist() == [0, 1, 2]


@pytest.mark.parametrize("on", [((0, 0),), ((1, 0),), ((0, 0), (1, 1))])
def test_subtraction(on: tuple[tuple[int, int], ...]):
    width = len(on)
    for seed in SEEDS:
        rng = Random(seed)
        (_, left), (taken, right) = drawn(rng, 2), drawn(rng, width)
        rows, lo, hi = subtract(left, right, on)
        got = listed(Relation(left.arguments[rows], lo, hi))
        expected = []
        for arguments, low, high in listed(left):
            key = tuple(arguments[place] for place, _ in on)
            rest = cells(low, high) - covered(taken).get(key, frozenset())
            expected += [(arguments, *run) for run in runs(rest)]
        assert got == expected


def _between(s: int, t: int) -> list[int]:
    """Cells strictly between two cells; a gap contains times before and after any of its own."""
    return [*range(s + (s % 2 == 0), t + (t % 2))]


def _since(left: set[int], right: set[int], rl: int, rh: int) -> set[int]:
    """On cells: even cells are times, odd ones open stretches; distances as cuts."""
    found = set()
    for t in range(-4, 61):
        for s in right:
            if s > t:
                continue
            inner = _between(s, t) if s != t else []
            if s == t and t % 2:  # within one stretch all small distances occur
                if rl <= 1 < rh and t in left:
                    found.add(t)
                continue
            lo, hi = _distances(s, t)
            if max(lo, rl) < min(hi, rh) and all(c in left for c in inner):
                found.add(t)
    return found


def _distances(s: int, t: int) -> tuple[int, int]:
    """The cuts of all t − s for times in the two cells."""
    least = 2 * (t // 2 - (s + 1) // 2) + (s % 2 or t % 2)
    most = 2 * ((t + 1) // 2 - s // 2) + (not (s % 2 or t % 2))
    return least, most


def test_since_on_one_tuple():
    """Without 0 in the interval; with it, rules add the right side itself."""
    for seed in SEEDS:
        rng = Random(seed)
        left, right = (_bounded(rng) for _ in range(2))
        rl = rng.randint(1, 6)
        rh = rng.choice((rl + rng.randint(1, 6), FUTURE))
        wide = Relation(left.arguments, *cuts.closure(left.lo, left.hi))
        a, b = join_pairs(wide, right, ())
        pairs = (wide.lo[a], wide.hi[a], right.lo[b], right.hi[b])
        lo, hi = reached_through(*pairs, cuts.diamond_minus, rl, rh)
        found = relation(np.empty((len(a), 0), np.int64), lo, hi)
        got = covered((((), lo, min(hi, 61)) for _, lo, hi in listed(found))).get((), frozenset())
        assert set(got) == _since(_cells_of(left), _cells_of(right), rl, rh)


def _bounded(rng: Random) -> Relation:
    rows = [((), lo, lo + rng.randint(1, 12)) for lo in (rng.randint(0, 40) for _ in range(4))]
    return relation(*columns(rows, 0))


def _cells_of(r: Relation) -> set[int]:
    return set().union(*(cells(lo, hi) for _, lo, hi in listed(r)))


def test_nothing():
    r = relation(*columns([((1,), 0, 3)], 1))
    assert union(empty(1), r) is r
    assert listed(bridge(empty(2), 4)) == listed(clip(empty(0), FIRST, LAST)) == []
    assert [len(x) for x in join_pairs(empty(1), r, ((0, 0),))] == [0, 0]
