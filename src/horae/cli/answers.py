"""Answers as files: JSON Lines, CSV and Parquet, all with the same content."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from pathlib import Path

Answer = Mapping[str, object]


class AnswerFormat(StrEnum):
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


FIELDS = ("time", "stream", "params", "value", "trigger", "message", "condition")
"""The columns of a table of answers: a value fills four, a notification the time and the rest."""


def write_answers(answers: Iterable[Answer], path: Path, format: AnswerFormat) -> None:
    _WRITERS[format](answers, path)


def _write_jsonl(answers: Iterable[Answer], path: Path) -> None:
    from horae.rendering import Answers

    with path.open("w", encoding="utf-8") as file:
        if isinstance(answers, Answers):
            file.writelines(answers.json_lines())
        else:
            file.writelines(json.dumps(answer, ensure_ascii=False) + "\n" for answer in answers)


def _write_csv(answers: Iterable[Answer], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        writer.writerows(_cells(answer) for answer in answers)


def _cells(answer: Answer) -> list[object]:
    """As in JSON where CSV has no form of its own; text stays plain."""
    values = (answer.get(field) for field in FIELDS)
    return [value if isinstance(value, str) else _json(value) for value in values]


def _json(value: object) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _write_parquet(answers: Iterable[Answer], path: Path) -> None:
    """`params` and `value` are JSON text, because streams of several types share the column."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    numbers: dict[str, pa.DataType] = {"time": pa.float64(), "trigger": pa.int64()}
    schema = pa.schema({field: numbers.get(field, pa.string()) for field in FIELDS})
    rows = [_parquet_row(answer) for answer in answers]
    pq.write_table(pa.Table.from_pylist(rows, schema), path)


def _parquet_row(answer: Answer) -> dict[str, object]:
    as_text = {
        field: json.dumps(answer[field], ensure_ascii=False)
        for field in ("params", "value")
        if field in answer
    }
    return {**answer, **as_text}


_WRITERS: dict[AnswerFormat, Callable[[Iterable[Answer], Path], None]] = {
    AnswerFormat.JSONL: _write_jsonl,
    AnswerFormat.CSV: _write_csv,
    AnswerFormat.PARQUET: _write_parquet,
}
