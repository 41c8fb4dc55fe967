"""Answers as files: JSON Lines, CSV and Parquet, all with the same content."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

Answer = Mapping[str, object]


class AnswerFormat(StrEnum):
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


Fields = Sequence[str]
"""The columns of a table of answers; an answer fills those that it has."""


def write_answers(
    answers: Iterable[Answer], path: Path, format: AnswerFormat, fields: Fields
) -> None:
    _WRITERS[format](answers, path, fields)


def _write_jsonl(answers: Iterable[Answer], path: Path, _: Fields) -> None:
    from horae.engine.answers import Answers

    with path.open("w", encoding="utf-8") as file:
        if isinstance(answers, Answers):
            file.writelines(answers.json_lines())
        else:
            file.writelines(map(json_line, answers))


def json_line(answer: Answer) -> str:
    return json.dumps(answer, ensure_ascii=False) + "\n"


def _write_csv(answers: Iterable[Answer], path: Path, fields: Fields) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(fields)
        writer.writerows(_cells(answer, fields) for answer in answers)


def _cells(answer: Answer, fields: Fields) -> list[object]:
    """As in JSON where CSV has no form of its own; text stays plain."""
    values = (answer.get(field) for field in fields)
    return [value if isinstance(value, str) else _json(value) for value in values]


def _json(value: object) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _write_parquet(answers: Iterable[Answer], path: Path, fields: Fields) -> None:
    """Parameters, arguments, values and rows are JSON text: several types share the column."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [_parquet_row(answer) for answer in answers]
    pq.write_table(pa.Table.from_pylist(rows, _parquet_schema(fields)), path)


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


def _parquet_row(answer: Answer) -> dict[str, object]:
    as_text = {
        field: json.dumps(answer[field], ensure_ascii=False)
        for field in ("params", "value", "args", "row")
        if field in answer
    }
    return {**answer, **as_text}


_WRITERS: dict[AnswerFormat, Callable[[Iterable[Answer], Path, Fields], None]] = {
    AnswerFormat.JSONL: _write_jsonl,
    AnswerFormat.CSV: _write_csv,
    AnswerFormat.PARQUET: _write_parquet,
}
