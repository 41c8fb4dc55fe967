"""Cuts beyond 64 bits: Python integers in arrays of objects.

They are slower than int64 by far, and used only where a time, or a sum of times, does not fit. All
that the kernels do with cuts besides adding is comparing: so the compiled functions see the *ranks*
of wide cuts among each other, which are small and in the same order.
"""

from __future__ import annotations

import numpy as np

from horae.kernels.intervals.cuts import FUTURE, PAST, Cuts


class WideCut(int):
    """A finite cut of any size. The plain integers `PAST` and `FUTURE` lie before and after all.

    What is computed from a wide cut is a wide cut.
    """

    __slots__ = ()

    def __add__(self, other: int) -> WideCut:
        return WideCut(int.__add__(self, other))

    def __sub__(self, other: int) -> WideCut:
        return WideCut(int.__sub__(self, other))

    def __rsub__(self, other: int) -> WideCut:
        return WideCut(int.__rsub__(self, other))

    def __mul__(self, other: int) -> WideCut:
        return WideCut(int.__mul__(self, other))

    def __and__(self, other: int) -> WideCut:
        return WideCut(int.__and__(self, other))

    def __or__(self, other: int) -> WideCut:
        return WideCut(int.__or__(self, other))

    def __rshift__(self, other: int) -> WideCut:
        return WideCut(int.__rshift__(self, other))

    __radd__ = __add__
    __rmul__ = __mul__
    __rand__ = __and__
    __ror__ = __or__

    def __eq__(self, other: object) -> bool:
        return not _is_infinite(other) and int.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: int) -> bool:
        return other > 0 if _is_infinite(other) else int.__lt__(self, other)

    def __gt__(self, other: int) -> bool:
        return other < 0 if _is_infinite(other) else int.__gt__(self, other)

    def __le__(self, other: int) -> bool:
        return not self > other

    def __ge__(self, other: int) -> bool:
        return not self < other

    __hash__ = int.__hash__


def _is_infinite(other: object) -> bool:
    return type(other) is int and other in (PAST, FUTURE)


def is_wide(*columns: Cuts) -> bool:
    """Whether any of them holds objects."""
    return any(column.dtype == object for column in columns)


def whole(cut: int) -> int:
    """An element of a column as a Python integer; a wide one stays so."""
    return cut if isinstance(cut, WideCut) else int(cut)


def ranks(*columns: Cuts) -> tuple[Cuts, list[Cuts]]:
    """The different cuts in order, and the places of each column's cuts among them."""
    distinct, places = np.unique(np.concatenate(columns), return_inverse=True)
    return distinct, np.split(places, np.cumsum([len(c) for c in columns[:-1]]))
