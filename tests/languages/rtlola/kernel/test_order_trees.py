"""Trees of values in order: always what sorting says, and no deeper than a logarithm."""

from __future__ import annotations

from math import log2
from random import Random

import numpy as np
import pytest
from tests.languages.rtlola.kernel.driving import agree, checked, expect, run

from horae.languages.rtlola.kernel.order_trees import quantile, tree_at, tree_insert, tree_remove

SIZE = 2_000


class Tree:
    def __init__(self) -> None:
        self.values = np.zeros(SIZE)
        self.links = [np.full(SIZE, -1, np.int64) for _ in range(4)]
        self.root = -1

    def insert(self, node: int, value: float) -> None:
        self.values[node] = value
        self.root = tree_insert(self.root, node, self.values, *self.links)

    def remove(self, node: int) -> None:
        self.root = tree_remove(self.root, node, *self.links)

    def in_order(self) -> list[float]:
        left, right, _, size = self.links
        count = size[self.root] if self.root >= 0 else 0
        nodes = [tree_at(self.root, k, left, right, size) for k in range(count)]
        return [float(self.values[node]) for node in nodes]

    def depth(self, node: int) -> int:
        found = 0
        while node >= 0:
            node, found = int(self.links[2][node]), found + 1
        return found


def test_any_mixture_of_putting_in_and_taking_out():
    rng, tree = Random(7), Tree()
    inside: dict[int, float] = {}
    for _ in range(3_000):
        node = rng.randrange(60)
        if node in inside:
            tree.remove(node)
            del inside[node]
        else:
            inside[node] = float(rng.randrange(10))
            tree.insert(node, inside[node])
        assert tree.in_order() == sorted(inside.values())


@pytest.mark.parametrize("values", [range(SIZE), range(SIZE, 0, -1), [1] * SIZE])
def test_the_depth_is_that_of_a_logarithm(values):
    tree = Tree()
    for node, value in enumerate(values):
        tree.insert(node, value)
    assert max(map(tree.depth, range(SIZE))) < 4 * log2(SIZE)


@pytest.mark.parametrize("percent", [0, 10, 50, 99, 100])
def test_quantiles_are_linear_between_neighbours(percent: int):
    rng, tree = Random(percent), Tree()
    values = [rng.uniform(-9, 9) for _ in range(41)]
    for node, value in enumerate(values):
        tree.insert(node, value)
    left, right, _, size = tree.links
    found = quantile(tree.root, percent / 100, tree.values, left, right, size)
    assert found == pytest.approx(float(np.percentile(values, percent)))


SPEC = """input int a
input double x
output double m := x[3s, 0.0, median]
output double slow extend: 2s := x[5s, 0.0, percentile(90)]
output double t<int p> invoke: a extend: a = p terminate: a = 4 and p = 1 := x
output double q<int p> invoke: a := t(p)[4s, -1.0, percentile(25)]
"""


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.long)])
def test_windows_of_quantiles(compiled: bool):
    rng = Random(3)
    rows = [
        {"time": i / 4, "a": rng.randrange(5), "x": rng.choice((0.0, -0.0, 1.5, rng.random()))}
        for i in range(80)
    ]
    program = checked(SPEC)
    assert agree(run(program, rows, compiled=compiled), expect(program, rows, "all"))
