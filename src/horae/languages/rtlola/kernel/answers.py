"""The answers of a loop as Arrow columns, one schema for streams and triggers.

A value stands in the column that is named after its type: `bool`, `int`, `double` or `string`; the
others are null in its row, and there are only those that a specification has values of. So do
parameters, whose columns have their place besides: `1:int`. Text is a dictionary.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from horae.data.columns import Array, DataType
from horae.data.types import Type
from horae.data.values import ARROW_TYPES
from horae.languages.rtlola.kernel.layout import StateArray
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.kernel.rows import RowColumns
from horae.languages.rtlola.kernel.strings import Strings
from horae.languages.rtlola.kernel.times import TICKS, absolute
from horae.languages.rtlola.program import Evaluated, Output, Program, Trigger, answered

VALUES = {str(type): type for type in (Type.BOOL, Type.INT, Type.DOUBLE, Type.STRING)}
"""The columns of values."""

_CODED = pa.dictionary(pa.int32(), pa.string())


def answer_schema(program: Program, options: Options) -> pa.Schema:
    """What a kernel gives: times in 64 bits if all fit, and no column that would always be null."""
    program = answered(program, options.only)
    types: dict[str, Any] = {
        "time": pa.int64() if options.scale == 1 else TICKS,
        "position": pa.int64(),
    }
    if program.outputs:
        types["stream"] = _CODED
    for name in parameter_names(program):
        types[name] = _column_type(VALUES[name.partition(":")[2]])
    given = {output.type for output in program.outputs}
    types |= {name: _column_type(type) for name, type in VALUES.items() if type in given}
    return pa.schema(types | ({"trigger": pa.int32()} if program.triggers else {}))


def parameter_columns(output: Output) -> tuple[str, ...]:
    """Where the parameters of its answers stand."""
    return tuple(f"{place}:{p.type}" for place, p in enumerate(output.parameters, 1))


def parameter_names(program: Program) -> list[str]:
    """The columns of parameters of all outputs, by their places."""
    columns = (name for output in program.outputs for name in parameter_columns(output))
    return sorted(dict.fromkeys(columns), key=_by_place)


def _by_place(column: str) -> tuple[int, str]:
    place, _, type = column.partition(":")
    return int(place), type


def _column_type(type: Type) -> DataType:
    return _CODED if type is Type.STRING else ARROW_TYPES[type]


def fit_answers(answers: pa.Table, schema: pa.Schema) -> pa.Table:
    """The answers of a part of a specification, with the columns of the whole."""
    if answers.schema.equals(schema):
        return answers
    given: dict[str, Any] = {name: answers.column(name) for name in answers.column_names}
    columns = [
        given[field.name].cast(field.type)
        if field.name in given
        else pa.nulls(len(answers), field.type)
        for field in schema
    ]
    return pa.table(columns, schema=schema)


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
        case "trigger":
            numbers = [t.number if isinstance(t, Trigger) else None for t in things]
            return pa.array(numbers, pa.int32()).take(columns["out_id"])
        case _ if ":" in name:
            return _parameters(name, columns, things, strings)
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


def _parameters(
    name: str, columns: RowColumns, things: Sequence[Evaluated], strings: Strings
) -> Any:
    """Those of one place and type; null in the rows of outputs that have no such."""
    place, _, kind = name.partition(":")
    type = VALUES[kind]
    per_thing = [isinstance(t, Output) and name in parameter_columns(t) for t in things]
    is_here = _per_answer(per_thing, columns["out_id"])
    if not is_here.any():
        return pa.nulls(len(columns["out_id"]), _column_type(type))
    others = None if is_here.all() else ~is_here
    words = np.ascontiguousarray(columns["out_p"][:, int(place) - 1])
    if type is Type.STRING:
        return _texts(words, others, strings)
    if type is Type.DOUBLE:
        return pa.array(words.view(np.float64), mask=others)
    return pa.array(words != 0 if type is Type.BOOL else words, mask=others)
