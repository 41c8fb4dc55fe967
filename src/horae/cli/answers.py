"""Answers as files: JSON Lines, CSV and Parquet, all with the same content."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
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


def write_answers(answers: Answers, path: Path, format: AnswerFormat, fields: Fields) -> None:
    _WRITERS[format](answers, path, fields)


def _write_jsonl(answers: Answers, path: Path, _: Fields) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(answers.json_lines())


def json_line(answer: ShownAnswer) -> str:
    return json.dumps(answer, ensure_ascii=False) + "\n"


def _write_csv(answers: Answers, path: Path, fields: Fields) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(fields)
        for start in range(0, len(answers), _TOGETHER):
            part = answers[start : start + _TOGETHER]
            columns = [part.texts(field, _cell).to_pylist() for field in fields]
            writer.writerows(zip(*columns, strict=True))


def _cell(value: object) -> str | None:
    """As in JSON where CSV has no form of its own; text stays plain, and nothing is empty."""
    return value if isinstance(value, str) or value is None else _json(value)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write_parquet(answers: Answers, path: Path, fields: Fields) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    typed, schema = answers.to_arrow(), _parquet_schema(fields)
    columns: list[Any] = []
    for field in schema:
        if field.name in _JSON:
            columns.append(answers.texts(field.name, _json))
        elif field.name in typed.column_names:
            columns.append(typed.column(field.name).cast(field.type))
        else:
            columns.append(pa.nulls(len(answers), field.type))
    pq.write_table(pa.table(columns, schema=schema), path)


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


_WRITERS: dict[AnswerFormat, Callable[[Answers, Path, Fields], None]] = {
    AnswerFormat.JSONL: _write_jsonl,
    AnswerFormat.CSV: _write_csv,
    AnswerFormat.PARQUET: _write_parquet,
}
