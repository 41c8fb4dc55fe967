"""Ticks as seconds: the one conversion, for answers, messages and clocks that are read as streams.

The result is the double nearest to the exact quotient, whichever way a time takes: batch, stream and
in process give the same digits.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from horae.data.columns import decimals_as_ints

if TYPE_CHECKING:  # the type checker wants parameters that Python does not know
    Column: TypeAlias = pa.Array[Any] | pa.ChunkedArray[Any]

_EXACT = 2**53  # doubles hold all whole numbers up to here


def seconds_of_ticks(ticks: int | Decimal, resolution: int) -> int | float:
    """One time, of `resolution` ticks per second; whole seconds stay whole numbers."""
    exact = Fraction(int(ticks), resolution)
    return exact.numerator if exact.denominator == 1 else float(exact)


def in_seconds(ticks: npt.NDArray[np.int64], resolution: int) -> npt.NDArray[np.float64]:
    """A column of times.

    Dividing doubles rounds once if both are exact; otherwise whole numbers are divided, each distinct
    time once.
    """
    if resolution <= _EXACT and np.all((ticks >= -_EXACT) & (ticks <= _EXACT)):
        return np.asarray(ticks / resolution, np.float64)
    distinct, places = np.unique(ticks, return_inverse=True)
    return np.array([time / resolution for time in distinct.tolist()], np.float64)[places]


def wide_in_seconds(ticks: Column, resolution: int) -> npt.NDArray[np.float64]:
    """A column of times that may be decimals, since they need not fit into 64 bits."""
    whole: Any = ticks.combine_chunks() if isinstance(ticks, pa.ChunkedArray) else ticks
    small = whole.to_numpy() if pa.types.is_int64(whole.type) else decimals_as_ints(whole)
    if small is not None:
        return in_seconds(small, resolution)
    encoded = whole.dictionary_encode()
    seconds = [int(time) / resolution for time in encoded.dictionary.to_pylist()]
    found: npt.NDArray[np.float64] = np.array(seconds or [0.0])[encoded.indices.to_numpy()]
    return found
