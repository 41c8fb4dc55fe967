"""The answers of a loop as Arrow columns, one schema for streams and triggers.

A value stands in the column that is named after its type: `bool`, `int`, `double` or `string`; the
others are null in its row, and there are only those that a specification has values of. Parameters are
JSON text, written once per distinct combination. Text is a dictionary. `plain_answers` gives answers the
columns that are the same for all specifications.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array
from horae.data.types import Type
from horae.data.values import ARROW_TYPES
from horae.languages.rtlola.kernel.layout import StateArray
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.kernel.rows import RowColumns
from horae.languages.rtlola.kernel.strings import Strings, json_string
from horae.languages.rtlola.kernel.times import TICKS, absolute
from horae.languages.rtlola.program import Evaluated, Output, Program, Trigger

VALUES = {str(type): type for type in (Type.BOOL, Type.INT, Type.DOUBLE, Type.STRING)}
"""The columns of values."""

ANSWERS = pa.schema(
    {
        "time": TICKS,
        "position": pa.int64(),
        "stream": pa.string(),
        "params": pa.string(),
        **{name: ARROW_TYPES[type] for name, type in VALUES.items()},
        "trigger": pa.int32(),
    }
)
_CODED = pa.dictionary(pa.int32(), pa.string())


def answer_schema(program: Program, options: Options) -> pa.Schema:
    """What a kernel gives: times in 64 bits if all fit, and no column that would always be null."""
    types: dict[str, Any] = {
        "time": pa.int64() if options.scale == 1 else TICKS,
        "position": pa.int64(),
    }
    if program.outputs:
        types |= {"stream": _CODED, "params": _CODED}
    given = {output.type for output in program.outputs}
    for name, type in VALUES.items():
        if type in given:
            types[name] = _CODED if type is Type.STRING else ARROW_TYPES[type]
    return pa.schema(types | ({"trigger": pa.int32()} if program.triggers else {}))


def plain_answers(answers: pa.Table) -> pa.Table:
    """The answers with the columns `ANSWERS`."""
    given: dict[str, Any] = {name: answers.column(name) for name in answers.column_names}
    types: list[Any] = ANSWERS.types
    columns = [
        given[name].cast(type) if name in given else pa.nulls(len(answers), type)
        for name, type in zip(ANSWERS.names, types, strict=True)
    ]
    return pa.table(columns, schema=ANSWERS)


def build_answers(
    columns: RowColumns,
    things: tuple[Evaluated, ...],
    strings: Strings,
    start: int,
    schema: pa.Schema,
) -> pa.RecordBatch:
    """One record batch, in the order of the loop, whose time 0 is `start`."""
    if not len(columns["out_id"]):
        return pa.RecordBatch.from_arrays([pa.nulls(0, f.type) for f in schema], schema=schema)
    given = [_column(name, columns, things, strings, start, schema) for name in schema.names]
    return pa.record_batch(given, schema=schema)


def _column(
    name: str,
    columns: RowColumns,
    things: tuple[Evaluated, ...],
    strings: Strings,
    start: int,
    schema: pa.Schema,
) -> Any:
    match name:
        case "time" if schema.field(name).type == TICKS:
            return absolute(columns["out_time"], start)
        case "time":
            return pa.array(columns["out_time"] + np.int64(start))
        case "position":
            return pa.array(columns["out_pos"])
        case "stream":
            return _streams(columns["out_id"], things)
        case "params":
            return _params(columns, things, strings)
        case "trigger":
            numbers = [t.number if isinstance(t, Trigger) else None for t in things]
            return pa.array(numbers, pa.int32()).take(columns["out_id"])
        case _:
            return _values(columns, VALUES[name], things, strings, schema)


def _streams(numbers: StateArray, things: Sequence[Evaluated]) -> Array:
    """The names of outputs; null for triggers."""
    names = [thing.name for thing in things if isinstance(thing, Output)]
    codes = [names.index(t.name) if isinstance(t, Output) else None for t in things]
    found: Any = pa.array(codes, pa.int32()).take(numbers)
    return pa.DictionaryArray.from_arrays(found, pa.array(names, pa.string()))


# --- values


def _value_type(thing: Evaluated) -> Type | None:
    return thing.type if isinstance(thing, Output) else None


def _per_answer(per_thing: list[bool], numbers: StateArray) -> StateArray:
    """What holds for streams and triggers, for each of their answers; one entry stands for all."""
    holds = np.array(per_thing)
    return holds[:1] if holds.all() or not holds.any() else holds[numbers]


def _values(
    columns: RowColumns,
    type: Type,
    things: Sequence[Evaluated],
    strings: Strings,
    schema: pa.Schema,
) -> Any:
    """The values of one type; null in the rows of others."""
    numbers = columns["out_id"]
    is_here = _per_answer([_value_type(thing) is type for thing in things], numbers)
    if not is_here.any():
        return pa.nulls(len(numbers), schema.field(str(type)).type)
    others = None if is_here.all() else ~is_here
    if type is Type.DOUBLE:
        return pa.array(columns["out_f"], mask=others)
    raw = columns["out_i"]
    if type is Type.STRING:
        return _texts(raw, others, strings)
    return pa.array(raw != 0 if type is Type.BOOL else raw, mask=others)


def _texts(codes: StateArray, others: StateArray | None, strings: Strings) -> Array:
    encoded: Any = pa.array(codes, mask=others).dictionary_encode()
    texts = [strings.texts[code] for code in encoded.dictionary.to_pylist()]
    return pa.DictionaryArray.from_arrays(encoded.indices, pa.array(texts, pa.string()))


# --- parameters


def _params(columns: RowColumns, things: Sequence[Evaluated], strings: Strings) -> Array:
    """`[7, "a"]`; outputs whose parameters have the same types are written together."""
    numbers = columns["out_id"]
    kinds = list(dict.fromkeys(map(_key_types, things)))
    parts = []
    for kind in kinds:
        is_here = _per_answer([_key_types(thing) == kind for thing in things], numbers)
        if is_here.any():
            parts.append(_listed(columns["out_p"], kind, is_here, strings))
    return parts[0] if not parts[1:] else _merged(parts)


def _key_types(thing: Evaluated) -> tuple[Type, ...] | None:
    return tuple(p.type for p in thing.parameters) if isinstance(thing, Output) else None


def _listed(
    keys: StateArray, kinds: tuple[Type, ...] | None, is_here: StateArray, strings: Strings
) -> Array:
    others = None if is_here.all() else ~is_here
    if kinds is None:
        return pa.nulls(len(keys), _CODED)
    if not kinds:
        nothing: Any = pa.array(np.zeros(len(keys), np.int32), mask=others)
        return pa.DictionaryArray.from_arrays(nothing, pa.array(["[]"]))
    codes, distinct = _combinations(keys[:, : len(kinds)], others)
    texts: list[Any] = []
    for column, kind in zip(distinct.T, kinds, strict=True):
        words = np.ascontiguousarray(column)
        raw = words.view(np.float64) if kind is Type.DOUBLE else words
        texts += [", " if texts else "[", json_texts(raw, kind, strings)]
    written: Array = pc.binary_join_element_wise(*texts, "]", "")
    return pa.DictionaryArray.from_arrays(codes, written)


def _combinations(keys: StateArray, others: StateArray | None) -> tuple[Array, StateArray]:
    """The number of each row's combination of words, and the distinct combinations.

    One column after the other: what was told apart so far, and the next word, are one number.
    """
    codes: Any = None
    for column in keys.T:
        words = pa.array(np.ascontiguousarray(column), mask=others).dictionary_encode()
        if codes is None:
            codes = words.indices
            continue
        both = pc.add(
            pc.multiply(codes.cast(pa.int64()), len(words.dictionary)), words.indices.cast("int64")
        )
        codes = both.dictionary_encode().indices
    count = pc.max(codes).as_py() + 1
    first = np.zeros(count + 1, np.int64)  # one more for rows that have none
    first[codes.fill_null(count).to_numpy()[::-1]] = np.arange(len(codes))[::-1]
    return codes, keys[first[:count]]


def _merged(parts: list[Any]) -> Array:
    """One column of several, of which at most one has an entry in each row."""
    texts = pa.concat_arrays([part.dictionary for part in parts])
    codes: Any = pa.nulls(len(parts[0]), pa.int32())
    before = 0
    for part in parts:
        codes = pc.coalesce(codes, pc.add(part.indices, pa.scalar(before, pa.int32())))
        before += len(part.dictionary)
    return pa.DictionaryArray.from_arrays(codes, texts)


# --- as text


def value_texts(answers: pa.Table) -> Any:
    """The values of answers as JSON text, in one column; null in rows of triggers."""
    columns = {name: answers.column(name) for name in VALUES if name in answers.column_names}
    texts = [_json(c, VALUES[name]) for name, c in columns.items() if c.null_count < len(c)]
    return pc.coalesce(*texts) if texts else pa.nulls(len(answers), pa.string())


def _json(column: Any, type: Type) -> Any:
    if type is not Type.STRING:
        return _number_texts(column, type)
    plain = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    encoded: Any = plain.dictionary_encode()
    quoted = pa.array([json_string(text) for text in encoded.dictionary.to_pylist()], pa.string())
    return quoted.take(encoded.indices)


def json_texts(raw: StateArray, kind: Type, strings: Strings) -> Array:
    """Words of a kernel as JSON."""
    if kind is Type.STRING:
        return pa.array([json_string(strings.texts[code]) for code in raw.tolist()], pa.string())
    texts: Array = _number_texts(pa.array(raw != 0 if kind is Type.BOOL else raw), kind)
    return texts


def _number_texts(column: Any, kind: Type) -> Any:
    """A double always shows that it is one."""
    texts: Any = pc.cast(column, pa.string())
    if kind is not Type.DOUBLE:
        return texts
    pointed: Any = pc.match_substring_regex(texts, "[.e]")
    if pc.all(pointed).as_py():
        return texts
    return pc.if_else(pointed, texts, pc.binary_join_element_wise(texts, ".0", ""))
