"""Since and Until: the right formula held at some time, and the left one all the time in between.

"In between" is the open interval, so an end of the left side's interval counts even where it is
open. For each pair of a left interval I and a right interval J of one tuple, Since holds on
((J ∩ Ī) + ρ) ∩ Ī,
with Ī the closure of I. Where 0 ∈ ρ, nothing lies in between: it holds wherever the right formula
does.
"""

from __future__ import annotations

import numpy as np

from horae.data.cuts import Cuts, Shift


def reached_through(
    wide_lo: Cuts, wide_hi: Cuts, right_lo: Cuts, right_hi: Cuts, shift: Shift, rl: int, rh: int
) -> tuple[Cuts, Cuts]:
    """Where the right side, shifted, is reached through the closure of the left one, pair by pair."""
    lo, hi = np.maximum(wide_lo, right_lo), np.minimum(wide_hi, right_hi)
    low, high = shift(lo, hi, rl, rh)
    return np.maximum(low, wide_lo), np.minimum(high, wide_hi)


def contains_now(rl: int, rh: int) -> bool:
    """0 ∈ ρ."""
    return rl <= 0 < rh
