"""Many constants as texts, and back: numbers and plain names all at once, others one by one.

The texts are those of `data.fact_values`, which are equal iff the constants are, and those of JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array
from horae.data.constants import Value
from horae.data.fact_values import json_text, read_constant, write_constant

_TEXT = pa.string()
_SHORT = "^(?:0|-?[1-9][0-9]{0,17})$"
_ESCAPED = r'["\\[:cntrl:]]'
"""What JSON does not write as it is, and some more."""


def write_constants(values: Sequence[Value]) -> Array:
    return _written(values, write_constant)


def json_texts(values: Sequence[Value]) -> Array:
    return _written(values, json_text)


def read_constants(texts: Array) -> list[Value]:
    if (numbers := short_numbers(texts)) is not None:
        return numbers.to_pylist()  # type: ignore[return-value]
    return [*map(read_constant, map(str, texts.to_pylist()))]


def short_numbers(texts: Array) -> Array | None:
    """Whole numbers of up to 18 digits, if all texts are such."""
    matches: Any = pc.match_substring_regex(texts, _SHORT)
    return texts.cast(pa.int64()) if pc.all(matches, min_count=0).as_py() else None


def _written(values: Sequence[Value], write: Callable[[Value], str]) -> Array:
    kinds = {*map(type, values)}
    together = _numbers if kinds == {int} else _names if kinds == {str} else None
    found = None if together is None else together(values)
    return pa.array([*map(write, values)], _TEXT) if found is None else found


def _numbers(values: Sequence[Value]) -> Array | None:
    try:
        numbers: Array = pa.array(values, pa.int64())
    except OverflowError:
        return None
    return numbers.cast(_TEXT)


def _names(values: Sequence[Value]) -> Array | None:
    names: Array = pa.array(values, _TEXT)
    if pc.any(pc.match_substring_regex(names, _ESCAPED)).as_py():
        return None
    parts: Any = ('"', names, '"', "")
    quoted: Array = pc.binary_join_element_wise(*parts)
    return quoted
