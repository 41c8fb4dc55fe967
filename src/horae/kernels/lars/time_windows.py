"""Time windows as arithmetic on columns.

A window `win[l, u, d]` around the reference time r has the timeline [max(0, p − l), p + u] with
the pivot p = ⌊r/d⌋·d. Turned around: which reference times have a time point s in their window?
Those whose pivot lies in [s − u, s + l]. Intervals are half open, [lo, hi); `FUTURE` is no bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from horae.kernels.intervals.cuts import FUTURE, Cuts


@dataclass(frozen=True, slots=True)
class Reach:
    """The parameters: numbers, or one per row. `FUTURE` stands for `inf`."""

    past: Cuts | int
    future: Cuts | int
    step: Cuts | int

    @property
    def sees_itself(self) -> bool:
        """Whether a window always contains its reference time."""
        return bool(np.all(np.asarray(self.future) >= np.asarray(self.step) - 1))


EVERYTHING = Reach(FUTURE, FUTURE, 1)


def timeline(reference: Cuts, reach: Reach) -> tuple[Cuts, Cuts]:
    """[lo, hi) around each reference time."""
    pivot = reference // reach.step * reach.step
    lo = np.maximum(pivot - reach.past, 0)
    hi = np.where(np.asarray(reach.future) == FUTURE, FUTURE, pivot + reach.future + 1)
    return lo, hi


def references_of_some(first: Cuts, last: Cuts, reach: Reach) -> tuple[Cuts, Cuts]:
    """The reference times whose window meets the time points from `first` to `last`."""
    lo = _pivot_from(first - reach.future, reach)
    return lo, _pivot_to(_plus(last, reach.past), reach)


def references_of_all(first: Cuts, last: Cuts, reach: Reach) -> tuple[Cuts, Cuts]:
    """The reference times whose window lies within the time points from `first` to `last`.

    A window is clipped at 0: if the run begins there, any past will do.
    """
    low = np.where(first <= 0, 0, _plus(first, reach.past))
    lo = np.where(low >= FUTURE, FUTURE, _pivot_from(low, reach))
    return lo, _pivot_to(last - reach.future, reach)


def _plus(time: Cuts, more: Cuts | int) -> Cuts:
    return np.where(np.asarray(more) == FUTURE, FUTURE, time + np.minimum(more, FUTURE // 2))


def _pivot_from(pivot: Cuts, reach: Reach) -> Cuts:
    """The first time whose pivot is at least this: a multiple of the step."""
    next_one: Cuts = -(-pivot // reach.step) * reach.step
    return np.maximum(next_one, 0)


def _pivot_to(pivot: Cuts, reach: Reach) -> Cuts:
    """Behind the last time whose pivot is at most this."""
    behind = pivot // reach.step * reach.step + reach.step
    return np.where(pivot >= FUTURE, FUTURE, np.maximum(behind, 0))
