"""The streams and relations that queries read, and the tables that they give."""

from __future__ import annotations

from collections.abc import Sequence

from horae.data.schema import SchemaColumn, TableSchema
from horae.languages.cql.program import Program


def input_tables(program: Program) -> tuple[TableSchema, ...]:
    return tuple(TableSchema(item.name, _columns(item.columns)) for item in program.inputs)


def output_tables(program: Program) -> tuple[TableSchema, ...]:
    return tuple(TableSchema(query.name, _columns(query.body.outputs)) for query in program.queries)


def _columns(columns: Sequence[SchemaColumn]) -> tuple[tuple[str, str], ...]:
    return tuple((column.name, str(column.type)) for column in columns)
