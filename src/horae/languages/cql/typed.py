"""Typed tables of answers: one per query, with its columns."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import DataType
from horae.data.typed_times import times_of_ticks
from horae.data.values import ARROW_TYPES
from horae.engine.answers import one_of
from horae.engine.typed_answers import TIME, free_names
from horae.languages.cql.kernel.answers import value_columns
from horae.languages.cql.program import Program, Query

_KIND = "kind"


def output_schemas(program: Program, time: DataType) -> dict[str, pa.Schema]:
    return {query.name: _schema(query, time) for query in program.queries}


def _schema(query: Query, time: DataType) -> pa.Schema:
    """`time`, the columns of the query, `kind`; a name that is taken gets a `_`."""
    outputs = query.body.outputs
    names = free_names([column.name for column in outputs], (TIME, _KIND))
    types = [ARROW_TYPES[column.type] for column in outputs]
    fields: dict[str, Any] = {
        TIME: time,
        **dict(zip(names, types, strict=True)),
        _KIND: pa.string(),
    }
    return pa.schema(fields)


def typed_output(
    answers: pa.Table, query: Query, schema: pa.Schema, per_second: int, unit: int
) -> pa.Table:
    is_own = one_of(answers.column("query"), [query.name])
    own = answers if pc.all(is_own).as_py() else answers.filter(is_own)
    times = times_of_ticks(own.column(TIME), per_second, schema.field(TIME).type, unit)
    values = (own.column(name) for name in value_columns(query))
    return pa.table([times, *values, own.column(_KIND).cast(pa.string())], schema=schema)
