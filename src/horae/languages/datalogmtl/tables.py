"""The predicates that a program reads, and those that it answers."""

from __future__ import annotations

from horae.data.schema import TableSchema, predicate_schema
from horae.languages.datalogmtl.program import Program


def input_tables(program: Program) -> tuple[TableSchema, ...]:
    """Predicates that no rule derives; facts about the others may be in the input too."""
    given = [name for name in program.arities if name not in program.derived]
    return tuple(predicate_schema(name, program.arities[name]) for name in given)


def output_tables(program: Program) -> tuple[TableSchema, ...]:
    return tuple(predicate_schema(n, program.arities.get(n, 0)) for n in program.queries)
