"""Answers of CQL queries: as a table, and as the dicts of the JSON Lines."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from horae.languages.cql.kernel.columns import Array, column
from horae.languages.cql.kernel.streams import RANK
from horae.languages.cql.kernel.windows import TIME, place_name
from horae.languages.cql.plan.algebra import QueryPlan

Answer = dict[str, Any]

_TYPES: dict[str, pa.DataType] = {
    TIME: pa.int64(),
    "query": pa.string(),
    "kind": pa.string(),
    "row": pa.string(),
    RANK: pa.int64(),
}
SCHEMA = pa.schema(_TYPES)


def no_answers() -> pa.Table:
    return SCHEMA.empty_table()


def answer_table(query: QueryPlan, rows: pa.Table) -> pa.Table:
    """`rows` has `time`, the outputs by their places, and `rank`."""
    columns = [column(rows, place_name(place)) for place in range(len(query.outputs))]
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
    lists = [array.to_pylist() for array in columns]
    texts = [json.dumps(row, ensure_ascii=False) for row in zip(*lists, strict=True)]
    return pa.array(texts if lists else ["[]"] * size, pa.string())


def sorted_answers(table: pa.Table) -> list[Answer]:
    """By time, then query, then the order of the query."""
    rows = table.sort_by([(key, "ascending") for key in (TIME, "query", RANK)]).to_pylist()
    return [
        {
            "time": row[TIME],
            "query": row["query"],
            "row": json.loads(row["row"]),
            "kind": row["kind"],
        }
        for row in rows
    ]
