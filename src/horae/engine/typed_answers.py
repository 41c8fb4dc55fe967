"""Answers as typed tables: one per output, or all in one with a column of structs per output.

What a language knows of its outputs are schemas (`Run.schemas`), and how rows of kernels become such a
table (`Run.typed`); all else is the same for all languages, in process, in batch and live.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from horae.data.columns import DataType, plain_columns
from horae.data.input_types import InputTypes, types_of_files, types_of_inputs
from horae.engine.contract import Routed
from horae.source.suggest import did_you_mean

if TYPE_CHECKING:
    from horae.engine.run import Run

TIME, NAME = "time", "name"
_HOLDS = "holds"
"""The only field of a struct that would have none."""

Schemas = Mapping[str, pa.Schema]
"""Of outputs, by their names. Each begins with its time."""


def free_name(name: str, taken: Iterable[str]) -> str:
    """The name of a column beside others: `time_` where `time` is taken, in any case."""
    others = {other.lower() for other in taken}
    while name.lower() in others:
        name += "_"
    return name


def free_names(names: Iterable[str], taken: Iterable[str]) -> list[str]:
    """One for each of these names, all different; those that are free stay as they are."""
    own, others = [*names], [*taken]
    free = [name for name in own if free_name(name, others) == name]
    found: list[str] = []
    for name in own:
        is_kept = name in free and name.lower() not in map(str.lower, found)
        found.append(name if is_kept else free_name(name, [*others, *own, *found]))
    return found


def typed_table(run: Run, rows: pa.Table, output: str, schema: pa.Schema, ticks: int) -> pa.Table:
    """Rows of answers as the table of an output; types that the schema leaves open stay as they are."""
    found = plain_columns(run.typed(rows, output, schema, ticks))
    types = [
        own if pa.types.is_null(asked) else asked
        for own, asked in zip(found.schema.types, schema.types, strict=True)
    ]
    return found.cast(pa.schema(zip(schema.names, types, strict=True)))


def time_of(schema: pa.Schema) -> str:
    """The column of the time of an output: where answers are intervals, they begin then."""
    return TIME if TIME in schema.names else "start"


def known_output(name: str, schemas: Schemas) -> str:
    """The name, if an output has it."""
    if name not in schemas:
        guess = did_you_mean(name, list(schemas)) or f"They are {', '.join(schemas)}."
        raise ValueError(f"`{name}` is not an output of the program. {guess}")
    return name


@dataclass(frozen=True)
class TypedAnswers:
    """Makes typed tables of what the kernels of a program answer; it travels to workers by pickle."""

    run: Run
    program: Routed
    schemas: Schemas

    def table(self, answers: pa.Table, output: str) -> pa.Table:
        """The answers of one output."""
        rows = self.run.typed_rows(self.program, answers)
        return typed_table(
            self.run, rows, output, self.schemas[output], self.run.ticks(self.program)
        )

    def shape(self, output: str | None = None) -> OneOutput | AllOutputs:
        """What makes tables of one output, or of all."""
        return AllOutputs(self) if output is None else OneOutput(self, output)


@dataclass(frozen=True)
class TablesInProcess:
    """The tables of answers in this process, whose types follow from the given inputs."""

    run: Run
    inputs: object

    def __call__(self, rows: pa.Table, output: str, ticks: int) -> pa.Table:
        schemas = self.run.schemas(self.types, pa.null())
        return typed_table(self.run, rows, output, schemas[known_output(output, schemas)], ticks)

    @property
    def types(self) -> InputTypes:
        return types_of_inputs(self.inputs)


@dataclass(frozen=True)
class TablesOfFiles(TablesInProcess):
    """The same where inputs are `PATH` or `NAME=PATH`."""

    inputs: Sequence[str]

    @property
    def types(self) -> InputTypes:
        return types_of_files(self.inputs, has_names=self.run.has_names)


@dataclass(frozen=True)
class OneOutput:
    typed: TypedAnswers
    output: str

    @property
    def schema(self) -> pa.Schema:
        return self.typed.schemas[self.output]

    def __call__(self, answers: pa.Table) -> pa.Table:
        return self.typed.table(answers, self.output)


@dataclass(frozen=True)
class AllOutputs:
    """`time`, `name`, and a struct per output, which is null in the answers of others."""

    typed: TypedAnswers

    def __call__(self, answers: pa.Table) -> pa.Table:
        schema = self.schema
        parts = [self._of(answers, output) for output in self.typed.schemas] if len(answers) else []
        return pa.concat_tables([schema.empty_table(), *(part for part in parts if len(part))])

    @cached_property
    def schema(self) -> pa.Schema:
        return together_schema(self.typed.schemas)

    def _of(self, answers: pa.Table, output: str) -> pa.Table:
        own = self.typed.table(answers, output).combine_chunks()
        time, name, *structs = self.schema
        columns: list[Any] = [
            own.column(time_of(own.schema)).cast(time.type),
            pa.repeat(pa.scalar(output, name.type), len(own)),
        ]
        for field, each in zip(structs, self.typed.schemas, strict=True):
            is_own = each == output
            columns.append(_structs(own, field.type) if is_own else pa.nulls(len(own), field.type))
        return pa.table(columns, schema=self.schema)


def together_schema(schemas: Schemas) -> pa.Schema:
    """Of the table that has all outputs."""
    times = {schema.field(time_of(schema)).type for schema in schemas.values()}
    time: DataType = times.pop() if len(times) == 1 else pa.float64()
    fields = [pa.field(TIME, time), pa.field(NAME, pa.string())]
    for name, schema in zip(free_names(schemas, (TIME, NAME)), schemas.values(), strict=True):
        fields.append(pa.field(name, pa.struct(_fields(schema))))
    return pa.schema(fields)


def _fields(schema: pa.Schema) -> list[pa.Field[Any]]:
    """All but the time; ends of intervals are no time points, so they stay."""
    own = [field for field in schema if field.name != TIME]
    return own or [pa.field(_HOLDS, pa.bool_())]


def _structs(own: pa.Table, type: DataType) -> Any:
    columns = [
        pa.repeat(True, len(own)) if field.name not in own.column_names else _whole(own, field.name)
        for field in type
    ]
    return pa.StructArray.from_arrays(columns, fields=list(type))


def _whole(table: pa.Table, name: str) -> Any:
    column = table.column(name)
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
