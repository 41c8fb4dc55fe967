"""Answers as files: JSON Lines, CSV and Parquet, all with the same content."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

    from horae.engine.answers import Answers

_TOGETHER = 1 << 16  # rows of a CSV file that are written at once

ShownAnswer = Mapping[str, object]


class AnswerFormat(StrEnum):
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


Fields = Sequence[str]
"""The columns of a table of answers; an answer fills those that it has."""
Parts = Iterable["Answers"]


def write_answers(parts: Parts, path: Path, format: AnswerFormat, fields: Fields) -> None:
    """Of parts that follow each other; each is gone when the next one comes."""
    _WRITERS[format](parts, path, fields)


def _write_jsonl(parts: Parts, path: Path, _: Fields) -> None:
    with path.open("w", encoding="utf-8") as file:
        for answers in parts:
            file.writelines(answers.json_lines())


def _write_csv(parts: Parts, path: Path, fields: Fields) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(fields)
        for answers in parts:
            for start in range(0, len(answers), _TOGETHER):
                part = answers[start : start + _TOGETHER]
                columns = [part.texts(field, _cell).to_pylist() for field in fields]
                writer.writerows(zip(*columns, strict=True))


def _cell(value: object) -> str | None:
    """As in JSON where CSV has no form of its own; text stays plain, and nothing is empty."""
    return value if isinstance(value, str) or value is None else _json(value)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write_parquet(parts: Parts, path: Path, fields: Fields) -> None:
    from pyarrow import parquet

    schema = _parquet_schema(fields)
    with parquet.ParquetWriter(path, schema) as writer:
        for answers in parts:
            writer.write_table(_parquet_table(answers, schema))


def _parquet_table(answers: Answers, schema: pa.Schema) -> pa.Table:
    import pyarrow as pa

    typed = answers.to_arrow()
    columns: list[Any] = []
    for field in schema:
        if field.name in _JSON:
            columns.append(answers.texts(field.name, _json))
        elif field.name in typed.column_names:
            columns.append(typed.column(field.name).cast(field.type))
        else:
            columns.append(pa.nulls(len(answers), field.type))
    return pa.table(columns, schema=schema)


_JSON = ("params", "value", "args", "row")
"""Keys whose values are JSON text in Parquet: several types share the column."""


def _parquet_schema(fields: Fields) -> pa.Schema:
    """Time points are whole numbers, times of streams are seconds; rationals are text."""
    import pyarrow as pa

    types: dict[str, pa.DataType] = {
        "trigger": pa.int64(),
        "at": pa.int64(),
        "answer": pa.int64(),
        "inconsistent": pa.bool_(),
    }
    if "stream" in fields:
        types["time"] = pa.float64()
    if "at" in fields or "query" in fields:
        types["time"] = pa.int64()
    return pa.schema({field: types.get(field, pa.string()) for field in fields})


_WRITERS: dict[AnswerFormat, Callable[[Parts, Path, Fields], None]] = {
    AnswerFormat.JSONL: _write_jsonl,
    AnswerFormat.CSV: _write_csv,
    AnswerFormat.PARQUET: _write_parquet,
}
