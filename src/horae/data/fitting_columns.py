"""Columns that have the right type already: taken as a whole, without a look at each value.

Each function gives None where a value might be wrong or needs to be read: `rows_of_inputs` does that,
value by value.
"""

from __future__ import annotations

from typing import Any, cast

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array, DataType
from horae.data.types import Type

_EXACT = 2**53  # whole numbers up to here are doubles


def fitting_values(found: Array, type: Type) -> Array | None:
    if found.null_count:
        return None
    match type:
        case Type.STRING:
            is_text = pa.types.is_string(found.type) or pa.types.is_large_string(found.type)
            return found.cast(pa.string()) if is_text else None
        case Type.BOOL:
            return found if pa.types.is_boolean(found.type) else None
        case Type.INT:
            return found.cast(pa.int64()) if _is_int(found.type) else None
        case Type.DOUBLE:
            return _doubles(found)


def _is_int(type: DataType) -> bool:
    return bool(pa.types.is_integer(type)) and type != pa.uint64()


def _doubles(found: Array) -> Array | None:
    if _is_int(found.type):
        return found.cast(pa.float64()) if _are_between(found, -_EXACT, _EXACT) else None
    if found.type not in (pa.float32(), pa.float64()):
        return None
    return found.cast(pa.float64()) if _all(pc.is_finite(found)) else None


def _all(truths: Any) -> bool:
    """Of no rows, all."""
    return pc.all(truths, min_count=0).as_py() is True


def _are_between(found: Array, least: int, most: int) -> bool:
    ends: Any = pc.min_max(found)
    low, high = ends["min"].as_py(), ends["max"].as_py()
    return low is None or (least <= low and high <= most)


def fitting_orders(found: Array) -> Array | None:
    """Natural numbers, as `rows_of_inputs.order_text` writes them."""
    if found.null_count or not _is_int(found.type) or not _are_between(found, 0, 2**63 - 1):
        return None
    digits: Any = pc.utf8_lpad(found.cast(pa.int64()).cast(pa.string()), 42, "0")
    before: Any = pa.scalar("n01")
    after: Any = pa.scalar("0" * 18)
    return cast(Array, pc.binary_join_element_wise(before, digits, after, ""))
