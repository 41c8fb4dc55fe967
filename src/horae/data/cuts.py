"""Interval ends as integers: a cut lies between a time point and the gap after it.

With time in ticks, a left end at t is the cut 2t (closed) or 2t + 1 (open), a right end 2t + 1
(closed) or 2t (open). An interval is [lo, hi) on cuts: not empty iff lo < hi, intersection is max
and min, and two intervals touch iff the next lo is at most hi. Infinite ends are `PAST` and
`FUTURE`; all finite cuts lie between them. Cuts are int64, or objects where these are too narrow
(`wide.py`).

The operators below map the cuts of an interval where a formula holds to the cuts of the interval
where the operator applied to it holds; `rl`, `rh` are the cuts of the operator's own interval.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from horae.source.errors import InputError

Cuts = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int64]  # tuples, or numbers of rows

PAST = -(2**62)
FUTURE = 2**62

Shift = Callable[[Cuts, Cuts, int, int], tuple[Cuts, Cuts]]


class TooNarrowError(InputError):
    """A time that int64 cuts cannot hold. Where all facts are at hand, wide cuts take over."""


def derived_too_large() -> TooNarrowError:
    return TooNarrowError(
        "RUN045",
        "the rules derive a time that is too large to be counted exactly in 64 bits",
        help="count time from a later moment or in coarser steps, or evaluate all facts at once",
    )


def _value(cut: Cuts | int) -> Cuts | int:
    return cut & ~1


def _bounded(
    cuts: Cuts | int, original: Cuts, infinite: int, *, reach: int, unreachable: int
) -> Cuts:
    """Infinite ends stay so; an operator that reaches to infinity gives `unreachable`.

    Sums of two int64 cuts do not wrap, but they may leave the range of finite cuts.
    """
    endless = original == infinite
    if reach in (PAST, FUTURE):
        return np.where(endless, infinite, np.full_like(original, unreachable))
    result = np.where(endless, infinite, cuts)
    if result.dtype != object and (~endless & ((result >= FUTURE) | (result <= PAST))).any():
        raise derived_too_large()
    return result


def diamond_minus(lo: Cuts, hi: Cuts, rl: int, rh: int) -> tuple[Cuts, Cuts]:
    """◇⁻: some time ago, between rl and rh."""
    low = _value(lo) + _value(rl) + ((lo | rl) & 1)
    high = _value(hi) + _value(rh) + (hi & rh & 1)
    return (
        _bounded(low, lo, PAST, reach=rl, unreachable=PAST),
        _bounded(high, hi, FUTURE, reach=rh, unreachable=FUTURE),
    )


def box_minus(lo: Cuts, hi: Cuts, rl: int, rh: int) -> tuple[Cuts, Cuts]:
    """⊟: all the time, from rh ago until rl ago. Without end it needs a formula without beginning."""
    low = _value(lo) + _value(rh) + (lo & rh & 1)
    high = _value(hi) + _value(rl) + ((hi | rl) & 1)
    return (
        _bounded(low, lo, PAST, reach=rh, unreachable=FUTURE),
        _bounded(high, hi, FUTURE, reach=rl, unreachable=FUTURE),
    )


def diamond_plus(lo: Cuts, hi: Cuts, rl: int, rh: int) -> tuple[Cuts, Cuts]:
    """◇⁺: some time ahead."""
    low = _value(lo) - _value(rh) + ((lo | ~rh) & 1)
    high = _value(hi) - _value(rl) + (hi & ~rl & 1)
    return (
        _bounded(low, lo, PAST, reach=rh, unreachable=PAST),
        _bounded(high, hi, FUTURE, reach=rl, unreachable=FUTURE),
    )


def box_plus(lo: Cuts, hi: Cuts, rl: int, rh: int) -> tuple[Cuts, Cuts]:
    """⊞: all the time ahead. Without end it needs a formula without end."""
    low = _value(lo) - _value(rl) + (lo & ~rl & 1)
    high = _value(hi) - _value(rh) + ((hi | ~rh) & 1)
    return (
        _bounded(low, lo, PAST, reach=rl, unreachable=PAST),
        _bounded(high, hi, FUTURE, reach=rh, unreachable=PAST),
    )


def closure(lo: Cuts, hi: Cuts) -> tuple[Cuts, Cuts]:
    """The same intervals with both ends closed."""
    return _value(lo), np.where(hi == FUTURE, FUTURE, hi | 1)  # type: ignore[return-value]
