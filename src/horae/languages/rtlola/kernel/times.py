"""Time inside a kernel: ticks since the first row.

Only the span of the input matters, so the ticks may be as fine as the rates of a program need while
input times are counted from 1970. A time is at most `LAST`. A duration that is longer than any span
counts as `NEVER`: windows of that length hold all values, clocks of that period tick once at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa

from horae.data.columns import Ints

if TYPE_CHECKING:  # the type checker wants parameters that Python does not know
    Decimals: TypeAlias = pa.Array[Any]


LAST = 2**62
NEVER = LAST + 1

# Ticks since time 0 need not fit into 64 bits.
TICKS = pa.decimal128(38, 0)


def later_time(time: str, ticks: int | str) -> str:
    """Code for a time so many ticks later, at most `NEVER`. Neither sum overflows."""
    left = NEVER - ticks if isinstance(ticks, int) else f"{NEVER} - {ticks}"
    return f"(min({time}, {left}) + {ticks})"


def last_that_fits(first: int, scale: int) -> int:
    """The last time of a row that a kernel can take; `scale` ticks are one tick of the rows."""
    return first + LAST // scale


def since(first: int, times: Ints, scale: int) -> Ints:
    """Times of rows as ticks of a kernel; the caller has looked that they fit."""
    return (times - np.int64(first)) * np.int64(min(scale, LAST))


def absolute(times: Ints, start: int) -> Decimals:
    """Times of a kernel that started at `start`, as ticks since time 0."""
    low = np.uint64(start % 2**64) + times.astype(np.uint64)
    high = np.where(low < times.astype(np.uint64), start // 2**64 + 1, start // 2**64)
    words = np.stack([low.view(np.int64), high.astype(np.int64)], axis=1)
    return pa.Array.from_buffers(TICKS, len(times), [None, pa.py_buffer(words.tobytes())])
