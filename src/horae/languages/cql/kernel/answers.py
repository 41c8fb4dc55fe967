"""Answers of CQL queries: as a table with rows as JSON text, and sorted."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array
from horae.data.rows_of_inputs import TIME, place_name
from horae.engine.answers import AnswerField, Answers, AnswerShape, json_field, sort_rows
from horae.languages.cql.kernel.columns import whole_column
from horae.languages.cql.kernel.streams import RANK
from horae.languages.cql.plan.algebra import QueryPlan

_TYPES: dict[str, pa.DataType] = {
    TIME: pa.int64(),
    "query": pa.string(),
    "kind": pa.string(),
    "row": pa.string(),
    RANK: pa.int64(),
}
SCHEMA = pa.schema(_TYPES)
_SHAPES = (
    AnswerShape(AnswerField("time"), AnswerField("query"), json_field("row"), AnswerField("kind")),
)


def no_answers() -> pa.Table:
    return SCHEMA.empty_table()


def answer_table(query: QueryPlan, rows: pa.Table) -> pa.Table:
    """`rows` has `time`, the outputs by their places, and `rank`."""
    columns = [whole_column(rows, place_name(place)) for place in range(len(query.outputs))]
    size = rows.num_rows
    values = [
        rows.column(TIME),
        pa.repeat(query.name, size),
        pa.repeat(kind_of(query), size),
        json_texts(columns, size),
        rows.column(RANK),
    ]
    return pa.table(values, schema=SCHEMA)


def kind_of(query: QueryPlan) -> str:
    return query.stream.value.lower()


def json_texts(columns: list[Array], size: int) -> Array:
    """Each row as a list, as `json.dumps` writes it."""
    if not columns:
        return pa.repeat("[]", size)
    parts: list[Any] = []
    for array in columns:
        parts += [", " if parts else "[", _texts(array)]
    joined: Array = pc.binary_join_element_wise(*parts, "]", "")
    return joined


def _texts(array: Array) -> Any:
    """Whole numbers are written by Arrow, each distinct value of other types once by Python."""
    if pa.types.is_integer(array.type):
        return array.cast(pa.string()).fill_null("null")
    encoded: Any = array.dictionary_encode()
    texts = [json.dumps(value, ensure_ascii=False) for value in encoded.dictionary.to_pylist()]
    return pa.array(texts, pa.string()).take(encoded.indices).fill_null("null")


def sorted_answers(table: pa.Table) -> Answers:
    """The answers by time, then query, then the order of the query."""
    return Answers(sort_rows(table, [TIME, "query", RANK]), _SHAPES)
