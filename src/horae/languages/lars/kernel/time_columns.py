"""Columns of codes as time points and as lengths of windows.

A number beyond the last time point is no time point that could be computed with: where a rule gives
one to `@`, the run ends with an error, unless a horizon says that such times are not wanted. A length
beyond it is exact all the same: no window reaches further than to all time points.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from horae.data.cuts import Cuts, Rows
from horae.data.natural_times import LAST
from horae.languages.lars import catalogue
from horae.languages.lars.kernel.codes import Codes, are_time_points
from horae.languages.lars.kernel.time_windows import FUTURE
from horae.source.errors import InputError


def are_time_points_until(column: Rows, codes: Codes, horizon: int | None) -> npt.NDArray[np.bool_]:
    """Which codes are time points up to the horizon; an error where one lies beyond the last."""
    found = are_time_points(column)
    if horizon is not None and horizon <= LAST:
        return found & (column <= horizon)
    if not found.all():
        check_times(codes.decode(np.unique(column[~found])))
    return found


def check_times(values: Iterable[object]) -> None:
    """An error for a whole number beyond the last time point."""
    for value in values:
        if isinstance(value, int) and value > LAST:
            raise beyond(value)


def beyond(value: int) -> InputError:
    return catalogue.BEYOND_THE_LAST_TIME(time_point=_short(value), last=LAST)


def _short(value: int) -> str:
    return str(value) if value.bit_length() <= 256 else f"2^{value.bit_length() - 1} or more"


def lengths(column: Rows, codes: Codes) -> tuple[Cuts, npt.NDArray[np.bool_]]:
    """The lengths that the codes stand for, and which of them are lengths: natural numbers."""
    natural = are_time_points(column)
    if natural.all():
        return column, natural
    distinct, places = np.unique(column, return_inverse=True)
    known = [length_of(value) for value in codes.decode(distinct)]
    numbers = np.array([0 if n is None else n for n in known], np.int64)
    exist = np.array([n is not None for n in known], bool)
    return numbers[places.reshape(-1)], exist[places.reshape(-1)]


def length_of(value: object) -> int | None:
    """None where the value is no natural number; what is longer than all times is `FUTURE`."""
    return min(value, FUTURE) if isinstance(value, int) and value >= 0 else None
