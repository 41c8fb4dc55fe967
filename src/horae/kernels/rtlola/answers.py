"""The answers of a loop as Arrow columns, one schema for streams and triggers.

Parameters and values are JSON text: one column serves all types, and nothing is rounded.
"""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.kernels.rtlola.strings import Strings
from horae.languages.rtlola.program import Output, Trigger
from horae.languages.rtlola.types import Type

ANSWERS = pa.schema(
    [
        ("time", pa.int64()),  # ticks
        ("position", pa.int64()),
        ("stream", pa.string()),
        ("params", pa.string()),
        ("value", pa.string()),
        ("trigger", pa.int32()),
        ("message", pa.string()),
        ("condition", pa.string()),
    ]
)


def no_answers() -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([], schema=ANSWERS)


def build_answers(
    columns: dict[str, np.ndarray], things: tuple[Output | Trigger, ...], strings: Strings
) -> pa.RecordBatch:
    """One record batch, in the order of the loop."""
    numbers = columns["out_id"]
    parts, places = [], []
    for number in np.unique(numbers):
        at = np.flatnonzero(numbers == number)
        places.append(at)
        parts.append(_part(columns, at, things[number], strings))
    if not parts:
        return no_answers()
    table = pa.Table.from_batches(parts)
    order = np.argsort(np.concatenate(places), kind="stable")
    return table.take(pa.array(order)).combine_chunks().to_batches()[0]


def _part(
    columns: dict[str, np.ndarray], at: np.ndarray, thing: Output | Trigger, strings: Strings
) -> pa.RecordBatch:
    """The answers of one stream or trigger."""
    count = len(at)
    times = [pa.array(columns["out_time"][at]), pa.array(columns["out_pos"][at])]
    if isinstance(thing, Trigger):
        filled = [thing.number, thing.message, thing.text]
        blank = [pa.nulls(count, pa.string())] * 3
        return pa.record_batch([*times, *blank, *_constants(filled, count, 5)], schema=ANSWERS)
    raw = columns["out_f" if thing.type is Type.DOUBLE else "out_i"][at]
    texts = [
        _constant(thing.name, count, pa.string()),
        _parameters(columns["out_p"][at], thing, strings),
        json_texts(raw, thing.type, strings),
    ]
    return pa.record_batch([*times, *texts, *_constants([None] * 3, count, 5)], schema=ANSWERS)


def _constants(values: list[object], count: int, first: int) -> list[pa.Array]:
    return [_constant(v, count, ANSWERS.field(first + i).type) for i, v in enumerate(values)]


def _constant(value: object, count: int, kind: pa.DataType) -> pa.Array:
    return pa.nulls(count, kind) if value is None else pa.repeat(pa.scalar(value, kind), count)


def _parameters(keys: np.ndarray, output: Output, strings: Strings) -> pa.Array:
    """`[7, "a"]`."""
    columns = []
    for i, parameter in enumerate(output.parameters):
        raw = keys[:, i].copy()
        words = raw.view(np.float64) if parameter.type is Type.DOUBLE else raw
        columns.append(json_texts(words, parameter.type, strings))
    if not columns:
        return _constant("[]", len(keys), pa.string())
    joined = pc.binary_join_element_wise(*columns, ", ")
    return pc.binary_join_element_wise("[", joined, "]", "")


def json_texts(raw: np.ndarray, kind: Type, strings: Strings) -> pa.Array:
    """Values as JSON; a double always shows that it is one."""
    match kind:
        case Type.INT:
            return pc.cast(pa.array(raw), pa.string())
        case Type.BOOL:
            return pc.if_else(pa.array(raw != 0), "true", "false")
        case Type.STRING:
            codes, inverse = np.unique(raw, return_inverse=True)
            quoted = [json.dumps(strings.texts[c], ensure_ascii=False) for c in codes]
            return pa.array(quoted, pa.string()).take(pa.array(inverse))
        case Type.DOUBLE:
            texts = pc.cast(pa.array(raw), pa.string())
            pointed = pc.match_substring_regex(texts, "[.e]")
            return pc.if_else(pointed, texts, pc.binary_join_element_wise(texts, ".0", ""))
