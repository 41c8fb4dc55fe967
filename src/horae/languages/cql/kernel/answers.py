"""The answers of CQL queries as Arrow columns, one schema for all queries of a program; and sorted.

A value of a row stands in the column that is named after its place and its type: `0:int`, `1:string`.
There are those that some query has; in the answers of others they are null.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from horae.data.columns import DataType
from horae.data.rows_of_inputs import TIME, place_name
from horae.data.values import ARROW_TYPES
from horae.engine.answers import (
    AnswerField,
    Answers,
    AnswerShape,
    AnswerShapes,
    ListField,
    sort_rows,
)
from horae.engine.typed_answers import free_names
from horae.languages.cql.kernel.columns import whole_column
from horae.languages.cql.kernel.streams import RANK
from horae.languages.cql.plan.algebra import QueryPlan
from horae.languages.cql.program import Program, Query

_QUERY, _KIND = "query", "kind"
_CODED = pa.dictionary(pa.int32(), pa.string())


def answer_schema(program: Program) -> pa.Schema:
    types: dict[str, DataType] = {TIME: pa.int64(), _QUERY: _CODED, _KIND: _CODED}
    values = {}
    for query in program.queries:
        for name, column in zip(value_columns(query), query.body.outputs, strict=True):
            values[name] = ARROW_TYPES[column.type]
    types |= {name: values[name] for name in sorted(values, key=_by_place)}
    return pa.schema({**types, RANK: pa.int64()})


def value_columns(query: Query) -> tuple[str, ...]:
    """Where the values of its rows stand."""
    types = (column.type.value for column in query.body.outputs)
    return tuple(f"{place}:{type}" for place, type in enumerate(types))


def _by_place(column: str) -> tuple[int, str]:
    place, _, type = column.partition(":")
    return int(place), type


def no_answers(program: Program) -> pa.Table:
    return answer_schema(program).empty_table()


def answer_table(query: QueryPlan, rows: pa.Table, schema: pa.Schema) -> pa.Table:
    """`rows` has `time`, the outputs by their places, and `rank`."""
    size = rows.num_rows
    columns: dict[str, Any] = {
        TIME: rows.column(TIME),
        _QUERY: _repeated(query.name, size),
        _KIND: _repeated(kind_of(query), size),
        RANK: rows.column(RANK),
    }
    for place, output in enumerate(query.outputs):
        columns[f"{place}:{output.type.value}"] = whole_column(rows, place_name(place))
    arrays = [
        columns[field.name] if field.name in columns else pa.nulls(size, field.type)
        for field in schema
    ]
    return pa.table(arrays, schema=schema)


def _repeated(text: str, size: int) -> Any:
    return pa.DictionaryArray.from_arrays(np.zeros(size, np.int32), pa.array([text]))


def kind_of(query: QueryPlan) -> str:
    return query.stream.value.lower()


# --- sorted


def sorted_answers(table: pa.Table, program: Program, *, named: bool = False) -> Answers:
    """The answers by time, then query, then the order of the query.

    Rows are lists, or objects with the names of columns as keys if they are `named`.
    """
    return Answers(sort_rows(table, _keys(table)), answer_shapes(program.queries, named))


def _keys(table: pa.Table) -> list[str]:
    """Rows without a rank are ordered by their values."""
    values = [name for name in table.column_names if ":" in name]
    return [TIME, _QUERY, RANK, *(values if table.column(RANK).null_count else ())]


def answer_shapes(queries: Iterable[Query], named: bool) -> AnswerShapes:
    """Queries whose rows are alike have one."""
    alike: dict[ListField, list[str]] = {}
    for query in queries:
        alike.setdefault(_row_field(query, named), []).append(query.name)
    time, which, kind = AnswerField(TIME), AnswerField(_QUERY), AnswerField(_KIND)
    return tuple(
        AnswerShape(time, which, row, kind, when=_QUERY, names=names)
        for row, names in alike.items()
    )


def _row_field(query: Query, named: bool) -> ListField:
    """An object has all columns: where two have one name, the second gets a `_`."""
    items = [AnswerField(name) for name in value_columns(query)]
    if not named:
        return ListField("row", tuple(items))
    names = free_names([column.name for column in query.body.outputs], ())
    return ListField("row", tuple(items), tuple(names))
