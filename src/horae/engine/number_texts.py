"""Columns of numbers as text, in the digits that Python writes: `0.1`, `1e-05`, `2.0`.

Arrow finds the same shortest digits, but writes whole numbers without a point, and goes over to
exponents elsewhere.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array, Doubles, Mask, decimals_as_ints
from horae.data.seconds import in_seconds

_LEAST, _LIMIT = 1e-4, 1e10  # from here to there both write no exponent
_LAST = 2**63 - 1


def double_texts(column: Array) -> Array:
    """As in JSON; nulls stay."""
    doubles: Any = column.cast(pa.float64())
    texts: Any = doubles.cast(pa.string())
    numbers = doubles.fill_null(0.5).to_numpy()
    with np.errstate(invalid="ignore"):
        is_whole = np.rint(numbers) == numbers
    if is_whole.any():
        with_point: Any = pc.binary_join_element_wise(texts, ".0", "")
        texts = pc.if_else(pa.array(is_whole), with_point, texts)
    others = ~_are_plain(numbers)
    if not others.any():
        return texts  # type: ignore[no-any-return]
    written = pa.array([*map(json.dumps, numbers[others].tolist())], pa.string())
    found: Array = pc.replace_with_mask(texts, pa.array(others), written)
    return found


def _are_plain(numbers: Doubles) -> Mask:
    sizes = np.abs(numbers)
    found: Mask = ((sizes >= _LEAST) & (sizes < _LIMIT)) | (sizes == 0)
    return found


def second_texts(ticks: Array, resolution: int) -> Array | None:
    """Times of `resolution` ticks per second, in seconds; whole seconds have no point.

    Without nulls; None where times do not fit into 64 bits.
    """
    counts = decimals_as_ints(ticks) if pa.types.is_decimal(ticks.type) else ticks.to_numpy()
    if counts is None or resolution > _LAST:
        return None
    whole, rest = np.divmod(counts, np.int64(resolution))
    seconds: Array = pa.array(whole).cast(pa.string())
    if not rest.any():
        return seconds
    fractions = double_texts(pa.array(in_seconds(counts, resolution)))
    found: Array = pc.if_else(pa.array(rest == 0), seconds, fractions)
    return found
