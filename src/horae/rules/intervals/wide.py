"""Cuts beyond 64 bits: Python integers in arrays of objects.

They are slower than int64 by far, and used only where a time, or a sum of times, does not fit. All
that the kernels do with cuts besides adding is comparing: so the compiled functions see the *ranks*
of wide cuts among each other, which are small and in the same order.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from operator import add, and_, mod, mul, or_, rshift, sub
from typing import TYPE_CHECKING, Any

import numpy as np

from horae.data.cuts import FUTURE, PAST, Cuts

# NumPy makes an int64 of every kind of int that fits: so this is one for the type checker only.
if TYPE_CHECKING:
    _Integer = int
else:
    _Integer = object


class WideCut(_Integer):
    """A finite cut of any size. The plain integers `PAST` and `FUTURE` lie before and after all.

    What is computed from a wide cut is a wide cut.
    """

    __slots__ = ("value",)

    def __init__(self, value: int) -> None:
        self.value = int(value)

    def __int__(self) -> int:
        return self.value

    __index__ = __int__

    def __bool__(self) -> bool:
        return self.value != 0

    def __repr__(self) -> str:
        return str(self.value)

    __str__ = __repr__

    def __add__(self, other: int) -> WideCut:
        return _compute(add, self, other)

    def __sub__(self, other: int) -> WideCut:
        return _compute(sub, self, other)

    def __rsub__(self, other: int) -> WideCut:
        return _compute(sub, other, self)

    def __mul__(self, other: int) -> WideCut:
        return _compute(mul, self, other)

    def __mod__(self, other: int) -> WideCut:
        return _compute(mod, self, other)

    def __and__(self, other: int) -> WideCut:
        return _compute(and_, self, other)

    def __or__(self, other: int) -> WideCut:
        return _compute(or_, self, other)

    def __rshift__(self, other: int) -> WideCut:
        return _compute(rshift, self, other)

    def __invert__(self) -> WideCut:
        return WideCut(~self.value)

    def __neg__(self) -> WideCut:
        return WideCut(-self.value)

    __radd__ = __add__
    __rmul__ = __mul__
    __rand__ = __and__
    __ror__ = __or__

    def __eq__(self, other: object) -> bool:
        match other:
            case WideCut():
                return self.value == other.value
            case int():
                return other not in (PAST, FUTURE) and self.value == other
            case _:
                return NotImplemented

    def __lt__(self, other: int) -> bool:
        return _precedes(self, other)

    def __gt__(self, other: int) -> bool:
        return _precedes(other, self)

    def __le__(self, other: int) -> bool:
        return self == other or _precedes(self, other)

    def __ge__(self, other: int) -> bool:
        return self == other or _precedes(other, self)

    def __hash__(self) -> int:
        return hash(self.value)


def _compute(operation: Callable[[int, int], int], left: Any, right: Any) -> WideCut:
    """Arrays do it element by element."""
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return NotImplemented  # type: ignore[no-any-return]
    return WideCut(operation(int(left), int(right)))


def _precedes(left: Any, right: Any) -> bool:
    """At least one of them is wide, so a plain one that is infinite lies before or after it."""
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return NotImplemented  # type: ignore[no-any-return]
    if isinstance(left, WideCut) and isinstance(right, WideCut):
        return left.value < right.value
    if isinstance(left, WideCut):
        return bool(right == FUTURE or (right != PAST and left.value < right))
    return bool(left == PAST or (left != FUTURE and left < right.value))


def is_wide(*columns: Cuts) -> bool:
    """Whether any of them holds objects."""
    return any(column.dtype == object for column in columns)


def wide_cuts(numbers: Cuts) -> Cuts:
    return np.array([WideCut(number) for number in numbers.tolist()], object)


def whole(cut: int) -> int:
    """An element of a column as a Python integer; a wide one stays so."""
    return cut if isinstance(cut, WideCut) else int(cut)


def cut_ranks(*columns: Cuts) -> tuple[Cuts, list[Cuts]]:
    """The different cuts in order, and the places of each column's cuts among them."""
    keys = [_key(cut) for cut in np.concatenate(columns).tolist()]
    distinct = sorted(set(keys))
    place = {key: number for number, key in enumerate(distinct)}
    places = np.fromiter((place[key] for key in keys), np.int64, len(keys))
    cuts = np.array([_cut(key) for key in distinct], object)
    return cuts, np.split(places, np.cumsum([len(c) for c in columns[:-1]]))


def _key(cut: int) -> float:
    """A number in the same order, which Python compares quickly."""
    return cut.value if isinstance(cut, WideCut) else _INFINITE.get(cut, cut)


def _cut(key: float) -> int:
    if isinstance(key, int):
        return WideCut(key)
    return PAST if key < 0 else FUTURE


_INFINITE = {PAST: -inf, FUTURE: inf}
