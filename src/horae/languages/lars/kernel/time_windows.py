"""Time windows as arithmetic on columns.

A window `win[l, u, d]` around the reference time r has the timeline [max(0, p − l), p + u] with
the pivot p = ⌊r/d⌋·d. Turned around: which reference times have a time point s in their window?
Those whose pivot lies in [s − u, s + l]. Intervals are half open, [lo, hi).

`FUTURE` is no bound. It lies further than one behind the last time point, so that no atom reaches to
it; and sums end there, so that none leaves the 64 bits: what lies behind the last time point looks
alike to all atoms.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from horae.data.cuts import Cuts
from horae.data.natural_times import LAST

FUTURE = LAST + 2


@dataclass(frozen=True, slots=True)
class WindowParameters:
    """The parameters, at most `FUTURE`: numbers, or one per row. `FUTURE` stands for `inf`."""

    past: Cuts | int
    future: Cuts | int
    step: Cuts | int

    @property
    def sees_itself(self) -> bool:
        """Whether a window always contains its reference time."""
        return bool(np.all(np.asarray(self.future) >= np.asarray(self.step) - 1))


EVERYTHING = WindowParameters(FUTURE, FUTURE, 1)


def timeline(reference: Cuts, reach: WindowParameters) -> tuple[Cuts, Cuts]:
    """[lo, hi) around each reference time."""
    pivot = reference // reach.step * reach.step
    lo = np.maximum(pivot - reach.past, 0)
    return lo, _plus(_plus(pivot, reach.future), 1)


def references_of_some(first: Cuts, last: Cuts, reach: WindowParameters) -> tuple[Cuts, Cuts]:
    """The reference times whose window meets the time points from `first` to `last`."""
    return _pivot_from(first - reach.future, reach), _pivot_to(_plus(last, reach.past), reach)


def references_of_all(first: Cuts, last: Cuts, reach: WindowParameters) -> tuple[Cuts, Cuts]:
    """The reference times whose window lies within the time points from `first` to `last`.

    A window is clipped at 0: if the run begins there, any past will do.
    """
    low = np.where(first <= 0, 0, _plus(first, reach.past))
    return _pivot_from(low, reach), _pivot_to(last - reach.future, reach)


def _plus(time: Cuts, more: Cuts | int) -> Cuts:
    """The sum of times and lengths, at most `FUTURE`."""
    return time + np.minimum(more, FUTURE - time)


def _pivot_from(pivot: Cuts, reach: WindowParameters) -> Cuts:
    """The first time whose pivot is at least this: a multiple of the step."""
    since: Cuts = np.maximum(pivot, 0)
    return _plus(since, -since % reach.step)


def _pivot_to(pivot: Cuts, reach: WindowParameters) -> Cuts:
    """Behind the last time whose pivot is at most this."""
    since: Cuts = np.maximum(pivot, 0)
    behind = _plus(since // reach.step * reach.step, reach.step)
    return np.where(pivot >= FUTURE, FUTURE, np.where(pivot < 0, 0, behind))
