"""Since and Until: the right formula held at some time, and the left one all the time in between.

"In between" is the open interval, so an end of the left side's interval counts even where it is
open. For each pair of a left interval I and a right interval J of one tuple, Since holds on
((J ∩ Ī) + ρ) ∩ Ī,
with Ī the closure of I. Where 0 ∈ ρ, nothing lies in between: it holds wherever the right formula
does.
"""

from __future__ import annotations

import numpy as np

from horae.kernels.intervals.cuts import Rows, Shift, closure
from horae.kernels.intervals.join import join_pairs
from horae.kernels.intervals.relation import Relation


def link(
    left: Relation, right: Relation, on: tuple[tuple[int, int], ...], shift: Shift, rl: int, rh: int
) -> tuple[Rows, Rows, Relation]:
    """Rows (left, right) and the intervals where the right side, shifted, is reached through the
    left.
    """
    wide = Relation(left.arguments, *closure(left.lo, left.hi))
    a, b = join_pairs(wide, right, on)
    lo = np.maximum(wide.lo[a], right.lo[b])
    hi = np.minimum(wide.hi[a], right.hi[b])
    low, high = shift(lo, hi, rl, rh)
    low, high = np.maximum(low, wide.lo[a]), np.minimum(high, wide.hi[a])
    return a, b, Relation(np.empty((len(a), 0), np.int64), low, high)


def contains_now(rl: int, rh: int) -> bool:
    """0 ∈ ρ."""
    return rl <= 0 < rh
