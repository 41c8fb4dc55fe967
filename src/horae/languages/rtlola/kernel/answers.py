"""The answers of a loop as Arrow columns, one schema for streams and triggers.

Parameters and values are JSON text: one column serves all types, and nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.types import Type
from horae.languages.rtlola.kernel.layout import Array
from horae.languages.rtlola.kernel.rows import Columns
from horae.languages.rtlola.kernel.strings import Strings
from horae.languages.rtlola.kernel.times import TICKS, absolute
from horae.languages.rtlola.program import Output, Trigger

if TYPE_CHECKING:  # the type checker wants parameters that Python does not know
    Texts: TypeAlias = pa.Array[Any]

Thing = Output | Trigger
Rows = Array | slice
Kind = TypeVar("Kind", bound=Hashable)

_TYPES: dict[str, pa.DataType] = {
    "time": TICKS,
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
    columns: Columns, things: tuple[Thing, ...], strings: Strings, start: int
) -> pa.RecordBatch:
    """One record batch, in the order of the loop, whose time 0 is `start`."""
    numbers = columns["out_id"]
    if not len(numbers):
        return no_answers()
    arrays: dict[str, Any] = {
        "time": absolute(columns["out_time"], start),
        "position": pa.array(columns["out_pos"], pa.int64()),
        "stream": _labels(numbers, things, _name, pa.string()),
        "params": _texts(numbers, things, _key_types, partial(_keys, columns, strings)),
        "value": _texts(numbers, things, _value_type, partial(_values, columns, strings)),
        "trigger": _labels(numbers, things, _trigger_number, pa.int32()),
        "message": _labels(numbers, things, _message, pa.string()),
        "condition": _labels(numbers, things, _condition, pa.string()),
    }
    return pa.record_batch(list(arrays.values()), schema=ANSWERS)


# --- what is the same in all answers of a stream or trigger


def _name(thing: Thing) -> str | None:
    return thing.name if isinstance(thing, Output) else None


def _trigger_number(thing: Thing) -> int | None:
    return thing.number if isinstance(thing, Trigger) else None


def _message(thing: Thing) -> str | None:
    return thing.message if isinstance(thing, Trigger) else None


def _condition(thing: Thing) -> str | None:
    return thing.text if isinstance(thing, Trigger) else None


def _labels(
    numbers: Array, things: Sequence[Thing], label: Callable[[Thing], object], kind: Any
) -> Texts:
    labels = [label(thing) for thing in things]
    if all(text is None for text in labels):
        nothing: Texts = pa.nulls(len(numbers), kind)
        return nothing
    found: Texts = pa.array(labels, kind).take(numbers)
    return found


# --- what is not


def _key_types(thing: Thing) -> tuple[Type, ...] | None:
    return tuple(p.type for p in thing.parameters) if isinstance(thing, Output) else None


def _value_type(thing: Thing) -> Type | None:
    return thing.type if isinstance(thing, Output) else None


def _texts(
    numbers: Array,
    things: Sequence[Thing],
    kind_of: Callable[[Thing], Kind | None],
    write: Callable[[Kind, Rows], Texts],
) -> Texts:
    """Answers of one kind are written together, those of triggers (None) not at all."""
    kinds = [kind_of(thing) for thing in things]
    distinct = list(dict.fromkeys(kinds))
    places = np.array([distinct.index(kind) for kind in kinds])[numbers]
    present = np.flatnonzero(np.bincount(places))
    if len(present) == 1:
        return _written(distinct[present[0]], slice(None), len(numbers), write)
    rows = [np.flatnonzero(places == place) for place in present]
    parts = [_written(distinct[n], at, len(at), write) for n, at in zip(present, rows, strict=True)]
    back = np.empty(len(numbers), np.int64)
    back[np.concatenate(rows)] = np.arange(len(numbers))
    together: Texts = pa.concat_arrays(parts).take(back)
    return together


def _written(
    kind: Kind | None, rows: Rows, count: int, write: Callable[[Kind, Rows], Texts]
) -> Texts:
    return pa.nulls(count, pa.string()) if kind is None else write(kind, rows)


def _values(columns: Columns, strings: Strings, kind: Type, rows: Rows) -> Texts:
    return json_texts(columns["out_f" if kind is Type.DOUBLE else "out_i"][rows], kind, strings)


def _keys(columns: Columns, strings: Strings, kinds: tuple[Type, ...], rows: Rows) -> Texts:
    """`[7, "a"]`."""
    keys = columns["out_p"][rows]
    if not kinds:
        nothing: Texts = pa.repeat(pa.scalar("[]"), len(keys))
        return nothing
    parts: list[Any] = []
    for i, kind in enumerate(kinds):
        raw = keys[:, i].copy()
        words = raw.view(np.float64) if kind is Type.DOUBLE else raw
        parts += [", " if parts else "[", json_texts(words, kind, strings)]
    listed: Texts = pc.binary_join_element_wise(*parts, "]", "")
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
            pointed: Any = pc.match_substring_regex(short, "[.e]")
            texts = short
            if not pc.all(pointed).as_py():
                texts = pc.if_else(pointed, short, pc.binary_join_element_wise(short, ".0", ""))
    found: Texts = texts
    return found
