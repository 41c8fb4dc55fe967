"""Intervals that grow by a little in each round: where to look for those that grow for ever."""

from __future__ import annotations

from collections.abc import Iterator

from horae.data.cuts import FUTURE, PAST
from horae.languages.datalogmtl.kernel.fixpoint import Relations
from horae.languages.datalogmtl.kernel.tails import Side, Stretch

# Shorter intervals, in cuts, are not worth a proof.
_SHORTEST = 8


def longest_stretches(new: Relations, middle: int) -> Iterator[Stretch]:
    """The longest of the new intervals, and one of middle length, on both sides.

    Intervals without end on the other side count from the cut `middle`.
    """
    for side in Side:
        found = sorted(_stretches(new, side, middle), key=lambda stretch: stretch.length)
        if found:
            yield found[-1]
        if len(found) > 2:
            yield found[len(found) // 2]


def _stretches(new: Relations, side: Side, middle: int) -> Iterator[Stretch]:
    for rows in new.values():
        for lo, hi in zip(rows.lo.tolist(), rows.hi.tolist(), strict=True):
            stretch = _stretch(lo, hi, side, middle)
            if stretch is not None and stretch.length >= _SHORTEST:
                yield stretch


def _stretch(lo: int, hi: int, side: Side, middle: int) -> Stretch | None:
    """The whole ticks of an interval that may go on at a side."""
    lo, hi = (cut if cut in (PAST, FUTURE) else cut + up & ~1 for cut, up in ((lo, 1), (hi, 0)))
    if side is Side.AFTER:
        return None if hi == FUTURE else Stretch(side, middle if lo == PAST else lo, hi)
    return None if lo == PAST else Stretch(side, middle if hi == FUTURE else hi, lo)
