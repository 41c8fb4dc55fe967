"""What a notebook does: timestamps in, a typed table out, joined with another table, kept as Parquet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

import horae

pytestmark = pytest.mark.spark

NINE = datetime(2026, 11, 19, 9)
ROOMS = {"a": "attic", "b": "barn"}
ROWS = [("a", 0), ("b", 2), ("a", 4), ("a", 20)]
"""Sensors, and seconds after nine."""


def at(seconds: int) -> datetime:
    return NINE + timedelta(seconds=seconds)


@dataclass(frozen=True)
class Case:
    """`expected`: rooms, times and other columns, by time."""

    text: str
    output: str
    key: str
    columns: tuple[str, ...]
    expected: list[tuple[Any, ...]]
    options: dict[str, Any]
    frames: Callable[[DataFrame], Any] = lambda seen: {"seen": seen}


CASES = {
    "rtlola": Case(
        """
        input string sensor
        output int often<string s>
            invoke: sensor
            extend: s = sensor
            := sensor[10s, 0, count(s)]
        """,
        "often",
        "s",
        ("time", "value"),
        [("attic", at(0), 1), ("barn", at(2), 1), ("attic", at(4), 2), ("attic", at(20), 1)],
        {},
        lambda seen: seen,
    ),
    "datalogmtl": Case(
        "awake(X) :- Diamondminus[0,5] seen(X).",
        "awake",
        "arg1",
        ("start", "end", "start_closed", "end_closed"),
        [
            ("attic", at(0), at(9), True, True),
            ("barn", at(2), at(7), True, True),
            ("attic", at(20), at(25), True, True),
        ],
        {},
    ),
    "lars": Case(
        "awake(X) :- win[5] <> seen(X).",
        "awake",
        "arg1",
        ("time", "at"),
        [
            ("attic", at(0), at(0)),
            ("attic", at(4), at(4)),
            ("barn", at(4), at(4)),
            ("attic", at(8), at(8)),
            ("attic", at(20), at(20)),
        ],
        {"at": "every 4"},
    ),
    "cql": Case(
        "REGISTER STREAM seen(sensor string);"
        "often: SELECT sensor, COUNT(*) AS n FROM seen [RANGE 10] GROUP BY sensor;",
        "often",
        "sensor",
        ("time", "n", "kind"),
        [
            ("attic", at(0), 1, "rstream"),
            ("attic", at(10), 2, "rstream"),
            ("barn", at(10), 1, "rstream"),
            ("attic", at(20), 1, "rstream"),
        ],
        {"at": "every 10"},
    ),
}


@pytest.mark.parametrize("language", CASES)
def test_a_table_is_joined_and_kept(spark: SparkSession, tmp_path: Path, language: str):
    case, program = CASES[language], horae.compile(CASES[language].text, language)
    seen = spark.createDataFrame(
        [(sensor, at(second)) for sensor, second in ROWS], "sensor string, time timestamp_ntz"
    )
    rooms = spark.createDataFrame([*ROOMS.items()], f"{case.key} string, room string")

    found = program.answers(case.frames(seen), case.output, **case.options)
    schema = program.schema(case.output, case.frames(seen), **case.options)
    assert _types(found) == [
        (field.name, field.dataType) for field in from_arrow_schema(schema).fields
    ]

    found.join(rooms, case.key).select("room", *case.columns).write.parquet(str(tmp_path / "kept"))
    kept = spark.read.parquet(str(tmp_path / "kept"))
    assert _types(kept)[1:] == [field for field in _types(found) if field[0] in case.columns]
    ordered = kept.orderBy(case.columns[0], "room")
    assert [tuple(row) for row in ordered.collect()] == case.expected


def _types(frame: DataFrame) -> list[tuple[str, Any]]:
    return [(field.name, field.dataType) for field in frame.schema]
