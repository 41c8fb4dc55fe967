"""Whether windows hold rows for so long that a row per evaluation time would be too many rows."""

from __future__ import annotations

from typing import assert_never

import numpy as np

from horae.languages.cql.kernel.columns import Ints
from horae.languages.cql.kernel.windows import FOREVER
from horae.languages.cql.plan.algebra import Algebra
from horae.languages.cql.plan.walk import scans_of
from horae.languages.cql.syntax.tree import Now, Range, Rows, StreamWindow

MOST_TIMES = 200
"""At so many evaluation times, about, a row may be in a window before that is long."""


def stay_long(plan: Algebra, times: Ints) -> bool:
    windows = [scan.window for scan in scans_of(plan) if scan.window is not None]
    return any(times_in(window, times) > MOST_TIMES for window in windows)


def times_in(window: StreamWindow, times: Ints) -> float:
    """About how many evaluation times see a row. Where it depends on the rows, the most."""
    half = len(times) / 2
    match window:
        case Now():
            return 1
        case Range(length=length, slide=slide):
            return half if length is None else _times_within(length + slide, times)
        case Rows(count=count, by=by):
            return half if by else min(count, half)
        case _:
            assert_never(window)


def _times_within(length: int, times: Ints) -> float:
    if not len(times):
        return 0
    ends = np.searchsorted(times, times + min(length, FOREVER // 2), "right")
    return float((ends - np.arange(len(times))).mean())
