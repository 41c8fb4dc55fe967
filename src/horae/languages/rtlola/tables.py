"""The table that a specification reads, and those that it gives."""

from __future__ import annotations

from collections.abc import Iterator

from horae.data.schema import TableSchema
from horae.languages.rtlola.program import Program


def input_tables(program: Program) -> tuple[TableSchema, ...]:
    """One table, which has no name: a column per input stream."""
    return (TableSchema("", tuple((item.name, str(item.type)) for item in program.inputs)),)


def output_tables(program: Program) -> tuple[TableSchema, ...]:
    """One per output stream and trigger."""
    return (*_outputs(program), *_triggers(program))


def _outputs(program: Program) -> Iterator[TableSchema]:
    for output in program.outputs:
        parameters = ((p.name, str(p.type)) for p in output.parameters)
        yield TableSchema(output.name, (*parameters, ("value", str(output.type))))


def _triggers(program: Program) -> Iterator[TableSchema]:
    for trigger in program.triggers:
        yield TableSchema(f"trigger {trigger.number}", (("message", "string"),))
