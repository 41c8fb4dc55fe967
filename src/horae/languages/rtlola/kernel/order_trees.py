"""Values in order, of which any can be taken out and any rank be asked for: O(log n) each.

Treaps: search trees in which no node has a smaller priority than those below it. The priority of a node
is a mix of its number, so the tree is balanced whatever the values are. Nodes are places in arrays that
the caller owns (`left`, `right`, `parent`, and `size` of what hangs below); -1 is none. As in
`runtime.py`, all is plain Python that numba compiles.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from horae.languages.rtlola.kernel.runtime import Int, compiled_unchecked


@compiled_unchecked
def priority(node: Int) -> Int:
    h = np.uint64(node + 1) * np.uint64(0x9E3779B97F4A7C15)
    h = (h ^ (h >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return np.int64(h >> np.uint64(1))


@compiled_unchecked
def count_below(node: Int, size: Any) -> Int:
    return size[node] if node >= 0 else 0


@compiled_unchecked
def rotate_up(node: Int, left: Any, right: Any, parent: Any, size: Any) -> None:
    """The node changes places with its parent."""
    above = parent[node]
    top = parent[above]
    if left[above] == node:
        moved = right[node]
        left[above] = moved
        right[node] = above
    else:
        moved = left[node]
        right[above] = moved
        left[node] = above
    if moved >= 0:
        parent[moved] = above
    parent[above] = node
    parent[node] = top
    if top >= 0:
        if left[top] == above:
            left[top] = node
        else:
            right[top] = node
    size[node] = size[above]
    size[above] = 1 + count_below(left[above], size) + count_below(right[above], size)


@compiled_unchecked
def tree_insert(
    root: Int, node: Int, values: Any, left: Any, right: Any, parent: Any, size: Any
) -> Int:
    """The root after a node with its value was put in."""
    left[node] = -1
    right[node] = -1
    parent[node] = -1
    size[node] = 1
    at = root
    while at >= 0:
        size[at] += 1
        comes_before = values[node] < values[at] or (values[node] == values[at] and node < at)
        below = left[at] if comes_before else right[at]
        if below < 0:
            parent[node] = at
            if comes_before:
                left[at] = node
            else:
                right[at] = node
        at = below
    while parent[node] >= 0 and priority(node) > priority(parent[node]):
        rotate_up(node, left, right, parent, size)
    return node if parent[node] < 0 else root


@compiled_unchecked
def tree_remove(root: Int, node: Int, left: Any, right: Any, parent: Any, size: Any) -> Int:
    """The root after a node was taken out: it goes down until nothing hangs below it."""
    while left[node] >= 0 or right[node] >= 0:
        child = left[node]
        if child < 0 or (right[node] >= 0 and priority(right[node]) > priority(child)):
            child = right[node]
        rotate_up(child, left, right, parent, size)
        if root == node:
            root = child
    above = parent[node]
    if above < 0:
        return -1
    if left[above] == node:
        left[above] = -1
    else:
        right[above] = -1
    while above >= 0:
        size[above] -= 1
        above = parent[above]
    return root


@compiled_unchecked
def tree_at(root: Int, rank: Int, left: Any, right: Any, size: Any) -> Int:
    """The node with so many before it."""
    at = root
    while True:
        before = count_below(left[at], size)
        if rank == before:
            return at
        if rank < before:
            at = left[at]
        else:
            rank -= before + 1
            at = right[at]


@compiled_unchecked
def quantile(root: Int, fraction: float, values: Any, left: Any, right: Any, size: Any) -> float:
    """The value at `fraction` of the way through the values in order, linear between neighbours."""
    last = size[root] - 1
    at = fraction * float(last)
    below = math.floor(at)
    if below >= last:
        return float(values[tree_at(root, last, left, right, size)])
    low = float(values[tree_at(root, below, left, right, size)])
    high = float(values[tree_at(root, below + 1, left, right, size)])
    return low + (at - below) * (high - low)
