"""The answers of a loop as Arrow columns, one schema for streams and triggers.

Parameters and values are JSON text: one column serves all types, and nothing is rounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.kernels.rtlola.layout import Array
from horae.kernels.rtlola.rows import Columns
from horae.kernels.rtlola.strings import Strings
from horae.languages.rtlola.program import Output, Trigger
from horae.languages.rtlola.types import Type

if TYPE_CHECKING:  # the type checker wants parameters that Python does not know
    Texts: TypeAlias = pa.Array[Any]

_TYPES: dict[str, pa.DataType] = {
    "time": pa.int64(),  # ticks
    "position": pa.int64(),
    "stream": pa.string(),
    "params": pa.string(),
    "value": pa.string(),
    "trigger": pa.int32(),
    "message": pa.string(),
    "condition": pa.string(),
}
ANSWERS = pa.schema(list(_TYPES.items()))


def no_answers() -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([], schema=ANSWERS)


def build_answers(
    columns: Columns, things: tuple[Output | Trigger, ...], strings: Strings
) -> pa.RecordBatch:
    """One record batch, in the order of the loop."""
    if not len(columns["out_id"]):
        return no_answers()
    numbers = columns["out_id"]
    parts, places = [], []
    for number in np.unique(numbers):
        at = np.flatnonzero(numbers == number)
        places.append(at)
        parts.append(_part({n: c[at] for n, c in columns.items()}, things[number], strings))
    table = pa.Table.from_batches(parts)
    order = np.argsort(np.concatenate(places), kind="stable")
    return table.take(order).combine_chunks().to_batches()[0]


def _part(columns: Columns, thing: Output | Trigger, strings: Strings) -> pa.RecordBatch:
    """The answers of one stream or trigger."""
    count = len(columns["out_time"])
    found: dict[str, object] = {"time": columns["out_time"], "position": columns["out_pos"]}
    if isinstance(thing, Trigger):
        found |= {"trigger": thing.number, "message": thing.message, "condition": thing.text}
    else:
        raw = columns["out_f" if thing.type is Type.DOUBLE else "out_i"]
        found["stream"] = thing.name
        found["params"] = _parameters(columns["out_p"], thing, strings)
        found["value"] = json_texts(raw, thing.type, strings)
    arrays = [_column(found.get(name), count, kind) for name, kind in _TYPES.items()]
    return pa.record_batch(arrays, schema=ANSWERS)


def _column(content: object, count: int, kind: Any) -> Texts:
    """An array as it is, or one value as often as needed."""
    if isinstance(content, np.ndarray | pa.Array):
        return pa.array(content, kind) if isinstance(content, np.ndarray) else content
    return pa.nulls(count, kind) if content is None else _repeated(content, count, kind)


def _repeated(content: object, count: int, kind: Any) -> Texts:
    value: Any = pa.scalar(content, kind)
    repeated: Texts = pa.repeat(value, count)
    return repeated


def _parameters(keys: Array, output: Output, strings: Strings) -> Texts | str:
    """`[7, "a"]`."""
    columns: list[Any] = []
    for i, parameter in enumerate(output.parameters):
        raw = keys[:, i].copy()
        words = raw.view(np.float64) if parameter.type is Type.DOUBLE else raw
        columns.append(json_texts(words, parameter.type, strings))
    if not columns:
        return "[]"
    joined: Any = pc.binary_join_element_wise(*columns, ", ")
    listed: Texts = pc.binary_join_element_wise("[", joined, "]", "")
    return listed


def json_texts(raw: Array, kind: Type, strings: Strings) -> Texts:
    """Values as JSON; a double always shows that it is one."""
    texts: Any
    match kind:
        case Type.INT:
            texts = pc.cast(pa.array(raw), pa.string())
        case Type.BOOL:
            texts = pc.if_else(pa.array(raw != 0), "true", "false")
        case Type.STRING:
            codes, inverse = np.unique(raw, return_inverse=True)
            texts = pa.array(strings.quoted(codes), pa.string()).take(inverse)
        case Type.DOUBLE:
            short: Any = pc.cast(pa.array(raw), pa.string())
            pointed = pc.match_substring_regex(short, "[.e]")
            texts = pc.if_else(pointed, short, pc.binary_join_element_wise(short, ".0", ""))
    found: Texts = texts
    return found
