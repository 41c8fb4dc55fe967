"""Typed tables of answers: one per output stream, and one for all triggers."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import DataType
from horae.data.typed_times import times_of_ticks
from horae.data.values import ARROW_TYPES
from horae.engine.answers import one_of
from horae.engine.typed_answers import TIME, free_names
from horae.languages.rtlola.kernel.answers import parameter_columns
from horae.languages.rtlola.options import Emit
from horae.languages.rtlola.program import TRIGGERS, Output, Program

_VALUE, _NUMBER, _MESSAGE = "value", "number", "message"


def output_schemas(program: Program, emit: Emit, time: DataType) -> dict[str, pa.Schema]:
    """`time`, a column per parameter, `value`; of triggers `time`, `number`, `message`."""
    outputs = () if emit is Emit.TRIGGERS else program.outputs
    found = {output.name: _output_schema(output, time) for output in outputs}
    if program.triggers:
        fields: dict[str, Any] = {TIME: time, _NUMBER: pa.int64(), _MESSAGE: pa.string()}
        found[TRIGGERS] = pa.schema(fields)
    return found


def _output_schema(output: Output, time: DataType) -> pa.Schema:
    names = free_names([parameter.name for parameter in output.parameters], (TIME, _VALUE))
    types = [ARROW_TYPES[parameter.type] for parameter in output.parameters]
    parameters: dict[str, Any] = dict(zip(names, types, strict=True))
    fields: dict[str, Any] = {TIME: time, **parameters, _VALUE: ARROW_TYPES[output.type]}
    return pa.schema(fields)


def typed_output(
    answers: pa.Table, program: Program, name: str, schema: pa.Schema, ticks: int, unit: int
) -> pa.Table:
    """The answers of one output; `ticks` make a second, as do `unit` of the numbers of the input."""
    own = _own(answers, name)
    times = times_of_ticks(own.column("time"), ticks, schema.field(TIME).type, unit)
    if name == TRIGGERS:
        return pa.Table.from_arrays([times, *_triggers(own, program)], schema=schema)
    output = next(output for output in program.outputs if output.name == name)
    columns = [*parameter_columns(output), str(output.type)]
    return pa.table([times, *map(own.column, columns)], names=schema.names)


def _own(answers: pa.Table, name: str) -> pa.Table:
    column = "trigger" if name == TRIGGERS else "stream"
    if column not in answers.column_names:
        return answers.slice(0, 0)
    is_own = pc.is_valid(answers.column(column))
    return answers.filter(is_own if name == TRIGGERS else one_of(answers.column(column), [name]))


def _triggers(own: pa.Table, program: Program) -> list[Any]:
    """Their numbers, and what they say."""
    messages = {trigger.number: trigger.message for trigger in program.triggers}
    said = [messages.get(number) for number in range(max(messages) + 1)]
    if "trigger" not in own.column_names:
        return [pa.nulls(0, pa.int64()), pa.nulls(0, pa.string())]
    numbers = own.column("trigger")
    return [numbers.cast(pa.int64()), pa.array(said, pa.string()).take(numbers.combine_chunks())]
